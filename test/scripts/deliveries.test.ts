import { expect, onTestFinished, test } from "vitest";
import { createSimulatedWorld, type SimulatedWorld as World } from "../simulation/simulated-world.ts";
import { CHEAP } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";

const POLICY = `version: 1
expect:
  - { paths: ["infra/**"], workspaces: [production], within: 2h }
rules:
  - { id: monthly-increase, limit: { increase: 500 USD } }
`;

async function opens(): Promise<World> {
  const world = await createSimulatedWorld({ policy: POLICY, settings: { laneSpacingMs: 2_000 } });
  onTestFinished(() => world.ends());
  return world;
}

/** How often the bot asked for a head since the log was cleared: one query per evaluation of any pull request. */
const evaluations = (world: World) =>
  world.github.requests.list().filter(({ operation }) => operation === "Head").length;
const writes = (world: World) =>
  world.github.requests
    .list()
    .filter(({ method, path }) => method !== "GET" && /check-runs|comments/.test(path)).length;

async function openEvaluated(world: World) {
  const pull = world.opensPullRequest();
  const executionId = await world.ci.runs({ sha: pull.headSha, cost: CHEAP, changes: [], bind: "status" });
  await world.settles();
  expect(world.gate(pull)).toBe("success");
  return { pull, executionId };
}

test("the same delivery three times at once costs one evaluation, and later nothing", async () => {
  const world = await opens();
  world.github.push({ repository: REPOSITORY, branch: "thrice", files: { "infra/thrice.tf": "# thrice\n" } });
  await world.settles(); // the push's own delivery must not meet the pull request
  world.github.deliveries.duplicate({ event: "pull_request" });
  world.github.requests.clear();
  const pull = world.github.openPullRequest({ repository: REPOSITORY, head: "thrice", title: "Thrice" });
  await world.settles();
  world.github.deliveries.clearFaults();
  expect(evaluations(world)).toBe(1);
  const [opened] = world.github.deliveries.list({ event: "pull_request" }).slice(-1);
  world.github.requests.clear();
  await world.github.deliveries.redeliver(opened?.id ?? 0);
  await world.settles();
  expect(world.github.requests.list()).toEqual([]);
  expect(world.gate(pull)).toBe("in_progress");
});

test("a changed update costs at most five calls, an unchanged one at most two", async () => {
  const world = await opens();
  const { pull, executionId } = await openEvaluated(world);
  world.github.requests.clear();
  world.ci.posts({ sha: pull.headSha, executionId, state: "success" });
  await world.settles();
  expect(world.github.requests.list().length).toBeLessThanOrEqual(2);
  world.github.requests.clear();
  await world.ci.runs({ sha: pull.headSha, cost: { ...CHEAP, after: "30", change: "20" }, changes: [] });
  await world.settles();
  expect(world.comment(pull)).toContain("+$20");
  expect(world.github.requests.list().length).toBeLessThanOrEqual(5);
});

test("a stage's status fifty times within a lane's pause costs at most two evaluations, and no write", async () => {
  const world = await opens();
  const { pull, executionId } = await openEvaluated(world);
  world.github.requests.clear();
  for (let times = 0; times < 50; times++)
    world.ci.posts({ sha: pull.headSha, executionId, state: "success" });
  await world.settles();
  expect(evaluations(world)).toBeLessThanOrEqual(2);
  expect(writes(world)).toBe(0);
});

test("a re-run of the check reads and writes anew, once", async () => {
  const world = await opens();
  const { pull } = await openEvaluated(world);
  const before = world.checkOf(pull);
  world.github.requests.clear();
  world.github.rerequestCheckRun({ checkRunId: before.id });
  await world.settles();
  expect(world.gate(pull)).toBe("success");
  expect(evaluations(world)).toBe(1);
  expect(world.comments(pull)).toHaveLength(1);
});

test("a status that only GitHub can place is handled after an outage of GitHub", async () => {
  const world = await opens();
  world.github.deliveries.drop({ event: "pull_request" });
  const pull = world.opensPullRequest();
  await world.settles();
  world.github.faults.add({ kind: "status", status: 503, times: Number.POSITIVE_INFINITY });
  await world.ci.runs({ sha: pull.headSha, cost: CHEAP, changes: [], bind: "status" });
  await world.goesOn(120_000);
  expect(world.gate(pull)).toBeNull();
  world.github.faults.clear();
  await world.goesOn(120_000);
  await world.settles();
  expect(world.gate(pull)).toBe("success");
});
