import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { findEvaluation } from "../../src/store/evaluations.ts";
import { createSimulatedWorld, type SimulatedWorld as World } from "../simulation/simulated-world.ts";
import type { FoundingOptions } from "../world/base-world.ts";
import { CHEAP, EXPENSIVE, LAX, STRICT } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";

const MINUTE = 60_000;
const CREATE = { method: "POST", path: /\/check-runs$/ };
const UPDATE = { method: "PATCH", path: /\/check-runs\/\d+$/ };
const REFUSALS = [
  { status: 404, message: "Not Found" },
  { status: 403, message: "Resource not accessible by integration" },
  { status: 422, message: "Validation Failed" },
];

async function opens(options: FoundingOptions = {}): Promise<World> {
  const world = await createSimulatedWorld({ policy: STRICT, ...options });
  onTestFinished(() => world.ends());
  return world;
}

test.each(REFUSALS)("a single $status to a check costs a moment, and no check", async (answer) => {
  const world = await opens();
  const pull = world.opensPullRequest();
  world.github.faults.add({ kind: "status", ...answer, match: CREATE });
  await world.plans(pull, EXPENSIVE);
  expect(world.gate(pull)).toBe("failure");
  world.github.faults.add({ kind: "status", ...answer, match: UPDATE });
  await world.plans(pull, CHEAP);
  expect(world.gate(pull)).toBe("success");
  expect(world.github.faults.hits()).toBe(2);
});

test("a refusal of every check for a while costs no check: the sweep writes it when that ends", async () => {
  const world = await opens();
  const [created, updated] = [world.opensPullRequest(), world.opensPullRequest()];
  await world.plans(updated, CHEAP);
  expect(world.gate(updated)).toBe("success");
  for (const match of [CREATE, UPDATE])
    world.github.faults.add({ kind: "status", status: 404, match, times: Infinity });
  for (const { headSha: sha } of [created, updated])
    await world.ci.runs({ sha, cost: EXPENSIVE, changes: [] });
  await world.settles();
  world.github.faults.clear();
  await world.timePasses(4 * MINUTE);
  await world.bot.sweep();
  await world.settles();
  expect([created, updated].map((pull) => world.gate(pull))).toEqual(["failure", "failure"]);
});

test("a refusal of a merge group's check costs a moment, or a quarter of an hour where it lasts", async () => {
  const world = await opens();
  const pull = await world.opensPlanned(CHEAP);
  for (const [times, waits] of [
    [1, 0],
    [Infinity, 16 * MINUTE],
  ] as const) {
    world.github.faults.add({ kind: "status", status: 403, match: CREATE, times });
    const group = world.github.addToMergeQueue([pull]);
    await world.settles();
    world.github.faults.clear();
    if (waits > 0) expect(world.gate(group)).toBeNull();
    await world.timePasses(waits);
    await world.settles();
    expect(world.gate(group)).toBe("success");
    world.github.destroyMergeGroup(group.id, "dequeued");
    await world.settles();
  }
});

test("a single refusal does not leave a success under a name that the policy gave up", async () => {
  const named = (name: string) => `${STRICT}check_names:\n  - { branch: "**", name: ${name} }\n`;
  const world = await opens({ policy: named("old") });
  const requiredChecks = ["old", "new"].map((context) => ({ context, appId: world.appId }));
  world.github.protectBranch({ repository: REPOSITORY, branch: "main", requiredChecks });
  const pull = await world.opensPlanned(CHEAP);
  expect(world.gate(pull, "old")).toBe("success");
  world.github.faults.add({ kind: "status", status: 422, match: UPDATE });
  const files = { ".github/tollgate.yml": named("new") };
  world.github.push({ repository: REPOSITORY, branch: "main", files });
  await world.settles();
  expect([world.gate(pull, "old"), world.gate(pull, "new")]).toEqual(["failure", "success"]);
});

