import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../world/eventually.ts";
import { type Killable, killable, kills, REPOSITORY } from "./killable.ts";

const POLICY_FILE = ".github/tollgate.yml";
const RULES = "version: 1\nrules:\n  - { id: a, limit: { increase: 1 USD } }\n";
/** For processes that start one after the other on a busy machine. */
const LIMIT = { timeout: 300_000 };

let world: Killable;
beforeAll(async () => {
  world = await killable(RULES);
});
afterAll(() => world.ends());

let running: ChildProcess | null = null;
async function starts(): Promise<ChildProcess> {
  running ??= await world.start();
  return running;
}
async function isKilled(): Promise<void> {
  await kills(await starts());
  running = null;
}

const pushes = (branch: string, policy: string, from = "main") =>
  world.github.push({ repository: REPOSITORY, branch, from, files: { [POLICY_FILE]: policy } });

it("kill -9 during a job, then start: what was accepted is done, once", LIMIT, async () => {
  const { github, appId } = world;
  const runs = (sha: string) => github.checkRuns({ repository: REPOSITORY, sha, appId });
  await starts();
  pushes("change", `${RULES}# more\n`);
  github.faults.add({ match: { path: /graphql/ }, times: Infinity, kind: "delay", ms: 60_000 });
  const pull = github.openPullRequest({ repository: REPOSITORY, head: "change", title: "A change" });
  await github.deliveries.settled();
  const [delivery] = github.deliveries.list({ event: "pull_request" }).slice(-1);
  expect(delivery?.statusCode).toBe(202);
  await eventually(() => expect(github.faults.hits()).toBe(1)); // the lane waits for GitHub's answer
  await isKilled();
  expect(runs(pull.headSha)).toEqual([]);
  github.faults.clear();
  await starts();
  await eventually(() => expect(runs(pull.headSha)[0]?.conclusion).toBe("success"));
  await eventually(() => expect(github.comments(pull)).toHaveLength(1));
  expect(runs(pull.headSha)).toHaveLength(1);
});

it("a second process on the same data directory reports it and exits 2", LIMIT, async () => {
  await starts();
  const child = await world.startBeside();
  const said: string[] = [];
  child.stderr?.on("data", (chunk) => said.push(String(chunk)));
  const [code] = await once(child, "exit");
  expect(code).toBe(2);
  expect(said.join("")).toMatch(/used by another Tollgate/);
});
