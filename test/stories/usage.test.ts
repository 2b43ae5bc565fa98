import { afterAll, beforeAll, expect, it } from "vitest";
import { STRICT } from "../world/costs.ts";
import { createWorld, type World } from "../world/world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ policy: STRICT });
});
afterAll(() => world.ends());

it("a new function without usage blocks the gate until its usage is stated, and is named", async () => {
  const cost = { before: "10", after: "10", change: "0" };
  const changes = [{ address: "aws_lambda_function.worker", change: "added" }] as const;
  const pull = world.opensPullRequest();
  const usageBased = ["aws_lambda_function.worker"];
  await world.ci.runs({ sha: pull.headSha, cost, changes, usageBased });
  await world.settles();
  expect(world.gate(pull)).toBe("failure");
  expect(world.comment(pull)).toContain("| `production` | $0.00 + usage | $10.00 | $10.00 + usage |");
  expect(world.comment(pull)).toContain("1 resource is paid by usage that is not given");
  expect(world.comment(pull)).toContain("--usage-file");

  await world.ci.runs({ sha: pull.headSha, cost: { before: "10", after: "12", change: "2" }, changes });
  await world.settles();
  expect(world.gate(pull)).toBe("success");
  expect(world.comment(pull)).not.toContain("usage");
});
