import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { SandboxPull } from "../../sandbox/state/records.ts";
import { type CiWorld, createCiWorld, estimateOf, type JobOptions } from "../world/ci-job.ts";
import { OWNER, REPOSITORY } from "../world/places.ts";

const POLICY = `version: 1
expect:
  - { paths: ["infra/**"], workspaces: [production, staging] }
rules:
  - { id: monthly-increase, limit: { increase: 100 USD }, approve: { permission: write, reviews: true } }
override: { permission: write }
`;

let world: CiWorld;
beforeAll(async () => {
  world = await createCiWorld(POLICY);
  world.github.createTeam({ organisation: OWNER, slug: "finops", members: ["grace", "heidi"] });
  for (const login of ["grace", "heidi"])
    world.github.setCollaborator({ repository: REPOSITORY, login, permission: "write" });
  for (const login of ["mallory", "trent"]) {
    world.github.createOwner({ login, type: "user" });
    world.github.forkRepository({ repository: REPOSITORY, owner: login });
  }
});
afterAll(() => world.ends());

const both = (production: string, staging: string) => [
  ...["--workspace", "production", "--infracost", world.file(estimateOf(production))],
  ...["--workspace", "staging", "--infracost", world.file(estimateOf(staging))],
];
const job = (pull: SandboxPull, options: JobOptions = {}) =>
  world.job(world.github.pullRequest(pull), { files: both("10", "20"), ...options });
const pushes = ({ headRef }: SandboxPull) =>
  world.github.push({ repository: REPOSITORY, branch: headRef, files: { "infra/more.tf": "# more\n" } });

/** A comment and a check run of another workflow, by the same author as ours. */
async function otherWorkflowWrites(pull: SandboxPull): Promise<void> {
  const permissions = { checks: "write", "pull-requests": "write" } as const;
  const token = await world.github.issueJobToken({ repository: REPOSITORY, permissions });
  const post = (path: string, body: object) =>
    fetch(`${world.github.url}/repos/${REPOSITORY}/${path}`, {
      method: "POST",
      headers: { authorization: `token ${token}` },
      body: JSON.stringify(body),
    });
  await post(`issues/${pull.number}/comments`, { body: "coverage: 80 %" });
  const run = { name: "tollgate: main", head_sha: pull.headSha, external_id: "8f3c", status: "queued" };
  await post("check-runs", run);
}

