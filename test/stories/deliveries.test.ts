import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { REPOSITORY } from "../world/places.ts";
import { createWorld, type World } from "../world/world.ts";

const POLICY = `version: 1
expect:
  - { paths: ["infra/**"], workspaces: [production], within: 2h }
rules:
  - { id: monthly-increase, limit: { increase: 500 USD } }
`;
const COST = { before: "10", after: "20", change: "10" };

let world: World;
beforeAll(async () => {
  world = await createWorld({ policy: POLICY, settings: { laneSpacingMs: 2_000 } });
});
afterAll(() => world.ends());

/** How often the bot asked for a head since the log was cleared: one query per evaluation of any pull request. */
const evaluations = (of: World = world) =>
  of.github.requests.list().filter(({ operation }) => operation === "Head").length;
const writes = (of: World = world) =>
  of.github.requests.list().filter(({ method, path }) => method !== "GET" && /check-runs|comments/.test(path))
    .length;

async function openEvaluated(within: World = world) {
  const pull = within.opensPullRequest();
  const executionId = await within.ci.runs({ sha: pull.headSha, cost: COST, changes: [], bind: "status" });
  await within.settles();
  expect(within.gate(pull)).toBe("success");
  return { pull, executionId };
}

it("the same delivery three times at once costs one evaluation", async () => {
  world.github.push({ repository: REPOSITORY, branch: "thrice", files: { "infra/thrice.tf": "# thrice\n" } });
  await world.settles(); // the push's own delivery must not meet the pull request
  world.github.deliveries.duplicate({ event: "pull_request" });
  world.github.requests.clear();
  const pull = world.github.openPullRequest({ repository: REPOSITORY, head: "thrice", title: "Thrice" });
  await world.settles();
  world.github.deliveries.clearFaults();
  expect(evaluations()).toBe(1);
  const [opened] = world.github.deliveries.list({ event: "pull_request" }).slice(-1);
  world.github.requests.clear();
  await world.github.deliveries.redeliver(opened?.id ?? 0);
  await world.settles();
  expect(world.github.requests.list()).toEqual([]);
  expect(world.gate(pull)).toBe("in_progress");
});

it("a changed update costs at most five calls, an unchanged one at most two", async () => {
  const { pull, executionId } = await openEvaluated();
  world.github.requests.clear();
  world.ci.posts({ sha: pull.headSha, executionId, state: "success" });
  await world.settles();
  expect(world.github.requests.list().length).toBeLessThanOrEqual(2);
  world.github.requests.clear();
  await world.ci.runs({ sha: pull.headSha, cost: { ...COST, after: "30", change: "20" }, changes: [] });
  await world.settles();
  expect(world.comment(pull)).toContain("+$20");
  expect(world.github.requests.list().length).toBeLessThanOrEqual(5);
});

it("statuses of other systems are dropped before anything costs", async () => {
  const { pull } = await openEvaluated();
  world.github.requests.clear();
  for (const url of ["https://ci.example.com/1", "javascript:alert(1)", "not a url"]) {
    world.ci.posts({ sha: pull.headSha, executionId: "x", state: "success", url });
  }
  await world.settles();
  expect(world.github.requests.list()).toEqual([]);
  const ignored = world.github.deliveries.list({ event: "status" }).slice(-3);
  expect(ignored.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202]);
});

it("an event that comes too late changes nothing: the lane reads what is true now", async () => {
  // A world of its own: three seconds later the lane reads again, because it was told of another head, and no other test may count that.
  const late = await createWorld({ policy: POLICY, settings: { laneSpacingMs: 2_000 } });
  onTestFinished(() => late.ends());
  late.github.deliveries.hold({ event: "pull_request" });
  const pull = late.opensPullRequest({ branch: "reordered" });
  late.github.push({ repository: REPOSITORY, branch: "reordered", files: { "infra/b.tf": "# b\n" } });
  const moved = late.github.pullRequest(pull);
  await late.ci.runs({ sha: moved.headSha, cost: COST, changes: [] });
  await late.github.deliveries.release("backwards");
  await late.settles();
  expect(late.gate(moved)).toBe("success");
  expect(late.comments(pull)).toHaveLength(1);
  expect(late.comment(pull)).toContain(moved.headSha.slice(0, 8));
});

it("a re-run of the check reads and writes anew, once", async () => {
  const { pull } = await openEvaluated();
  const before = world.checkOf(pull);
  world.github.requests.clear();
  world.github.rerequestCheckRun({ checkRunId: before.id });
  await world.settles();
  expect(world.gate(pull)).toBe("success");
  expect(evaluations()).toBe(1);
  expect(world.comments(pull)).toHaveLength(1);
});

it("a stage's status fifty times within a lane's pause costs at most two evaluations, and what changed is shown once", async () => {
  // Longer than a busy machine takes to deliver fifty.
  const patient = await createWorld({ policy: POLICY, settings: { laneSpacingMs: 8_000 } });
  onTestFinished(() => patient.ends());
  const { pull, executionId } = await openEvaluated(patient);
  patient.github.requests.clear();
  for (let times = 0; times < 50; times++)
    patient.ci.posts({ sha: pull.headSha, executionId, state: "success" });
  await patient.settles();
  expect(evaluations(patient)).toBeLessThanOrEqual(2);
  expect(writes(patient)).toBe(0);
  expect(patient.comments(pull)).toHaveLength(1);
});
