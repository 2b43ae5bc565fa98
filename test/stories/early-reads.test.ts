import { afterEach, expect, it } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { createToken } from "../../src/store/tokens.ts";
import { eventually } from "../world/eventually.ts";
import { REPOSITORY } from "../world/places.ts";
import { type ScriptedPlatform, scriptedPlatform } from "../world/slow-platform.ts";
import { createWorld, type World } from "../world/world.ts";

const POLICY = `version: 1
expect:
  - { paths: ["**"], workspaces: [production], within: 2h }
rules:
  - { id: monthly-increase, limit: { increase: 500 USD } }
`;
const COSTS = /cost-changes-all-stages$/;
const COUNTS = /filter-counts/;
const NO_CHANGES = {
  categories: { drift_changes: 0, outputs: 0, planned_changes: 0, resources: 0 },
  change_types: { added: 0, changed: 0, deleted: 0, imported: 0, removed: 0, unchanged: 0 },
  modules: {},
  providers: {},
  types: {},
};
const LIST = /\/executions\?/;

const opened: { world: World; platform: ScriptedPlatform }[] = [];
afterEach(async () => {
  for (const { world, platform } of opened.splice(0)) {
    await world.ends();
    platform.close();
  }
});

/** A platform of the operator's whose answers follow a script, and GitHub half a second away. */
async function start(script: (path: string) => unknown = () => undefined) {
  const early: string[] = [];
  let isHeadKnown = () => true;
  const platform = await scriptedPlatform((path) => {
    if (!isHeadKnown()) early.push(path);
    return COUNTS.test(path) ? NO_CHANGES : script(path);
  });
  const { url } = platform;
  const remote = { kind: "remote", token: "t", account: "acc", dialect: "neutral", prefix: "", url } as const;
  const world = await createWorld({
    policy: POLICY,
    settings: { platform: remote },
    operator: ({ ownerId: owner }) => ({ grants: [{ owner, org: "o", project: "p" }] }),
  });
  opened.push({ world, platform });
  const pull = world.opensPullRequest();
  await world.settles();
  world.github.requests.clear();
  // GitHub notes an answer before it sends it, so what the head caused comes later, however slow the machine is.
  isHeadKnown = () => world.github.requests.list().some(({ operation }) => operation === "Head");
  world.github.faults.add({ match: { path: /graphql/ }, times: 9, kind: "delay", ms: 500 });
  const posts = (
    executionId: string,
    more: { creator?: string; project?: string; state?: "pending" } = {},
  ) => {
    const { creator = "ci", project = "p", state = "success" } = more;
    const path = `orgs/o/projects/${project}/pipelines/infra/executions/${executionId}/pipeline`;
    world.ci.posts({
      sha: pull.headSha,
      executionId,
      state,
      creator,
      url: `${url}/ng/account/acc/ci/${path}`,
    });
  };
  /** The calls that arrived before GitHub answered with the head. */
  const readEarly = (paths: RegExp) => early.filter((path) => paths.test(path));
  return { world, platform, pull, posts, readEarly };
}

const storedFacts = async ({ world }: { world: World }) =>
  (await world.bot.session.store.db.selectFrom("facts").select("pipeline_execution_id").execute()).map(
    ({ pipeline_execution_id: id }) => id,
  );

const costs = (change: string) => (path: string) =>
  COSTS.test(path)
    ? [
        {
          currency: "USD",
          diff: {},
          past_total_monthly_cost: "0",
          total_monthly_cost: change,
          diff_total_monthly_cost: change,
          percentage_change_total_monthly_cost: null,
          stage_execution_id: `${/executions\/([^/]+)/.exec(path)?.[1]}-s`,
          stage_id: "s",
          workspace_id: "production",
        },
      ]
    : undefined;

it("the execution of a trusted poster's status is read while the head is read, and each of its facts once", async () => {
  const { world, platform, pull, posts, readEarly } = await start();
  posts("e1");
  await world.settles();
  expect(world.gate(pull)).toBe("success");
  expect(platform.calls(COSTS)).toHaveLength(1);
  expect(readEarly(COSTS)).toHaveLength(1);
  expect(platform.calls(LIST)).toHaveLength(2);
  expect(readEarly(LIST)).toHaveLength(1);
  expect(await storedFacts({ world })).toEqual(["e1"]);
});

