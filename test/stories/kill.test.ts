import { once } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../world/eventually.ts";
import { type Killable, killable, kills, REPOSITORY } from "./killable.ts";

const POLICY = "version: 1\nrules:\n  - { id: a, limit: { increase: 1 USD } }\n";

let world: Killable;
beforeAll(async () => {
  world = await killable(POLICY);
});
afterAll(() => world.ends());

const runs = (sha: string) => world.github.checkRuns({ repository: REPOSITORY, sha, appId: world.appId });

it("kill -9 during a job, then start: what was accepted is done, once", { timeout: 90_000 }, async () => {
  const { github } = world;
  const first = await world.start();
  github.push({
    repository: REPOSITORY,
    branch: "change",
    files: { "src/a.js": "1\n", ".github/tollgate.yml": `${POLICY}# more\n` },
  });
  github.faults.add({
    match: { path: /graphql/ },
    times: Number.POSITIVE_INFINITY,
    kind: "delay",
    ms: 5_000,
  });
  const pull = github.openPullRequest({ repository: REPOSITORY, head: "change", title: "A change" });
  await github.deliveries.settled();
  const [delivery] = github.deliveries.list({ event: "pull_request" });
  expect(delivery?.statusCode).toBe(202);
  await eventually(() => expect(github.faults.hits()).toBe(1)); // the lane waits for GitHub's answer
  await kills(first);
  expect(runs(pull.headSha)).toEqual([]);
  github.faults.clear();
  await world.start();
  await eventually(() => expect(runs(pull.headSha)[0]?.conclusion).toBe("success"));
  await eventually(() => expect(github.comments(pull)).toHaveLength(1));
  expect(runs(pull.headSha)).toHaveLength(1);
});

it("a second process on the same data directory reports it and exits 2", { timeout: 60_000 }, async () => {
  const child = await world.startBeside();
  const said: string[] = [];
  child.stderr?.on("data", (chunk) => said.push(String(chunk)));
  const [code] = await once(child, "exit");
  expect(code).toBe(2);
  expect(said.join("")).toMatch(/used by another Tollgate/);
});
