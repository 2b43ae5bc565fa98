import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { CHEAP, EXPENSIVE, STRICT } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";

const NAMES = `check_names:
  - { branch: main, name: cost gate }
  - { branch: stable, name: cost gate }
  - { branch: "release/*", name: cost gate }
`;
const POLICY = STRICT + NAMES;
/** A policy by which everything passes, with every name for every branch. */
const HARMLESS = 'version: 1\nexpect: []\ncheck_names: [{ branch: "**", name: cost gate }]\n';

let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld({ policy: POLICY });
});
afterAll(() => world.ends());
beforeEach(async () => {
  requires("main");
  await push("main", { ".github/tollgate.yml": POLICY });
});
afterEach(() => world.github.faults.clear());

type Protection = Partial<Parameters<SimulatedWorld["github"]["protectBranch"]>[0]>;
const requires = (branch: string, how: Protection = {}) =>
  world.github.protectBranch({
    repository: REPOSITORY,
    branch,
    requiredChecks: [{ context: "cost gate", appId: world.appId }],
    ...how,
  });
const push = async (branch: string, files: Record<string, string>, from = "main") => {
  const pushed = world.github.push({ repository: REPOSITORY, branch, files, from });
  await world.settles();
  return pushed.after;
};
const gates = (pull: { headSha: string }, base: string) => ({
  shared: world.gate(pull, "cost gate"),
  own: world.gate(pull, `tollgate: ${base}`),
});

/** Whether GitHub would merge the head into main at once, before Tollgate hears of that pull request. */
async function opensMain(head: string): Promise<boolean> {
  world.github.deliveries.hold({});
  const real = world.github.openPullRequest({ repository: REPOSITORY, head, base: "main", title: "Real" });
  const { allowed } = world.github.mergeability(real);
  await world.github.deliveries.release();
  await world.settles();
  world.github.closePullRequest(real);
  await world.settles();
  return allowed;
}

describe("a success of another branch does not open main", () => {
  it("whatever names the policy of that branch gives to itself", async () => {
    await push("mine", { ".github/tollgate.yml": HARMLESS });
    const feint = world.opensPullRequest({ base: "mine", branch: "evil" });
    await world.settles();
    expect(gates(feint, "mine")).toEqual({ shared: null, own: "success" });
    expect(world.checkOf(feint).output.summary).toContain("only the default branch's policy names checks");
    expect(await opensMain("evil")).toBe(false);
  });

  it("where that branch has main's policy and contains the change already", async () => {
    await push("main", { ".github/tollgate.yml": POLICY.replace('"release/*"', '"**"') });
    await push("feint", { "infra/costly.tf": "#\n" });
    await push("hidden", { "README.md": "nothing of any cost\n" }, "feint");
    const feint = await world.opensPlanned(CHEAP, { base: "feint", branch: "hidden", files: { "a.md": "" } });
    expect(gates(feint, "feint")).toEqual({ shared: null, own: "success" });
    expect(world.comment(feint)).toContain("GitHub does not require that name on this branch");
    expect(await opensMain("hidden")).toBe(false);
  });

  it.each(["protection", "ruleset"] as const)(
    "where anybody may create a branch that a pattern and a %s match",
    async (kind) => {
      const branch = `release/of-a-${kind}`;
      requires(branch, { kind });
      await push(branch, { ".github/tollgate.yml": HARMLESS });
      const feint = world.opensPullRequest({ base: branch, branch: `into-${kind}` });
      await world.settles();
      expect(gates(feint, branch)).toEqual({ shared: null, own: "success" });
      expect(world.checkOf(feint).output.summary).toContain("no ruleset restricts who creates such a branch");
      expect(await opensMain(`into-${kind}`)).toBe(false);
    },
  );

  it("where the requirement is one of another App", async () => {
    await push("stable", {});
    requires("stable", { requiredChecks: [{ context: "cost gate", appId: world.appId + 1 }] });
    const pull = await world.opensPlanned(CHEAP, { base: "stable" });
    expect(gates(pull, "stable")).toEqual({ shared: null, own: "success" });
  });

  it("where GitHub does not tell what the branch requires", async () => {
    await push("stable", {});
    requires("stable", { kind: "ruleset" });
    world.github.faults.add({ kind: "status", status: 403, match: { path: /\/rules\/branches\// } });
    const pull = await world.opensPlanned(CHEAP, { base: "stable" });
    expect(gates(pull, "stable")).toEqual({ shared: null, own: "success" });
    expect(world.comment(pull)).toContain("GitHub's rules for this branch could not be read");
  });
});

describe("branches that share a name of the default branch's policy", () => {
  it("are those on which GitHub requires it: by name, or by a pattern where a ruleset restricts who creates them", async () => {
    await push("stable", {});
    requires("stable");
    await push("release/7", {});
    requires("release/7", { kind: "ruleset", restrictsCreation: true });
    for (const base of ["main", "stable", "release/7"]) {
      const pull = await world.opensPlanned(EXPENSIVE, { base });
      expect(gates(pull, base)).toEqual({ shared: "failure", own: null });
    }
  });

  it("lose it when the protection is removed, and what passed under it does not stay", async () => {
    await push("stable", {});
    requires("stable");
    const pull = await world.opensPlanned(CHEAP, { base: "stable", branch: "early" });
    expect(gates(pull, "stable")).toEqual({ shared: "success", own: null });
    requires("stable", { requiredChecks: [] });
    await world.timePasses(31 * 60_000);
    await world.bot.sweep();
    await world.settles();
    expect(gates(pull, "stable")).toEqual({ shared: "failure", own: "success" });
    expect(await opensMain("early")).toBe(false);
  });

  it("get another name as soon as the default branch's policy gives one", async () => {
    await push("stable", {});
    requires("stable");
    const pull = await world.opensPlanned(CHEAP, { base: "stable" });
    expect(gates(pull, "stable")).toEqual({ shared: "success", own: null });
    await push("main", { ".github/tollgate.yml": STRICT });
    expect(gates(pull, "stable")).toEqual({ shared: "failure", own: "success" });
  });

  it("keep it while that policy cannot be used, as long as GitHub requires it", async () => {
    await push("stable", {});
    requires("stable");
    const pull = await world.opensPlanned(CHEAP, { base: "stable" });
    await push("main", { ".github/tollgate.yml": "version: 1\nrules: [" });
    expect(gates(pull, "stable").shared).toBe("success");
    requires("stable", { requiredChecks: [] });
    await world.ci.runs({ sha: pull.headSha, cost: CHEAP, changes: [] });
    await world.settles();
    expect(gates(pull, "stable")).toEqual({ shared: "failure", own: "success" });
  });

  it("have it on their merge groups too", async () => {
    await push("stable", {});
    requires("stable");
    const pull = await world.opensPlanned(CHEAP, { base: "stable" });
    const group = world.github.addToMergeQueue([pull]);
    await world.settles();
    expect(gates(group, "stable")).toEqual({ shared: "success", own: null });
    requires("stable", { requiredChecks: [] });
    await world.ci.runs({ sha: pull.headSha, cost: CHEAP, changes: [] });
    await world.settles();
    expect(gates(group, "stable")).toEqual({ shared: "failure", own: "success" });
  });
});

it("what a branch requires is read only where the policy gives its check a name", async () => {
  await push("plain", { ".github/tollgate.yml": STRICT });
  world.github.requests.clear();
  await world.opensPlanned(CHEAP, { base: "plain" });
  const paths = world.github.requests.list().map(({ path }) => path);
  expect(paths.filter((path) => /\/branches\//.test(path))).toEqual([]);
});
