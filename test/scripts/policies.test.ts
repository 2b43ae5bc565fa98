import { afterAll, beforeAll, expect, it } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { LAX, STRICT } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";

const COST = { before: "100", after: "600", change: "500" };

let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld({ policy: STRICT });
});
afterAll(() => world.ends());

const onMain = (files: Record<string, string | null>) =>
  world.github.push({ repository: REPOSITORY, branch: "main", files });
const evaluated = (change?: Parameters<SimulatedWorld["opensPlanned"]>[1]) =>
  world.opensPlanned(COST, change);

it("a pull request is evaluated by the base branch's policy, not by its own edit, and shows what the edit would change", async () => {
  const pull = await evaluated({ files: { "infra/main.tf": "#\n", ".github/tollgate.yml": LAX } });
  expect(world.gate(pull)).toBe("failure");
  expect(world.comment(pull)).toMatch(/policy/i);
  expect(world.comment(pull)).toContain("`monthly-increase`");
});

it("an edited policy is tried on the pull requests before it", async () => {
  await evaluated();
  const pull = await evaluated({ files: { "infra/main.tf": "#\n", ".github/tollgate.yml": LAX } });
  expect(world.comment(pull)).toMatch(/the last 2 pull requests\b/);
  expect(world.comment(pull)).toContain("2 would pass instead of being blocked (");
});

it("an invalid policy fails the gate and names every problem with its line", async () => {
  onMain({
    ".github/tollgate.yml":
      "version: 1\nrules:\n  - { id: a, limit: { increase: lots } }\n  - { id: b, limitt: { drift: 0 } }\n",
  });
  await world.settles();
  const pull = await evaluated();
  expect(world.gate(pull)).toBe("failure");
  const check = world.checkOf(pull);
  const told = `${check.output.title}\n${check.output.summary}\n${check.output.text ?? ""}`;
  expect(told).toMatch(/3/);
  expect(told).toContain("limitt");
  onMain({ ".github/tollgate.yml": STRICT });
  await world.settles();
  expect(world.gate(pull)).toBe("failure");
  expect(world.checkOf(pull).output.title).toMatch(/\$500|increase|limit/i);
});

it("a policy that is not a file of text fails the gate", async () => {
  onMain({ ".github/tollgate.yml": null });
  world.github.push({
    repository: REPOSITORY,
    branch: "main",
    files: { ".github/tollgate.yml": { symlink: "../other.yml" } },
  });
  await world.settles();
  const pull = await evaluated();
  expect(world.gate(pull)).toBe("failure");
  onMain({ ".github/tollgate.yml": null });
  onMain({ ".github/tollgate.yml": STRICT });
  await world.settles();
});

it("a policy file of another ending fails the gate and says how it has to be called", async () => {
  onMain({ ".github/tollgate.yml": null, ".github/tollgate.yaml": STRICT });
  await world.settles();
  const pull = await evaluated();
  expect(world.gate(pull)).toBe("failure");
  expect(world.comment(pull)).toContain("rename it to `tollgate.yml`");
  onMain({ ".github/tollgate.yml": STRICT, ".github/tollgate.yaml": null });
  await world.settles();
});

it("the organisation's mandatory rules apply over the repository's file, and a change of them is noticed", async () => {
  world.github.createRepository({
    owner: "acme",
    name: ".github",
    files: {
      "tollgate.yml":
        "version: 1\nrules:\n  - { id: no-more, limit: { increase: 0 USD }, mandatory: true }\n",
    },
  });
  onMain({ ".github/tollgate.yml": LAX });
  await world.settles();
  const pull = await evaluated();
  expect(world.gate(pull)).toBe("failure");
  expect(world.comment(pull)).toContain("`no-more`");
  const move = (files: Record<string, string | null>) =>
    world.github.push({ repository: "acme/.github", branch: "main", files });
  move({ "tollgate.yml": null, ".github/tollgate.yml": "version: 1\n" });
  await world.settles();
  expect(world.gate(pull)).toBe("failure");
  expect(world.comment(pull)).toContain("move it to the top of that repository");
  move({ ".github/tollgate.yml": null });
  await world.settles();
  expect(world.gate(pull)).toBe("success");
  onMain({ ".github/tollgate.yml": STRICT });
  await world.settles();
});

it("without any policy there is a report and no check", async () => {
  onMain({ ".github/tollgate.yml": null });
  await world.settles();
  const pull = await evaluated();
  expect(world.gate(pull)).toBeNull();
  expect(world.comment(pull)).toContain("$500");
  onMain({ ".github/tollgate.yml": STRICT });
  await world.settles();
  expect(world.gate(pull)).toBe("failure");
});
