import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { saveMergeGroup } from "../../src/store/merge-groups.ts";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { CHEAP, EXPENSIVE } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD } }
`;
const HALF = { before: "10", after: "70", change: "60" };

const DAY = 86_400_000;

let world: SimulatedWorld;
let workspaces = 0;
beforeAll(async () => {
  world = await createSimulatedWorld({ policy: POLICY });
});
afterEach(async () => {
  for (const id of groups.splice(0)) world.github.destroyMergeGroup(id, "dequeued");
  for (const pull of opened.splice(0)) world.github.closePullRequest(pull); // what is open is evaluated again by each policy
  await world.settles();
});
afterAll(() => world.ends());

const groups: number[] = [];
const opened: ReturnType<SimulatedWorld["opensPullRequest"]>[] = [];

async function evaluated(cost: typeof CHEAP, workspace = `workspace-${++workspaces}`, base = "main") {
  const pull = world.opensPullRequest({ base });
  opened.push(pull);
  await world.ci.runs({ sha: pull.headSha, workspace, cost, changes: [] });
  await world.settles();
  return pull;
}

/** The queue takes these up together; what its check says comes back. */
async function queued(pulls: Awaited<ReturnType<typeof evaluated>>[]) {
  const group = world.github.addToMergeQueue(pulls);
  groups.push(group.id);
  await world.settles();
  return { group, gate: world.gate(group), output: world.checkOf(group).output };
}

const changing = async (address: string, cost: typeof CHEAP, workspace: string) => {
  const pull = world.opensPullRequest();
  opened.push(pull);
  await world.ci.runs({ sha: pull.headSha, workspace, cost, changes: [{ address, change: "changed" }] });
  await world.settles();
  return pull;
};

async function sweeps() {
  await world.timePasses(10 * 60_000);
  await world.bot.sweep();
  await world.settles();
}

/** The numbers of pull requests differ from run to run. */
const plain = (text: string | null): string => (text ?? "").replaceAll(/#\d+/g, "#N");

it("a group passes when every pull request in it passed at its queued head, and so does their sum", async () => {
  const pulls = [await evaluated(CHEAP), await evaluated(HALF), await evaluated(CHEAP)];
  const { group, gate, output } = await queued(pulls);
  expect(gate).toBe("success");
  expect(world.github.groupMergeability(group.id).allowed).toBe(true);
  expect(plain(output.summary)).toMatchInlineSnapshot(`
    "Each pull request in this group passed at exactly its queued commit, under the current policy of \`main\`.

    Taken together, #N, #N, #N stay within every rule too: +$80.00 per month (+266.67%)."
  `);
});

it("a group with one that did not pass is blocked, and says which", async () => {
  const [cheap, dear] = [await evaluated(CHEAP), await evaluated(EXPENSIVE)];
  const { gate, output } = await queued([cheap, dear]);
  expect(gate).toBe("failure");
  expect(output.summary).toContain(`#${dear.number}`);
  expect(output.summary).not.toContain(`#${cheap.number}`);
});

it("three that pass by themselves are blocked when they are too much together; without one of them they pass", async () => {
  const [first, second, third] = [await evaluated(HALF), await evaluated(HALF), await evaluated(CHEAP)];
  const { group, gate, output } = await queued([first, second, third]);
  expect(gate).toBe("failure");
  expect(output.title).toMatchInlineSnapshot(`"Blocked: 3 queued pull requests are too much together"`);
  expect(plain(output.summary)).toMatchInlineSnapshot(`
    "Each of these passed by itself; together they do not: #N, #N, #N. Approvals and waivers of a single pull request do not count here.

    #### Why

    - ⛔ \`monthly-increase\`: **+$130.00** per month (limit **+$100.00**)

    Queue fewer of them at once, or have one changed or approved first."
  `);
  world.github.destroyMergeGroup(group.id, "dequeued");
  expect((await queued([first, third])).gate).toBe("success");
});