test.each([
  ["takes them", null],
  ["takes them, but its answer is lost", { kind: "lost-response-after-write" }],
  ["never receives them", { kind: "reset" }],
  ["limits them", { kind: "secondary-limit", retryAfter: 1 }],
] as const)(
  "checks that are decided at the same time are few requests, and each is right once where GitHub %s",
  async (_, fault) => {
    const world = await opens({ settings: { githubWriteSpacingMs: 1_000 } });
    const pulls = Array.from({ length: 6 }, () => world.opensPullRequest());
    await world.settles();
    world.github.requests.clear();
    if (fault !== null) world.github.faults.add({ ...fault, match: { body: /mutation Batch/ } });
    for (const [index, { headSha: sha }] of pulls.entries())
      await world.ci.runs({ sha, cost: index % 2 === 0 ? CHEAP : EXPENSIVE, changes: [] });
    await world.settles();
    if (fault !== null) {
      await world.timePasses(MINUTE);
      await world.settles();
      expect(world.github.faults.hits()).toBe(1);
    }
    const expected = pulls.map((_pull, index) => (index % 2 === 0 ? "success" : "failure"));
    expect(pulls.map((pull) => world.gate(pull))).toEqual(expected);
    for (const { headSha: sha } of pulls)
      expect(world.github.checkRuns({ repository: REPOSITORY, sha, appId: world.appId })).toHaveLength(1);
    const writes = world.github.requests
      .list()
      .filter(
        ({ method, path, operation }) =>
          method !== "GET" && (/check-runs/.test(path) || operation === "Batch"),
      );
    expect(writes.some(({ operation }) => operation === "Batch")).toBe(true);
    if (fault === null) expect(writes.length).toBeLessThan(pulls.length);
  },
);

test("a turn to write the check that cannot be taken holds no evaluation back that only wants to show progress", async () => {
  const world = await opens();
  const pull = await world.opensPlanned(EXPENSIVE);
  const holds = (writer: string | null) =>
    world.bot.session.store.db
      .updateTable("check_runs")
      .set({ writer, writing_since: sql`clock_timestamp()` })
      .execute();
  await holds("pull:1:99#1");
  world.github.push({ repository: REPOSITORY, branch: "main", files: { ".github/tollgate.yml": LAX } });
  for (let passedMs = 0; passedMs < 1.5 * MINUTE; passedMs += 10_000) {
    await world.goesOn(10_000);
    await holds("pull:1:99#1");
  }
  const saved = await findEvaluation(world.bot.session.store.db, pull);
  expect([world.gate(pull), saved?.evaluation.check]).toMatchObject(["failure", { conclusion: "success" }]);
  await holds(null);
  await world.settles();
  expect(world.gate(pull)).toBe("success");
});

const WEB = "aws_instance.web";
const ANNOTATED = `version: 1\nrules:\n  - { id: no-changes, limit: { changes: 0 } }\n`;

/** Plans a change of one resource, which stands in this line of a file of the pull request. */
async function plansAt(world: World, { headSha: sha }: { headSha: string }, line: number): Promise<void> {
  const places = { [WEB]: { file: "infra/main.tf", line } };
  await world.ci.runs({ sha, cost: CHEAP, changes: [{ address: WEB, change: "changed" }], places });
  await world.settles();
}

/** The lines of the annotations of each check run, the newest first. */
const linesOf = (world: World, { headSha: sha }: { headSha: string }) =>
  world.github
    .checkRuns({ repository: REPOSITORY, sha, appId: world.appId })
    .map(({ annotations, status }) => [status, annotations.map(({ start_line }) => start_line)]);

const FILES = { "infra/main.tf": "line 1\nline 2\n" };

test("annotations are written once, and when they change, a new check replaces the former one", async () => {
  const world = await opens({ policy: ANNOTATED });
  const pull = world.opensPullRequest({ files: FILES });
  await world.settles();
  await plansAt(world, pull, 1);
  expect(linesOf(world, pull)).toEqual([["completed", [1]]]);
  await plansAt(world, pull, 1); // another execution, which the summary names
  expect(linesOf(world, pull)).toEqual([["completed", [1]]]);
  world.github.requests.clear();
  await world.bot.sweep();
  await world.settles();
  expect(world.github.requests.list({ path: /check-runs(\/\d+)?$/, method: "POST" })).toEqual([]);
  await plansAt(world, pull, 2);
  expect(linesOf(world, pull)).toEqual([
    ["completed", [2]],
    ["completed", [1]],
  ]);
  expect(world.gate(pull)).toBe("failure");
});

test.each([CREATE, UPDATE])("an answer that is lost leaves no annotation twice ($method)", async (match) => {
  const world = await opens({ policy: ANNOTATED });
  const pull = world.opensPullRequest({ files: FILES });
  await world.settles();
  if (match === UPDATE) {
    await world.ci.runs({ sha: pull.headSha, cost: CHEAP, changes: [] });
    await world.settles();
    expect(linesOf(world, pull)).toEqual([["completed", []]]);
  } else await plansAt(world, pull, 2); // others need a new check
  world.github.faults.add({ kind: "lost-response-after-write", match });
  await plansAt(world, pull, 1);
  await world.timePasses(MINUTE);
  await world.settles();
  expect(world.github.faults.hits()).toBe(1);
  const [newest, ...former] = linesOf(world, pull);
  expect(newest).toEqual(["completed", [1]]);
  expect(former.every(([status]) => status === "completed")).toBe(true);
});
