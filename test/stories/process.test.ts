import type { ChildProcess } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { eventually } from "../world/eventually.ts";
import { type Killable, killable, kills, REPOSITORY } from "./killable.ts";

const POLICY = "version: 1\nrules:\n  - { id: a, limit: { increase: 1 USD } }\n";
/** What Tollgate promises after SIGTERM. */
const END_MS = 10_000;
/** For processes that start one after the other on a busy machine. */
const LIMIT = { timeout: 300_000 };

let world: Killable;
beforeAll(async () => {
  world = await killable(POLICY);
});
afterEach(() => world.github.faults.clear());
afterAll(() => world.ends());

let running: ChildProcess | null = null;
async function starts(): Promise<ChildProcess> {
  running ??= await world.start();
  return running;
}

let opened = 0;
function opens() {
  opened += 1;
  const head = `change-${opened}`;
  world.github.push({
    repository: REPOSITORY,
    branch: head,
    files: { ".github/tollgate.yml": `${POLICY}# ${head}\n` },
  });
  return world.github.openPullRequest({ repository: REPOSITORY, head, title: "A change" });
}

/** Opens a pull request whose evaluation waits for GitHub's answer. An earlier one may be evaluated once more meanwhile. */
async function startsEvaluation(ms: number) {
  const { github } = world;
  const body = new RegExp(`query Head[^]*"number":${opened + 1}\\b`);
  github.faults.add({ match: { path: /graphql/, body }, times: Infinity, kind: "delay", ms });
  const pull = opens();
  await eventually(() => expect(github.faults.hits()).toBeGreaterThan(0));
  return pull;
}

/** SIGTERM; its exit code. */
async function isAskedToEnd(): Promise<unknown> {
  const child = await starts();
  running = null;
  const ended = once(child, "exit", { signal: AbortSignal.timeout(END_MS) });
  child.kill("SIGTERM");
  const [code] = await ended;
  return code;
}

const conclusions = ({ headSha: sha }: { readonly headSha: string }) =>
  world.github
    .checkRuns({ repository: REPOSITORY, sha, appId: world.appId })
    .map(({ conclusion }) => conclusion);

/** A delivery whose body arrives in two halves. */
function sendsHalf({ webhookUrl, webhookSecret }: Killable) {
  const body = Buffer.from(JSON.stringify({ zen: "Half measures.".repeat(100) }));
  const signature = createHmac("sha256", webhookSecret).update(body).digest("hex");
  const headers = {
    "content-type": "application/json",
    "content-length": body.length,
    "x-github-event": "ping",
    "x-github-delivery": randomUUID(),
    "x-hub-signature-256": `sha256=${signature}`,
  };
  const sent = request(webhookUrl, { method: "POST", headers });
  const answered = once(sent, "response");
  sent.write(body.subarray(0, 100));
  return {
    finishes: async (): Promise<number | undefined> => {
      sent.end(body.subarray(100));
      const [response] = await answered;
      return response.statusCode;
    },
  };
}

it(
  "a process that is asked to end completes an evaluation and answers a delivery that is on its way",
  LIMIT,
  async () => {
    await starts();
    const first = opens(); // a process's first evaluation takes longest
    await eventually(() => expect(conclusions(first)).toEqual(["success"]));
    const delivery = sendsHalf(world);
    const pull = await startsEvaluation(2_000);
    const ended = isAskedToEnd();
    expect(conclusions(pull)).not.toEqual(["success"]);
    expect(await delivery.finishes()).toBeLessThan(300);
    world.github.faults.clear(); // only the answer that is on its way is late
    expect(await ended).toBe(0);
    expect(conclusions(pull)).toEqual(["success"]);
  },
);

it(
  "a process that is asked to end while GitHub does not answer ends, and another one does its evaluation",
  LIMIT,
  async () => {
    await starts();
    const pull = await startsEvaluation(60_000);
    expect(await isAskedToEnd()).toBe(0);
    expect(conclusions(pull)).toEqual([]);
    world.github.faults.clear();
    await starts();
    await eventually(() => expect(conclusions(pull)).toEqual(["success"]));
  },
);

it("kill -9 during a job, then start: what was accepted is done, once", LIMIT, async () => {
  const child = await starts();
  const pull = await startsEvaluation(60_000);
  await world.github.deliveries.settled();
  expect(world.github.deliveries.list({ event: "pull_request" }).at(-1)?.statusCode).toBe(200);
  await kills(child);
  running = null;
  expect(conclusions(pull)).toEqual([]);
  world.github.faults.clear();
  await starts();
  await eventually(() => expect(conclusions(pull)).toEqual(["success"]));
  await eventually(() => expect(world.github.comments(pull)).toHaveLength(1));
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