describe("two pull requests of one workspace", () => {
  /** Both change one resource. */
  const overlapping = async () => {
    const workspace = `workspace-${++workspaces}`;
    const both = [await changing("aws_a.x", CHEAP, workspace), await changing("aws_a.x", HALF, workspace)];
    return { workspace, ...(await queued(both)) };
  };

  it("pass together where they change different resources, and both merge one after the other", async () => {
    const workspace = `workspace-${++workspaces}`;
    const [first, second] = [
      await changing("aws_a.x", CHEAP, workspace),
      await changing("aws_a.y", HALF, workspace),
    ];
    const ahead = await queued([first]);
    const behind = await queued([second]);
    expect([ahead.gate, behind.gate]).toEqual(["success", "success"]);
    expect(behind.output.summary).toContain("+$70.00 per month (+700%)");
    for (const { group } of [ahead, behind]) {
      world.github.destroyMergeGroup(group.id, "merged");
      await world.settles();
    }
    for (const pull of [first, second]) expect(world.github.pullRequest(pull).mergedAt).not.toBeNull();
  });

  it("wait ten minutes for a plan of the group where they change one resource, and then fail with its name", async () => {
    const { group, gate, output } = await overlapping();
    expect([gate, output.title]).toEqual(["in_progress", "Waiting for the plan of the merge group"]);
    await world.timePasses(11 * 60_000);
    expect(world.gate(group)).toBe("failure");
    expect(world.checkOf(group).output.title).toBe("Undecided: changes of 1 workspace overlap");
    expect(plain(world.checkOf(group).output.summary).replace(/workspace-\d+/, "W")).toMatchInlineSnapshot(`
      "Each of these passed by itself, but their plans of one workspace have no sum: they change the same part of it, or not all that they change is known. Unknown costs never pass.

      - \`W\`: #N, #N change \`aws_a.x\`

      Merge them one after the other, each planned again on top of the one before. Where CI plans merge groups, the plan of the group decides."
    `);
  });

  it("pass and both merge after the group was planned, which the check waits for", async () => {
    const { group, workspace } = await overlapping();
    const run = { sha: group.headSha, workspace, changes: [], executionId: `group-${workspace}` };
    await world.ci.runs({ ...run, status: null, bind: "status" });
    await world.timePasses(40 * 60_000);
    expect(world.gate(group)).toBe("in_progress");
    await world.ci.runs({ ...run, cost: HALF, bind: "status" });
    await world.settles();
    expect(world.gate(group)).toBe("success");
    expect(plain(world.checkOf(group).output.summary)).toContain("Planned together, #N, #N stay within");
    world.github.destroyMergeGroup(group.id, "merged");
    for (const number of group.numbers)
      expect(world.github.pullRequest({ ...group, number }).mergedAt).not.toBeNull();
  });

  it.each([
    [
      "the plan of the group is too much",
      { cost: EXPENSIVE },
      "Blocked: the plan of the merge group is too much",
    ],
    ["the plan of the group fails", { status: "failure" }, "Undecided: the plan of the merge group failed"],
  ] as const)("fail where %s", async (_, run, title) => {
    const { group, workspace } = await overlapping();
    await world.ci.runs({ sha: group.headSha, workspace, changes: [], ...run });
    await world.settles();
    expect([world.gate(group), world.checkOf(group).output.title]).toEqual(["failure", title]);
  });

  it("fail where the plan of the group does not end within fifty minutes", async () => {
    const { group, workspace } = await overlapping();
    await world.ci.runs({ sha: group.headSha, workspace, status: null, bind: "status" });
    await world.timePasses(51 * 60_000);
    expect(world.checkOf(group).output.title).toBe("Undecided: the merge group was not planned in time");
  });

  it("do not pass by a plan that only an untrusted status names", async () => {
    world.github.createOwner({ login: "stranger", type: "user" });
    const { group, workspace } = await overlapping();
    const executionId = await world.ci.runs({
      sha: group.headSha,
      workspace,
      cost: CHEAP,
      changes: [],
      bind: "none",
    });
    world.ci.posts({ sha: group.headSha, executionId, state: "success", creator: "stranger" });
    await world.settles();
    expect(world.gate(group)).toBe("in_progress");
  });

  it("of which one was merged hold the other until it is planned again, where both change one resource", async () => {
    const workspace = `workspace-${++workspaces}`;
    const [first, second, other] = [
      await changing("aws_a.x", CHEAP, workspace),
      await changing("aws_a.x", HALF, workspace),
      await changing("aws_a.y", HALF, workspace),
    ];
    world.github.destroyMergeGroup((await queued([first])).group.id, "merged");
    await world.settles();
    const held = await queued([second]);
    expect(held.gate).toBe("in_progress");
    await world.timePasses(11 * 60_000);
    expect(world.gate(held.group)).toBe("failure");
    expect(plain(world.checkOf(held.group).output.summary)).toContain(
      "#N, #N change `aws_a.x`; merged since the others were planned: #N",
    );
    world.github.destroyMergeGroup(held.group.id, "dequeued");
    const apart = await queued([other]);
    expect(apart.gate).toBe("success");
    world.github.destroyMergeGroup(apart.group.id, "dequeued");
    const changes = [{ address: "aws_a.x", change: "changed" }] as const;
    await world.ci.runs({
      sha: second.headSha,
      workspace,
      cost: HALF,
      changes,
      executionId: `again-${workspace}`,
    });
    await world.settles();
    expect((await queued([second])).gate).toBe("success");
  });
});