it("CI jobs evaluate a pull request without a server: each ends with its verdict, and updates one check and one comment", {
  timeout: 180_000,
}, async () => {
  const pull = world.opens();
  await otherWorkflowWrites(pull);

  const hidden = await job(pull, { environment: { ORG_POLICY: "read" } });
  expect(hidden).toMatchObject({ code: 2, results: "tollgate: main: failure" });
  expect(hidden.messages.join("\n")).toContain("--organisation-policy none");

  const unread = await job(pull, { files: both("10", "20").with(-1, world.file("no JSON")) });
  expect(unread.code).toBe(2);
  expect(unread.messages[0]).toMatch(/^staging: /);
  expect(world.gate(pull)).toBe("failure");

  expect(await world.job(pull)).toMatchObject({ code: 3, results: "tollgate: main: failure" });
  expect(world.reports(pull)[0]?.split("\n").slice(0, 3)).toMatchInlineSnapshot(`
    [
      "### ❓ Undecided: 1 expected execution is not part of this job",
      "",
      "**To merge:** let the job evaluate plan or estimate of the workspaces below, too. If one is no longer needed, remove it from \`expect\` in \`.github/tollgate.yml\` on \`main\`.",
    ]
  `);

  expect(await job(pull, { files: both("60", "70") })).toMatchObject({ code: 1 });
  expect(world.reports(pull)[0]).toContain("+$130.00 per month");

  const [summary, report] = [world.file("", "summary.md"), world.file("", "report.json")];
  const passes = await job(pull, { words: ["--summary", summary, "--report", report] });
  expect(passes).toMatchObject({ code: 0, results: "tollgate: main: success", messages: [] });
  expect(world.gate(pull)).toBe("success");
  expect(world.reports(pull)).toMatchInlineSnapshot(`
    [
      "### ✅ Passed: +$30.00 per month (+150%)

    Nothing to do. The one rule of the policy is met.

    #### Cost per month

    | Stage | Change | Before | After |
    |:--|--:|--:|--:|
    | \`production\` | +$10.00 | $10.00 | $20.00 |
    | \`staging\` | +$20.00 | $10.00 | $30.00 |
    | **Total** | **+$30.00** | **$20.00** | **$50.00** |

    #### What drives it

    | Change | Resource |
    |--:|:--|
    | +$20.00 | \`aws_instance.server\` in \`staging\`: $10.00 → $30.00 |
    | +$10.00 | \`aws_instance.server\` in \`production\`: $10.00 → $20.00 |

    #### What changes

    Which resources change is not known: the platform has not indexed the execution.

    <sub>Commit \`…\` into \`main\` · Figures from execution \`…\`, execution \`…\` (recorded for this commit) · Rules from \`.github/tollgate.yml\`</sub>

    <!-- tollgate report of pull request 1 of repository 812340001 -->",
    ]
  `);
  expect(world.read(summary)).toContain("Passed: +$30.00 per month");
  expect(JSON.parse(world.read(report))).toMatchObject({
    ...{ pull_request: pull.number, check: "tollgate: main", conclusion: "success" },
    ...{ verdict: { kind: "pass" }, report: { totals: [{ currency: "USD", change: "30" }] } },
  });
  expect(world.github.comments(pull).map(({ body }) => body.split("\n")[0])).toEqual([
    "coverage: 80 %",
    expect.stringContaining("Passed"),
  ]);
  const runs = world.github.checkRuns({ repository: REPOSITORY, sha: pull.headSha });
  expect(runs.map(({ status }) => status)).toEqual(["completed", "queued"]);
});

it("a CI job evaluates each plan of a folder; one that cannot be read, and one that failed, hold the merge", async () => {
  const pull = world.opens();
  const folder = join(world.directory, "plans");
  const server = { address: "aws_instance.server", mode: "managed", type: "aws_instance", name: "server" };
  const plan = {
    format_version: "1.2",
    resource_changes: [{ ...server, change: { actions: ["update"], before: {}, after: {} } }],
  };
  const run = async (staging: object | string) => {
    for (const unit of ["production", "staging"]) mkdirSync(join(folder, unit), { recursive: true });
    world.file(plan, "plans/production/tfplan.json");
    world.file(staging, "plans/staging/tfplan.json");
    const { code, messages } = await job(pull, { files: ["--plan", folder, "--infracost", costs] });
    return [code, ...messages];
  };
  const { projects } = estimateOf("10");
  const costs = world.file({
    ...estimateOf("30"),
    ...{ pastTotalMonthlyCost: "20", totalMonthlyCost: "50" },
    projects: [...projects, ...estimateOf("20", "staging").projects],
  });
  expect(await run("no JSON")).toEqual([
    2,
    expect.stringContaining(`staging: ${folder}/staging/tfplan.json is not JSON`),
    expect.stringContaining("cost unknown"),
    "monthly-increase: undecided",
  ]);
  expect(world.gate(pull)).toBe("failure");
  expect((await run({ ...plan, errored: true }))[0]).toBe(3);
  expect(world.gate(pull)).toBe("failure");
  expect(await run(plan)).toEqual([0]);
  expect(world.reports(pull)[0]).toContain("| `staging` | +$20.00 |");
  expect(world.reports(pull)[0]).toContain("Resources: **2** changed.");
});

