import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { EXPENSIVE, LAX, STRICT } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";

/** Names that the policy of main gives to the checks of other branches, which GitHub requires there. */
const NAMES = {
  easy: "shared-gate",
  hard: "shared-gate",
  renames: "old-gate",
  "renames-late": "early-gate",
  breaks: "own-gate",
};
const naming = (names: Readonly<Record<string, string>>) =>
  `${STRICT}check_names:\n${Object.entries(names)
    .map(([branch, name]) => `  - { branch: ${branch}, name: ${name} }\n`)
    .join("")}`;

let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld({ policy: naming(NAMES) });
  for (const [branch, name] of Object.entries(NAMES)) requires(branch, name);
});
afterAll(() => world.ends());
afterEach(() => world.github.faults.clear());

const requires = (branch: string, context: string) =>
  world.github.protectBranch({
    repository: REPOSITORY,
    branch,
    requiredChecks: [{ context, appId: world.appId }],
  });
const renames = async (branch: "renames" | "renames-late", name: string) => {
  requires(branch, name);
  onBranch(branch, { ".github/tollgate.yml": STRICT });
  onBranch("main", { ".github/tollgate.yml": naming({ ...NAMES, [branch]: name }) });
  await world.settles();
};

const onBranch = (branch: string, files: Record<string, string | null>) =>
  world.github.push({ repository: REPOSITORY, branch, files });

const evaluated = (...change: Parameters<SimulatedWorld["opensPlanned"]>) => world.opensPlanned(...change);

describe("a head that two pull requests share", () => {
  it("is let go when the worse of them closes", async () => {
    onBranch("easy", { ".github/tollgate.yml": LAX });
    onBranch("hard", { ".github/tollgate.yml": STRICT });
    await world.settles();
    const easy = await evaluated(EXPENSIVE, { base: "easy", branch: "twice" });
    expect(world.gate(easy, "shared-gate")).toBe("success");
    const hard = world.github.openPullRequest({
      repository: REPOSITORY,
      head: "twice",
      base: "hard",
      title: "The same, elsewhere",
    });
    await world.settles();
    expect(hard.headSha).toBe(easy.headSha);
    expect(world.gate(hard, "shared-gate")).toBe("failure");
    world.github.closePullRequest(hard);
    await world.settles();
    expect(world.gate(easy, "shared-gate")).toBe("success");
  });
});

describe("a check that the policy renames", () => {
  it("does not go on passing under its old name", async () => {
    onBranch("renames", { ".github/tollgate.yml": LAX });
    const pull = await evaluated(EXPENSIVE, { base: "renames" });
    expect(world.gate(pull, "old-gate")).toBe("success");
    await renames("renames", "new-gate");
    expect(world.gate(pull, "new-gate")).toBe("failure");
    expect(world.gate(pull, "old-gate")).toBe("failure");
  });

  it("fails again half a minute after GitHub let it pass late under its old name", async () => {
    onBranch("renames-late", { ".github/tollgate.yml": LAX });
    const pull = world.opensPullRequest({ base: "renames-late" });
    await world.settles();
    world.github.faults.add({
      kind: "late",
      ms: 4_000,
      match: { method: "PATCH", path: /\/check-runs\/\d+$/ },
    });
    await world.plans(pull, EXPENSIVE);
    await renames("renames-late", "late-gate");
    expect(world.gate(pull, "early-gate")).toBe("failure");
    await world.timePasses(4_000);
    expect(world.gate(pull, "early-gate")).toBe("success");
    await world.timePasses(31_000);
    expect(world.gate(pull, "early-gate")).toBe("failure");
  });

  it("has its earlier name while the policy is invalid", async () => {
    onBranch("breaks", { ".github/tollgate.yml": LAX });
    const pull = await evaluated(EXPENSIVE, { base: "breaks" });
    expect(world.gate(pull, "own-gate")).toBe("success");
    onBranch("breaks", { ".github/tollgate.yml": "version: 1\nrules: [" });
    await world.settles();
    expect(world.gate(pull, "own-gate")).toBe("failure");
  });
});