it("a group is held where one was merged since at a head that was never evaluated", async () => {
  const workspace = `workspace-${++workspaces}`;
  const [first, second] = [
    await changing("aws_a.x", CHEAP, workspace),
    await changing("aws_a.y", CHEAP, workspace),
  ];
  world.github.deliveries.drop({ event: "pull_request" });
  world.github.deliveries.drop({ event: "push" });
  world.github.push({
    repository: REPOSITORY,
    branch: first.headRef,
    files: { "infra/more.tf": "# more\n" },
  });
  world.github.deliveries.clearFaults();
  world.github.mergePullRequest(world.github.pullRequest(first));
  await world.settles();
  const { group } = await queued([second]);
  await world.timePasses(11 * 60_000);
  expect(plain(world.checkOf(group).output.summary)).toContain("#N, #N, and not all changes of #N are known");
});

it("a group is held where what was merged since brings what is paid above a total", async () => {
  const onMain = (text: string) =>
    world.github.push({ repository: REPOSITORY, branch: "main", files: { ".github/tollgate.yml": text } });
  onMain(`${POLICY}  - { id: paid, limit: { total: 120 USD } }\n`);
  await world.settles();
  const [first, second] = [0, 1].map(() => world.opensPullRequest());
  if (first === undefined || second === undefined) throw new Error("two were opened");
  opened.push(first, second);
  for (const { headSha: sha, number } of [first, second]) {
    const changes = [{ address: `aws_a.n${number}`, change: "changed" }] as const;
    await world.ci.runs({ sha, workspace: "paid", cost: HALF, changes, executionId: `paid-${number}` });
  }
  await world.settles();
  const ahead = await queued([first]);
  expect(ahead.gate).toBe("success");
  world.github.destroyMergeGroup(ahead.group.id, "merged");
  await world.settles();
  const { gate, output } = await queued([second]);
  expect([gate, output.title]).toEqual(["failure", "Blocked: too much with what was merged since"]);
  expect(plain(output.summary)).toContain("count what was merged since these were planned, too: #N.");
  onMain(POLICY);
});

it("the plan of a group decides about one pull request that passes alone", async () => {
  const pull = await evaluated(CHEAP, "alone");
  const { group, gate } = await queued([pull]);
  await world.ci.runs({ sha: group.headSha, workspace: "alone", cost: EXPENSIVE, changes: [] });
  await world.settles();
  expect([gate, world.gate(group)]).toEqual(["success", "failure"]);
});

it("a group that only the sum holds is held from the first day of its rule on", async () => {
  const first = new Date(Date.now() + DAY).toISOString().slice(0, 10);
  const announced = POLICY.replace("100 USD }", `100 USD }, enforce_from: ${first}`);
  const onMain = (text: string) =>
    world.github.push({ repository: REPOSITORY, branch: "main", files: { ".github/tollgate.yml": text } });
  onMain(announced);
  const pulls = [await evaluated(HALF), await evaluated(HALF)];
  await world.timePasses(Date.parse(first) - Date.now() - 60_000);
  const { group, gate } = await queued(pulls);
  expect(gate).toBe("success");
  await world.timePasses(65_000);
  expect(world.gate(group)).toBe("failure");
  onMain(POLICY);
});

