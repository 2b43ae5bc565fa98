import { afterAll, beforeAll, expect, it } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { EXPENSIVE } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";

const POLICY = `version: 1
expect: [{ paths: ["infra/**"], workspaces: [production, staging] }]
rules:
  - { id: monthly-increase, limit: { increase: 100 USD } }
  - { id: no-deletes, limit: { deletions: 0 } }
  - { id: iam, when: 'pull.paths.exists(p, p.startsWith("infra/iam/"))' }
budgets:
  - { id: month, amount: 9000 USD }
`;

let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld({ policy: POLICY });
});
afterAll(() => world.ends());

type Pull = ReturnType<SimulatedWorld["opensPullRequest"]>;
const states = async ({ headSha: sha }: Pull, workspace: string) => {
  await world.ci.runs({ sha, workspace, nothingToPlan: true });
  await world.settles();
};

it("a statement that there is nothing to plan ends the wait for its workspace at its commit, and its poster is named", async () => {
  const pull = world.opensPullRequest();
  await states(pull, "production");
  expect(world.gate(pull)).toBe("in_progress");
  await states(pull, "staging");
  expect(world.gate(pull)).toBe("success");
  const named = /Nothing to plan: `\w+`, stated by `token [0-9a-f]{16}`, `\w+`, stated by `token/;
  expect(world.comment(pull)).toMatch(named);
  expect(world.checkOf(pull).output.summary).toMatch(named);
  const files = { "infra/more.tf": "#\n" };
  const { after: headSha } = world.github.push({ repository: REPOSITORY, branch: pull.headRef, files });
  await world.settles();
  expect(world.gate({ ...pull, headSha })).toBe("in_progress");
});

it("rules that read no plan hold a pull request without one", async () => {
  const pull = world.opensPullRequest({ files: { "infra/iam/main.tf": "#\n" } });
  for (const workspace of ["production", "staging"]) await states(pull, workspace);
  expect(world.gate(pull)).toBe("failure");
});

it("a statement hides no execution of its workspace", async () => {
  const pull = world.opensPullRequest();
  await world.ci.runs({ sha: pull.headSha, workspace: "staging", cost: EXPENSIVE, changes: [] });
  for (const workspace of ["production", "staging"]) await states(pull, workspace);
  expect(world.gate(pull)).toBe("failure");
  expect(world.comment(pull)).not.toContain("`staging`, stated by");
});
