import { afterAll, beforeAll, expect, it } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";

const POLICY = `version: 1
expect:
  - { paths: ["infra/**"], workspaces: [production], within: 2h }
rules:
  - id: monthly-increase
    limit: { increase: 500 USD }
  - id: replaced
    limit: { replacements: 0 }
    enforce: warn
`;

let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld({ policy: POLICY });
});
afterAll(() => world.ends());

it("an increase above the limit blocks the merge and says by how much", async () => {
  const pull = world.opensPullRequest({ title: "Three zones" });
  const cost = { before: "100", after: "700.01", change: "600.01" };
  await world.ci.runs({ sha: pull.headSha, cost, changes: [], bind: "audit" });
  await world.settles();
  expect(world.gate(pull)).toBe("failure");
  expect(world.github.mergeability(pull).allowed).toBe(false);
  expect(world.comment(pull)).toContain("`monthly-increase`");
  expect(world.comment(pull)).toContain("+$600.01");
  expect(world.comment(pull)).toContain("$500");
});

it("an estimate that failed is not a pass", async () => {
  const pull = world.opensPullRequest();
  const cost = { before: "100", after: "100", change: "0" };
  await world.ci.runs({ sha: pull.headSha, cost, completeness: "partial", changes: [] });
  await world.settles();
  expect(world.gate(pull)).toBe("failure");
  expect(world.comment(pull)).toContain("one module failed");
});

it("a replacement warns, and a warning does not block the merge", async () => {
  const pull = world.opensPullRequest();
  const changes = [
    { address: "aws_db_instance.main", change: "deleted" as const },
    { address: "aws_db_instance.main", change: "added" as const },
  ];
  await world.ci.runs({ sha: pull.headSha, cost: { before: "1", after: "1", change: "0" }, changes });
  await world.settles();
  expect(world.gate(pull)).toBe("neutral");
  expect(world.github.mergeability(pull).allowed).toBe(true);
  expect(world.comment(pull)).toContain("aws_db_instance.main");
});

it("a pull request that touches nothing of it gets its check at once, and no comment", async () => {
  const pull = world.opensPullRequest({ files: { "src/app.js": "1\n" } });
  await world.settles();
  expect(world.gate(pull)).toBe("success");
  expect(world.checkOf(pull).output.title).toMatch(/no provisioning change/i);
  expect(world.comments(pull)).toEqual([]);
});

it("the newest execution of a workspace counts, older ones are listed and not summed", async () => {
  const pull = world.opensPullRequest();
  const dear = await world.ci.runs({
    sha: pull.headSha,
    cost: { before: "0", after: "900", change: "900" },
    changes: [],
  });
  await world.settles();
  expect(world.gate(pull)).toBe("failure");
  await world.ci.runs({
    sha: pull.headSha,
    cost: { before: "0", after: "20", change: "20" },
    changes: [],
  });
  await world.settles();
  expect(world.gate(pull)).toBe("success");
  expect(world.comment(pull)).toContain("+$20");
  expect(world.comment(pull)).not.toContain("$920");
  expect(world.comment(pull)).toContain(dear.slice(0, 8));
});

it("an execution recorded for the test merge commit belongs to the head", async () => {
  const pull = world.opensPullRequest();
  await world.settles();
  const merge = world.github.testMerge(pull);
  expect(merge).not.toBeNull();
  await world.ci.runs({
    sha: merge ?? "",
    cost: { before: "3", after: "4", change: "1" },
    changes: [],
  });
  await world.settles();
  expect(world.gate(pull)).toBe("success");
});