it("CI jobs read approvals from the pull request each time: what was revoked, dismissed, edited or written for another commit does not count", {
  timeout: 180_000,
}, async () => {
  const pull = world.opens();
  const run = async () => (await job(pull, { files: both("250", "250") })).results;
  const says = (by: string, body: string) => world.github.addComment(pull, { by, body });
  const answers = () =>
    world.github
      .comments(pull)
      .filter(({ body }) => body.includes("<!-- tollgate answer"))
      .map(({ body }) => body.split(":")[0]);
  const approve = `/tollgate approve ${pull.headSha} up to 600 USD load test`;
  const [HELD, OPEN] = ["tollgate: main: action_required", "tollgate: main: success"];

  says("grace", approve);
  await new Promise((resolve) => setTimeout(resolve, 1_100)); // GitHub's times are whole seconds
  expect(await run()).toBe(HELD); // nobody had been shown the findings

  says("heidi", `/tollgate override ${pull.headSha} the site is down`);
  says("heidi", `/tollgate approve ${pull.headSha} up to 20 USD too little`);
  const approval = says("grace", approve);
  expect(await run()).toBe(OPEN);
  expect(world.github.reactions(approval.id).map(({ content }) => content)).toEqual(["+1"]);
  expect(world.reports(pull)[0]).toContain("grace");
  const refused = ["Not approved", "Not overridden", "Not approved"];
  expect(answers()).toEqual(refused);

  expect(await run()).toBe(OPEN);
  expect(answers()).toEqual(refused);

  const revocation = says("grace", "/tollgate revoke");
  const edited = says("heidi", "I look at it");
  world.github.editComment(edited.id, { body: approve, by: "heidi" });
  expect(await run()).toBe(HELD);

  world.github.editComment(revocation.id, { body: "/tollgate revoke ", by: "heidi" });
  const review = world.github.review(pull, { by: "heidi", state: "approved", body: "up to 600 USD" });
  expect(await run()).toBe(OPEN);
  world.github.dismissReview(review.id);
  expect(await run()).toBe(HELD);

  says("heidi", approve);
  pushes(pull);
  expect(await run()).toBe(HELD);
  expect(world.reports(pull)).toHaveLength(1);
});

it("a CI job of a pull request above another one in a stack does not pass: it knows no verdict on the lower one", async () => {
  const lower = world.opens();
  const head = "above";
  const files = { "infra/above.tf": "#\n" };
  world.github.push({ repository: REPOSITORY, branch: head, from: lower.headRef, files });
  const above = world.github.openPullRequest({
    repository: REPOSITORY,
    base: lower.headRef,
    head,
    title: "Above",
  });
  world.github.createStack([lower, above]);
  const ended = await job(above);
  expect(ended.code).not.toBe(0);
  expect(world.gate(above)).not.toBe("success");
});

it("two CI jobs at once leave one comment and one conclusion", async () => {
  const pull = world.opens({ draft: true });
  const ended = await Promise.all([0, 1].map(() => job(pull)));
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  expect(world.reports(pull)).toHaveLength(1);
  expect(world.gate(pull)).toBe("success");
});

it("a CI job takes files of the test merge for those of its head, says of which commit an estimate was, and publishes nothing once there is another head", async () => {
  const pull = world.opens();
  const merge = world.github.testMerge(pull) ?? "";
  const other = world.file({ ...estimateOf("10"), metadata: { vcsCommitSha: "f".repeat(40) } });
  const files = both("10", "20").with(3, other);
  const ended = await job(pull, { files, words: ["--sha", merge, "--json"] });
  expect(ended.code).toBe(0);
  const { stages } = JSON.parse(ended.results).report;
  expect(stages.map(({ notices }: { notices: readonly string[] }) => notices)).toEqual([
    [expect.stringMatching(/^it was made at commit ffffffff, and the head is /)],
    [],
  ]);
  pushes(pull);
  const late = await job(pull, { words: ["--sha", merge] });
  expect(late).toMatchObject({ code: 3, results: expect.stringContaining("has another head") });
  expect(world.gate(world.github.pullRequest(pull))).toBeNull();
});

