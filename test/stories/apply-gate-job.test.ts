import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { SandboxPull } from "../../sandbox/state/records.ts";
import { runAction } from "../../src/action/run-action.ts";
import { verifyCommand } from "../../src/cli/commands/verify.ts";
import { type Ended, typed } from "../cli/run-command.ts";
import { planOf } from "../plan-files/plan-builder.ts";
import { type CiWorld, createCiWorld, estimateOf } from "../world/ci-job.ts";
import { REPOSITORY } from "../world/places.ts";

const POLICY = "version: 1\nrules:\n  - { id: growth, limit: { increase: 100 USD } }\n";

const SERVER = { address: "aws_instance.server", actions: ["update"] };
const DELETED = { address: "cloud_disk.data", actions: ["delete"] };
const INVOKED = { address: "action.a.b", type: "a", name: "b" };
/** Everything that a plan does to a resource, and what is no action. */
const EVERY = [
  SERVER,
  DELETED,
  { address: "cloud_disk.new" },
  { address: "cloud_disk.again", actions: ["delete", "create"] },
  { address: 'cloud_disk.kept["a"]', actions: ["forget"] },
  { address: "module.web[0].cloud_disk.own", actions: ["update"], importing: { id: "d-1" } },
  { address: "cloud_disk.old", deposed: "ab12", actions: ["delete"] },
  { address: "cloud_disk.moved", previous_address: "cloud_disk.was", actions: ["no-op"] },
  { address: "data.cloud_disk.read", mode: "data", actions: ["read"] },
];

let world: CiWorld;
beforeAll(async () => {
  world = await createCiWorld(POLICY);
});
afterAll(() => world.ends());

/** The plan and the estimate of the workspace production. */
const files = (changes: readonly object[], change = "10") => [
  ...["--workspace", "production", "--plan", world.file(planOf(...changes))],
  ...["--infracost", world.file(estimateOf(change))],
];

/** A pull request whose job evaluated the change of the server, merged. */
async function merges(
  change = "10",
  changes: readonly object[] = [SERVER],
  method: "merge" | "squash" | "rebase" = "merge",
): Promise<SandboxPull & { readonly sha: string }> {
  const pull = world.opens();
  await world.job(pull, { files: files(changes, change) });
  const merged = world.github.mergePullRequest(pull, undefined, method);
  return { ...merged, sha: merged.mergeCommitSha ?? expect.fail("it was not merged") };
}

/** The environment of a job that applies. */
const startsJob = async (environment: Readonly<Record<string, string>>) => ({
  GITHUB_REPOSITORY: REPOSITORY,
  GITHUB_API_URL: `${world.github.url}/api/v3`,
  GITHUB_TOKEN: await world.github.issueJobToken({
    repository: REPOSITORY,
    permissions: { checks: "read", "pull-requests": "read" },
  }),
  ...environment,
});