it("the execution of a notification is read while the head is read", async () => {
  const { world, platform, pull, readEarly } = await start();
  const { repositoryId, bot } = world;
  const grant = { purpose: "notify", account: "acc", repositoryId, org: "o", project: "p" } as const;
  const { secret } = await createToken(bot.session.store.db, grant, systemClock);
  const notification = { repository: REPOSITORY, sha: pull.headSha, org: "o", project: "p" };
  await fetch(`${bot.url}/api/executions`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": secret },
    body: JSON.stringify({ ...notification, pipeline_execution_id: "e1" }),
  });
  await world.settles();
  expect(world.gate(pull)).toBe("success");
  expect(platform.calls(COSTS)).toHaveLength(1);
  expect(readEarly(COSTS)).toHaveLength(1);
});

it("an execution whose facts are final is not read again", async () => {
  const { world, platform, posts } = await start();
  posts("e1");
  await world.settles();
  posts("e1");
  await world.settles();
  expect(platform.calls(COSTS)).toHaveLength(1);
});

it("an execution of a head that was replaced is read early, and never used, shown or stored", async () => {
  const { world, platform, pull, posts } = await start((path) =>
    path.includes("expensive") ? costs("7777")(path) : undefined,
  );
  world.github.deliveries.hold({ event: "pull_request" });
  world.github.push({ repository: REPOSITORY, branch: pull.headRef, files: { "infra/b.tf": "# b\n" } });
  posts("expensive"); // on the commit that the bot still takes for the head
  await world.settles();
  const moved = world.github.pullRequest(pull);
  expect(platform.calls(/expensive.*cost-changes/)).not.toEqual([]);
  expect(world.gate(moved)).toBe("in_progress");
  expect(world.comments(pull).join("")).not.toContain("7,777");
  expect(await storedFacts({ world })).toEqual([]);
});

it.each([
  ["of a poster whom the operator does not trust", { creator: "mallory" }, 1],
  ["of a status that is pending", { state: "pending" } as const, 1],
  ["of a project that the operator did not grant", { project: "secret" }, 0],
])("an execution %s is not read before the head", async (_, status, readAfterwards) => {
  const { world, platform, posts, readEarly } = await start();
  world.github.createOwner({ login: "mallory", type: "user" });
  posts("e1", status);
  await world.settles();
  expect(readEarly(/e1/)).toEqual([]);
  expect(platform.calls(LIST)).toHaveLength(readAfterwards);
});

const stage = (id: string, status: string) => ({
  org: "o",
  project: "p",
  pipeline_execution_id: "e1",
  pipeline_stage_id: id,
  workspace: id === "e1-s" ? "production" : "staging",
  status,
  created: 1,
});

it.each([
  ["was added", [stage("e1-s", "success"), stage("e1-t", "none")]],
  ["runs again", [stage("e1-s", "none")]],
])("a stage that %s after the early read makes the check wait, and nothing is final", async (_, later) => {
  let lists = 0;
  const { world, pull, posts, readEarly } = await start((path) => {
    if (!LIST.test(path)) return undefined;
    lists += 1;
    return lists === 1 ? [stage("e1-s", "success")] : later;
  });
  posts("e1");
  await world.settles();
  expect(readEarly(COSTS)).toHaveLength(1);
  expect(world.gate(pull)).toBe("in_progress");
  expect(await storedFacts({ world })).toEqual([]);
});

it("the costs of a stage that was added and ended after the early read are read again, and judged", async () => {
  let lists = 0;
  const { world, pull, posts, readEarly } = await start((path) => {
    if (LIST.test(path)) {
      lists += 1;
      const first = stage("e1-s", "success");
      return lists === 1 ? [first] : [first, stage("e1-t", "success")];
    }
    if (!COSTS.test(path)) return undefined;
    const of = (id: string, workspace: string, change: string) => ({
      ...costs(change)(path)?.[0],
      stage_execution_id: id,
      workspace_id: workspace,
    });
    const early = [of("e1-s", "production", "10")];
    return lists === 1 ? early : [...early, of("e1-t", "staging", "900")];
  });
  posts("e1");
  await world.settles();
  expect(readEarly(COSTS)).toHaveLength(1);
  expect(world.gate(pull)).toBe("failure");
  expect(world.comment(pull)).toContain("+$910");
});

it("an early read that failed is made again after the head", async () => {
  let isDown = true;
  const { world, platform, pull, posts } = await start((path) => {
    if (!COSTS.test(path)) return undefined;
    return isDown ? 500 : undefined;
  });
  world.github.faults.clear();
  world.github.faults.add({ match: { path: /graphql/ }, times: 1, kind: "delay", ms: 1_500 });
  posts("e1");
  await eventually(() => expect(platform.calls(COSTS).length).toBe(2)); // the second is the client's other try
  isDown = false;
  await world.settles();
  expect(world.gate(pull)).toBe("success");
});