it("a policy that is taken away settles the checks that waited or failed", async () => {
  onBranch("frees", { ".github/tollgate.yml": STRICT });
  const dear = await evaluated(EXPENSIVE, { base: "frees" });
  const waiting = world.opensPullRequest({ base: "frees" });
  await world.settles();
  expect([dear, waiting].map((pull) => world.gate(pull, "tollgate: frees"))).toEqual([
    "failure",
    "in_progress",
  ]);
  onBranch("frees", { ".github/tollgate.yml": null });
  await world.settles();
  expect([dear, waiting].map((pull) => world.gate(pull, "tollgate: frees"))).toEqual(["success", "success"]);
});

it("a policy that came with a lost push is found by the sweep, though every pull request was decided", async () => {
  onBranch("silent", { "README.md": "# silent\n", ".github/tollgate.yml": null });
  await world.settles();
  const pull = await evaluated(EXPENSIVE, { base: "silent" });
  expect(world.gate(pull, "tollgate: silent")).toBeNull();
  world.github.deliveries.drop({ event: "push" });
  onBranch("silent", { ".github/tollgate.yml": STRICT });
  await world.github.deliveries.settled();
  world.github.deliveries.clearFaults();
  const hourAgo = new Date(Date.now() - 3_600_000);
  await world.bot.session.store.db.updateTable("evaluations").set({ created_at: hourAgo }).execute();
  await world.bot.sweep();
  await world.settles();
  expect(world.gate(pull, "tollgate: silent")).toBe("failure");
});

it("a merge group does not go on passing when one of its pull requests stops passing", async () => {
  const pull = await evaluated();
  const group = world.github.addToMergeQueue([pull]);
  await world.settles();
  expect(world.gate(group)).toBe("success");
  await world.ci.runs({ sha: pull.headSha, cost: EXPENSIVE, changes: [] });
  await world.settles();
  expect(world.gate(pull)).toBe("failure");
  expect(world.gate(group)).toBe("failure");
});

describe("a plan or an estimate of a part", () => {
  const DESTROYING = `version: 1
rules:
  - { id: growth, limit: { increase: 500 USD } }
  - { id: deletions, limit: { deletions: 0 } }
  - { id: actions, limit: { invocations: 0 } }
`;
  const SAME = { cost: { before: "100", after: "100", change: "0" }, changes: [] };
  const planned = async (base: string, more: Partial<Parameters<SimulatedWorld["ci"]["runs"]>[0]>) => {
    onBranch(base, { ".github/tollgate.yml": DESTROYING });
    const pull = world.opensPullRequest({ base });
    await world.ci.runs({ sha: pull.headSha, ...SAME, ...more });
    await world.settles();
    return { ...pull, check: `tollgate: ${base}` };
  };

  it("lets nothing pass that is deferred, and the comment names it", async () => {
    const address = "aws_db_instance.prod";
    const pull = await planned("defers", { deferred: [{ address, change: "deleted" }] });
    expect(world.gate(pull, pull.check)).toBe("failure");
    expect(world.comment(pull)).toContain(`- deleted \`${address}\``);
    await world.ci.runs({ sha: pull.headSha, ...SAME });
    await world.settles();
    expect(world.gate(pull, pull.check)).toBe("success");
  });

  it("lets no more actions be invoked than the policy allows, and the comment names them", async () => {
    const action = "module.jobs.action.aws_lambda_invoke.run";
    const pull = await planned("invokes", { invocations: [action] });
    expect(world.gate(pull, pull.check)).toBe("failure");
    expect(world.comment(pull)).toContain("**1** action would be invoked (limit **0**)");
    expect(world.comment(pull)).toContain(`- \`${action}\` at \`AfterCreate\` of \`aws_instance.web\``);
    await world.ci.runs({ sha: pull.headSha, ...SAME });
    await world.settles();
    expect(world.gate(pull, pull.check)).toBe("success");
  });

  it("lets no change of cost pass that was compared with nothing, and says how to compare", async () => {
    const pull = await planned("estimates-once", { comparison: "nothing" });
    expect(world.gate(pull, pull.check)).toBe("failure");
    expect(world.comment(pull)).toContain("--infracost-base");
  });
});