it("a CI job for a fork, whose token only reads, prints the verdict, names what it may not write, and writes nothing", async () => {
  const pull = world.opens({ fork: "mallory" });
  const permissions = { checks: "read", contents: "read", "pull-requests": "read" } as const;
  const ended = await job(pull, { permissions, files: both("250", "250") });
  expect(ended).toMatchObject({ code: 2, results: "tollgate: main: action_required" });
  for (const words of ["it lacks `checks: write`", "it lacks `pull-requests: write`", "docs/ci/forks.md"])
    expect(ended.messages.join("\n")).toContain(words);
  expect(world.gate(pull)).toBeNull();
  expect(world.reports(pull)).toEqual([]);
});

it("a CI job that follows a fork's workflow finds the pull request by its head and writes the check", async () => {
  const pull = world.opens({ fork: "trent" });
  const { headSha, headRef, headRepositoryId } = world.github.pullRequest(pull);
  const ended = await job(pull, {
    event: "workflow_run",
    payload: {
      workflow_run: {
        head_sha: headSha,
        head_branch: headRef,
        head_repository: { id: headRepositoryId, owner: { login: "trent" } },
        repository: { id: world.repositoryId },
        pull_requests: [],
      },
    },
  });
  expect(ended).toMatchObject({ code: 0, messages: [] });
  expect(world.gate(pull)).toBe("success");
});

it("a CI job of a public repository, whose log everybody reads, prints no figures", async () => {
  const open = await createCiWorld(POLICY, "public");
  try {
    const ended = await open.job(open.opens({ files: { "infra/a.tf": "#\n" } }), {
      change: "537.31",
      words: ["--json"],
    });
    expect(JSON.stringify(ended)).not.toMatch(/5[34]7\.31/);
    expect(JSON.parse(ended.results)).toMatchObject({ conclusion: "failure", report: null });
  } finally {
    await open.ends();
  }
});

it("the policy that the page for GitHub Actions shows blocks a rise in a CI job, and somebody with its permission approves there", async () => {
  const page = readFileSync(new URL("../../docs/ci/github-actions.md", import.meta.url), "utf8");
  const starter =
    /```yaml\n(version: 1\n[\s\S]*?)```/.exec(page)?.[1] ?? expect.fail("the page shows no policy");
  const world = await createCiWorld(starter);
  onTestFinished(() => world.ends());
  const access = { grace: "write", olga: "maintain" } as const;
  for (const [login, permission] of Object.entries(access)) {
    world.github.createOwner({ login, type: "user" });
    world.github.setCollaborator({ repository: REPOSITORY, login, permission });
  }
  const pull = world.opens();
  const server = { address: "aws_instance.server", mode: "managed", type: "aws_instance", name: "server" };
  const updates = { ...server, change: { actions: ["update"], before: {}, after: {}, after_unknown: {} } };
  const plan = world.file({ format_version: "1.2", resource_changes: [updates] });
  const run = async (change = "537.31") => {
    const files = [
      "--workspace",
      "production",
      "--plan",
      plan,
      "--infracost",
      world.file(estimateOf(change)),
    ];
    return (await world.job(pull, { files })).results;
  };
  expect(await run("10")).toBe("tollgate: main: success");
  expect(await run()).toBe("tollgate: main: action_required");
  for (const [by, conclusion] of [
    ["grace", "action_required"],
    ["olga", "success"],
  ] as const) {
    world.github.addComment(pull, { by, body: `/tollgate approve ${pull.headSha} up to 600 USD load test` });
    expect(await run()).toBe(`tollgate: main: ${conclusion}`);
  }
});