/** A job after the merge that verifies the files before it applies them. */
async function verifies(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ended> {
  const job = await startsJob(environment);
  const row = { name: "verify", summary: "", load: async () => verifyCommand(() => job) };
  return typed(["verify", ...words], [row]);
}

describe("without a server, the apply gate accepts the evaluated plan alone", () => {
  it("of a merge commit, a squash, a rebase, of an open head, with the estimate and without", async () => {
    const { sha } = await merges("10", EVERY);
    const same = await verifies(files(EVERY), { GITHUB_SHA: sha });
    expect(same).toEqual({
      code: 0,
      messages: [],
      results: "production: the apply does at most what was evaluated (#1)",
    });
    const unpriced = await verifies(files(EVERY.toReversed()).slice(0, 4), { GITHUB_SHA: sha });
    expect(unpriced).toMatchObject({ code: 0, results: expect.stringContaining("cost is not compared") });

    for (const method of ["squash", "rebase"] as const) {
      const one = await merges("10", [SERVER], method);
      expect(await verifies(files([SERVER]), { GITHUB_SHA: one.sha })).toMatchObject({ code: 0 });
    }

    const open = world.opens();
    await world.job(open, { files: files([SERVER]) });
    const atHead = [...files([SERVER]), "--sha", open.headSha, "--base"];
    expect(await verifies([...atHead, "main"], {})).toMatchObject({ code: 0 });
    const other = await verifies([...atHead, "prod"], {});
    const anotherBranch = { code: 3, results: expect.stringContaining("another branch") };
    expect(other).toMatchObject(anotherBranch);
    const pushed = (branch: string) =>
      verifies(files([SERVER]), {
        GITHUB_SHA: open.headSha,
        GITHUB_EVENT_NAME: "push",
        GITHUB_REF: `refs/heads/${branch}`,
      });
    expect(await pushed("main")).toMatchObject({ code: 0 });
    expect(await pushed("prod")).toMatchObject(anotherBranch);
  });

  it.each<[string, () => readonly string[], RegExp]>([
    ["one more action", () => files([SERVER, DELETED]), /is not the evaluated one/],
    [
      "an action that is invoked",
      () => files([SERVER]).with(3, world.file({ ...planOf(SERVER), action_invocations: [INVOKED] })),
      /is not the evaluated one/,
    ],
    ["another cost", () => files([SERVER], "11"), /is not the evaluated one/],
    ["another workspace", () => files([SERVER]).with(1, "staging"), /no digest of a plan of this workspace/],
    [
      "a plan that failed",
      () => files([SERVER]).with(3, world.file({ ...planOf(SERVER), errored: true })),
      /incomplete/,
    ],
  ])("and refuses %s", async (_, found, because) => {
    const { sha } = await merges();
    const ended = await verifies(found(), { GITHUB_SHA: sha });
    expect(ended).toMatchObject({ code: 3, results: expect.stringMatching(because) });
  });

  it("and refuses a commit without a pull request and one below the head, a merge over a failing check, and a check that two Apps wrote", async () => {
    const { after: pushed } = world.github.push({
      repository: REPOSITORY,
      branch: "main",
      files: { a: "a\n" },
    });
    const alone = await verifies(files([SERVER]), { GITHUB_SHA: pushed });
    expect(alone).toMatchObject({ code: 3, results: expect.stringContaining("No evaluated pull request") });

    const open = world.opens();
    const { headRef: branch, headSha: older } = open;
    world.github.push({ repository: REPOSITORY, branch, files: { "infra/more.tf": "# more\n" } });
    await world.job(open, { files: files([SERVER]) });
    const earlier = await verifies(files([SERVER]), { GITHUB_SHA: older });
    expect(earlier).toMatchObject({ code: 3, results: expect.stringContaining("No evaluated pull request") });

    const { sha: unchecked } = await merges("900");
    const over = await verifies(files([SERVER], "900"), { GITHUB_SHA: unchecked });
    expect(over).toMatchObject({ code: 3, results: expect.stringContaining("merged although its check") });

    const { sha, headSha } = await merges();
    const { id: appId } = await world.github.registerApp({ name: "Mallory" });
    const forged = { name: "tollgate: main", conclusion: "success" } as const;
    world.github.postCheckRun({ repository: REPOSITORY, appId, sha: headSha, ...forged });
    const several = await verifies(files([SERVER]), { GITHUB_SHA: sha });
    expect(several).toMatchObject({ code: 3, results: expect.stringContaining("--app") });
    const named = await verifies([...files([SERVER]), "--app", "github-actions"], { GITHUB_SHA: sha });
    expect(named.code).toBe(0);
  });

  it("and compares no amounts where readers may not see figures", async () => {
    const [before, hidden] = [world, await createCiWorld(POLICY, "public")];
    world = hidden;
    onTestFinished(async () => {
      world = before;
      await hidden.ends();
    });
    const { sha } = await merges();
    const pricier = await verifies(files([SERVER], "90"), { GITHUB_SHA: sha });
    expect(pricier).toMatchObject({ code: 0, results: expect.stringContaining("shows no figures") });
  });

  it("by the Action too, which says in the summary of the step what differs", async () => {
    const { sha } = await merges();
    const summary = world.file("", "apply.md");
    const [, workspace = "", , plan = ""] = files([SERVER, DELETED]);
    const inputs = { INPUT_MODE: "verify", INPUT_WORKSPACE: workspace, INPUT_PLAN: plan, INPUT_BASE: "main" };
    const push = { GITHUB_EVENT_NAME: "push", GITHUB_REF: "refs/heads/prod" };
    const environment = await startsJob({
      GITHUB_SHA: sha,
      GITHUB_STEP_SUMMARY: summary,
      ...inputs,
      ...push,
    });
    const lines: string[] = [];
    const code = await runAction({
      environment,
      print: (line) => lines.push(line),
      changeDirectory: () => {},
    });
    expect([code, lines.at(-1)]).toEqual([
      3,
      expect.stringMatching(/^::error title=Tollgate::It is not known/),
    ]);
    expect(world.read(summary)).toMatch(/Apply gate.*is not the evaluated one/s);
  });
});