it("the sweep evaluates a merge group whose delivery was lost, on any base branch", async () => {
  const files = { ".github/tollgate.yml": POLICY };
  world.github.push({ repository: REPOSITORY, branch: "release/pr-1", files });
  await world.settles();
  for (const base of ["main", "release/pr-1"]) {
    const pull = world.opensPullRequest({ base });
    opened.push(pull);
    await world.ci.runs({ sha: pull.headSha, cost: CHEAP, changes: [] });
    await world.settles();
    world.github.deliveries.drop({ event: "merge_group" });
    const group = world.github.addToMergeQueue([pull]);
    groups.push(group.id);
    await world.settles();
    world.github.deliveries.clearFaults();
    expect(world.gate(group, `tollgate: ${base}`)).toBe(null);
    await sweeps();
    expect(world.gate(group, `tollgate: ${base}`)).toBe("success");
  }
});

it("the sweep evaluates a merge group that was saved and never enqueued", async () => {
  const pull = await evaluated(CHEAP);
  world.github.deliveries.drop({ event: "merge_group" });
  const group = world.github.addToMergeQueue([pull]);
  groups.push(group.id);
  await world.settles();
  world.github.deliveries.clearFaults();
  const row = {
    repository_id: group.repositoryId,
    head_sha: group.headSha,
    head_ref: group.headRef.replace("refs/heads/", ""),
    base_ref: "main",
  };
  await saveMergeGroup(world.bot.session.store.db, row, new Date());
  await sweeps();
  expect(world.gate(group)).toBe("success");
});

it("a group that is given up while it is evaluated leaves no error and nothing open", async () => {
  const pulls = [await evaluated(CHEAP), await evaluated(CHEAP)];
  const group = world.github.addToMergeQueue(pulls);
  world.github.destroyMergeGroup(group.id, "invalidated");
  await world.settles();
  expect([null, "success", "failure"]).toContain(world.gate(group));
});

it("a group whose pull requests cannot be read gets its answer, which is no", async () => {
  const pull = await evaluated(CHEAP);
  world.github.faults.add({ kind: "status", status: 502, times: 100, match: { path: /graphql$/ } });
  const { gate, output } = await queued([pull]);
  expect(gate).toBe("failure");
  expect(output.title).toBe("Undecided: the merge group could not be read");
  world.github.faults.clear();
});

it("a verdict made under another policy does not carry a group", async () => {
  const pull = await evaluated(CHEAP);
  world.github.deliveries.drop({ event: "push" });
  world.github.push({
    repository: REPOSITORY,
    branch: "main",
    files: { ".github/tollgate.yml": POLICY.replace("100", "5") },
  });
  world.github.deliveries.clearFaults();
  expect((await queued([pull])).gate).toBe("failure");
});

it("a group waits for pull requests that are evaluated again by a new policy, and passes when they pass again", async () => {
  const pull = await evaluated(CHEAP);
  world.github.deliveries.drop({ event: "push" });
  world.github.push({
    repository: REPOSITORY,
    branch: "main",
    files: { ".github/tollgate.yml": POLICY.replace("100", "90") },
  });
  world.github.deliveries.clearFaults();
  expect((await queued([pull])).gate).toBe("success");
});

it("a policy that changes under a queued group is asked, and a stumble of GitHub does not eject the group", async () => {
  const pull = await evaluated(HALF);
  const { group, gate } = await queued([pull]);
  expect(gate).toBe("success");
  await world.timePasses(10 * 60_000);
  world.github.faults.add({ kind: "status", status: 502, times: 3, match: { path: /graphql$/ } });
  const files = { ".github/tollgate.yml": POLICY.replace("100", "80") };
  world.github.push({ repository: REPOSITORY, branch: "main", files });
  await world.settles();
  world.github.faults.clear();
  expect(world.gate(group)).toBe("success");
  const strict = { ".github/tollgate.yml": POLICY.replace("100", "20") };
  world.github.push({ repository: REPOSITORY, branch: "main", files: strict });
  await world.settles();
  expect(world.gate(group)).toBe("failure");
});