it("jobs evaluate a merge group by its own plan: its pull requests passed in their jobs, and an approval holds up to its amount", {
  timeout: 180_000,
}, async () => {
  const permissions = {
    checks: "write",
    contents: "read",
    "pull-requests": "write",
    "merge-queues": "read",
  } as const;
  const pulls = [world.opens(), world.opens()];
  for (const pull of pulls) expect(await job(pull)).toMatchObject({ code: 0 });
  const group = world.github.addToMergeQueue(pulls);
  const merge_group = { head_sha: group.headSha, head_ref: group.headRef, base_ref: group.baseRef };
  const ofGroup = (production: string, more: JobOptions = {}) =>
    world.job(pulls[0] as SandboxPull, {
      ...{ event: "merge_group", payload: { merge_group }, permissions, files: both(production, "20") },
      ...more,
    });

  const refused = await ofGroup("20", {
    permissions: { ...permissions, "merge-queues": undefined } as never,
  });
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.messages.join("\n")).toContain("lacks `merge-queues: read`");
  expect(await ofGroup("20", { files: both("20", "20").slice(0, 4) })).toMatchObject({ code: 1 });
  expect(world.gate(group)).toBe("failure");
  expect(await ofGroup("20")).toMatchObject({ code: 0, results: "tollgate: main: success" });
  expect(world.gate(group)).toBe("success");
  expect(await ofGroup("200")).toMatchObject({ code: 1, results: "tollgate: main: failure" });
  world.github.destroyMergeGroup(group.id, "dequeued");

  const pull = world.opens();
  const run = () => job(pull, { files: both("200", "20") });
  expect(await run()).toMatchObject({ code: 1 });
  await new Promise((resolve) => setTimeout(resolve, 1_100)); // GitHub's times are whole seconds
  const body = `/tollgate approve ${pull.headSha} up to 230 USD load test`;
  world.github.addComment(pull, { by: "grace", body });
  expect(await run()).toMatchObject({ code: 0 });
  const alone = world.github.addToMergeQueue([pull]);
  const ofAlone = {
    payload: { merge_group: { ...merge_group, head_sha: alone.headSha, head_ref: alone.headRef } },
  };
  expect(await ofGroup("210", ofAlone)).toMatchObject({ code: 0, results: "tollgate: main: success" });
  expect(await ofGroup("211", ofAlone)).toMatchObject({ code: 1, results: "tollgate: main: failure" });
  world.github.destroyMergeGroup(alone.id, "dequeued");
});

it("a job that evaluates a merge group knows code owners: who of them approved, and who of them requests changes since", {
  timeout: 180_000,
}, async () => {
  const world = await createCiWorld(`version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD }, approve: { codeowners: true, objections: block } }
`);
  onTestFinished(() => world.ends());
  for (const login of ["grace", "heidi"]) {
    world.github.createOwner({ login, type: "user" });
    world.github.setCollaborator({ repository: REPOSITORY, login, permission: "write" });
  }
  const files = { CODEOWNERS: "/infra/ @grace @heidi\n" };
  world.github.push({ repository: REPOSITORY, branch: "main", files });
  const permissions = {
    checks: "write",
    contents: "read",
    "pull-requests": "write",
    "merge-queues": "read",
  } as const;
  const pull = world.opens();
  expect(await world.job(pull, { change: "200" })).toMatchObject({ code: 1 });
  await new Promise((resolve) => setTimeout(resolve, 1_100)); // GitHub's times are whole seconds
  world.github.addComment(pull, {
    by: "grace",
    body: `/tollgate approve ${pull.headSha} up to 230 USD load test`,
  });
  expect(await world.job(pull, { change: "200" })).toMatchObject({ code: 0 });
  const group = world.github.addToMergeQueue([pull]);
  const merge_group = { head_sha: group.headSha, head_ref: group.headRef, base_ref: group.baseRef };
  const ofGroup = async () => {
    const of = { event: "merge_group", payload: { merge_group }, permissions, change: "210" };
    return (await world.job(pull, of)).results;
  };
  expect(await ofGroup()).toBe("tollgate: main: success");
  world.github.review(pull, { by: "heidi", state: "changes_requested" });
  expect(await ofGroup()).toBe("tollgate: main: failure");
  world.github.destroyMergeGroup(group.id, "dequeued");
});
