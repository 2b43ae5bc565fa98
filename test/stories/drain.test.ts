import type { ChildProcess } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { expect, inject, onTestFinished, test } from "vitest";
import { freshPostgres } from "../world/engines.ts";
import { eventually } from "../world/eventually.ts";
import { type Killable, killable, REPOSITORY } from "./killable.ts";

const POLICY = "version: 1\nrules:\n  - { id: a, limit: { increase: 1 USD } }\n";
/** What Tollgate promises after SIGTERM. */
const END_MS = 10_000;
const server = inject("postgresUrl");

async function openWorld(): Promise<Killable> {
  const databaseUrl = server === null ? null : await freshPostgres(server);
  const world = await killable(POLICY, { databaseUrl });
  onTestFinished(() => world.ends());
  return world;
}

function opens({ github }: Killable, head: string) {
  const files = { ".github/tollgate.yml": `${POLICY}# ${head}\n` };
  github.push({ repository: REPOSITORY, branch: head, files });
  return github.openPullRequest({ repository: REPOSITORY, head, title: "A change" });
}

/** Evaluates a pull request: a process's first evaluation takes longest. */
async function warmsUp(world: Killable) {
  const first = opens(world, "first");
  await eventually(() => expect(conclusions(world, first.headSha)).toEqual(["success"]));
  return first;
}

/** Opens a pull request after `first`, whose evaluation waits for GitHub's answer. */
async function startsEvaluation(world: Killable, first: { readonly number: number }, ms: number) {
  const { github } = world;
  const match = { path: /graphql/, body: new RegExp(`query Head[^]*"number":${first.number + 1}\\b`) };
  github.faults.add({ match, times: Number.POSITIVE_INFINITY, kind: "delay", ms });
  const pull = opens(world, "change");
  await eventually(() => expect(github.faults.hits()).toBeGreaterThan(0));
  return pull;
}

/** SIGTERM; its exit code. */
async function isAskedToEnd(child: ChildProcess): Promise<unknown> {
  const ended = once(child, "exit", { signal: AbortSignal.timeout(END_MS) });
  child.kill("SIGTERM");
  const [code] = await ended;
  return code;
}

const conclusions = ({ github, appId }: Killable, sha: string) =>
  github.checkRuns({ repository: REPOSITORY, sha, appId }).map(({ conclusion }) => conclusion);

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

test("a process that is asked to end completes an evaluation and answers a delivery that is on its way", {
  timeout: 120_000,
}, async () => {
  const world = await openWorld();
  const child = await world.start();
  const first = await warmsUp(world);
  const delivery = sendsHalf(world);
  const pull = await startsEvaluation(world, first, 2_000);
  const ended = isAskedToEnd(child);
  expect(conclusions(world, pull.headSha)).not.toEqual(["success"]);
  expect(await delivery.finishes()).toBeLessThan(300);
  world.github.faults.clear(); // only the answer that is on its way is late
  expect(await ended).toBe(0);
  expect(conclusions(world, pull.headSha)).toEqual(["success"]);
});

test("a process that is asked to end while GitHub does not answer ends, and another one does its evaluation", {
  timeout: 120_000,
}, async () => {
  const world = await openWorld();
  const child = await world.start();
  const pull = await startsEvaluation(world, await warmsUp(world), 60_000);
  expect(await isAskedToEnd(child)).toBe(0);
  expect(conclusions(world, pull.headSha)).toEqual([]);
  world.github.faults.clear();
  await world.start();
  await eventually(() => expect(conclusions(world, pull.headSha)).toEqual(["success"]));
});