describe("where two branches share the name of a check", () => {
  const NAMED = `${POLICY}check_names:
  - { branch: main, name: cost gate }
  - { branch: stable, name: cost gate }
`;
  const requires = (branch: string) =>
    world.github.protectBranch({
      repository: REPOSITORY,
      branch,
      requiredChecks: [{ context: "cost gate", appId: world.appId }],
    });
  const planned = (base: string, cost: typeof CHEAP) => evaluated(cost, undefined, base);
  beforeAll(async () => {
    for (const branch of ["main", "stable"]) {
      world.github.push({ repository: REPOSITORY, branch, files: { ".github/tollgate.yml": NAMED } });
      requires(branch);
    }
    await world.settles();
  });
  afterAll(async () => {
    for (const branch of ["main", "stable"])
      world.github.protectBranch({ repository: REPOSITORY, branch, requiredChecks: [] });
    world.github.push({ repository: REPOSITORY, branch: "main", files: { ".github/tollgate.yml": POLICY } });
    await world.settles();
  });

  it.each([
    [
      "a branch that looks like the queue's does not make an expensive head pass",
      CHEAP,
      EXPENSIVE,
      "failure",
    ],
    ["a branch that looks like the queue's does not make a passing head fail", EXPENSIVE, CHEAP, "success"],
  ] as const)("%s", async (...[, ofQueued, ofVictim, check]) => {
    const inQueue = await planned("stable", ofQueued);
    const victim = await planned("main", ofVictim);
    groups.push(world.github.addToMergeQueue([inQueue]).id);
    await world.settles();
    expect(world.gate(victim, "cost gate")).toBe(check);
    const branch = `gh-readonly-queue/stable/pr-${inQueue.number}-${"a".repeat(40)}`;
    world.github.moveBranch({ repository: REPOSITORY, branch, sha: victim.headSha });
    await sweeps();
    expect(world.gate(victim, "cost gate")).toBe(check);
    world.github.deleteBranch({ repository: REPOSITORY, branch });
  });

  it("a group has an answer, which is no, where GitHub does not tell what its base branch requires", async () => {
    const pull = await planned("stable", CHEAP);
    world.github.faults.add({
      kind: "status",
      status: 502,
      times: 100,
      match: { path: /\/branches\/stable$/ },
    });
    const group = world.github.addToMergeQueue([pull]);
    groups.push(group.id);
    await world.settles();
    world.github.faults.clear();
    const [check] = world.github.checkRuns({
      repository: REPOSITORY,
      sha: group.headSha,
      appId: world.appId,
    });
    expect(check).toMatchObject({ name: "cost gate", conclusion: "failure" });
    expect(check?.output.title).toBe("Undecided: the merge group could not be read");
  });
});

describe("a group whose check the organisation renames", () => {
  const named = (name: string) => `version: 1\ncheck_names:\n  - { branch: main, name: ${name} }\n`;
  const ofOrganisation = async (text: string) => {
    world.github.push({ repository: "acme/.github", branch: "main", files: { "tollgate.yml": text } });
    await world.settles();
  };
  beforeAll(async () => {
    const files = { ".github/tollgate.yml": POLICY };
    world.github.push({ repository: REPOSITORY, branch: "main", files });
    const requiredChecks = ["cost", "cost of main", "price"].map((context) => ({ context, appId: null }));
    world.github.protectBranch({ repository: REPOSITORY, branch: "main", requiredChecks });
    const own = { "tollgate.yml": named("cost") };
    world.github.createRepository({ owner: "acme", name: ".github", files: own });
    await world.settles();
  });

  it("fails under the name that it had, also when the policy cannot be used", async () => {
    const { group } = await queued([await evaluated(CHEAP)]);
    const gates = () => ["cost", "cost of main", "tollgate: main"].map((name) => world.gate(group, name));
    expect(gates()).toEqual(["success", null, null]);
    await ofOrganisation(named("cost of main"));
    expect(gates()).toEqual(["failure", "success", null]);
    await ofOrganisation("version: 1\nrules: everything is allowed\n");
    expect(gates()).toEqual(["failure", "failure", null]);
    await ofOrganisation(named("cost"));
    expect(gates()).toEqual(["success", "failure", null]);
  });

  it("fails under the name that it had a quarter of an hour later, when GitHub refused it", async () => {
    const { group } = await queued([await evaluated(CHEAP)]);
    const path = new RegExp(`/check-runs/${world.checkOf(group).id}$`);
    world.github.faults.add({ kind: "status", status: 403, times: 1_000, match: { method: "PATCH", path } });
    await ofOrganisation(named("price"));
    expect(world.gate(group, "price")).toBe("success");
    expect(world.gate(group, "cost")).toBe("success");
    world.github.faults.clear();
    await world.timePasses(15 * 60_000 + 1_000);
    expect(world.gate(group, "cost")).toBe("failure");
  });
});
