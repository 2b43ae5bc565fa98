import { createHmac, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { createNodeMiddleware, createProbot, type Probot } from "probot";
import { Pool } from "undici";
import type { DeliveryIntake } from "../src/github/webhooks/accept-delivery.ts";
import { createReceiver } from "../src/github/webhooks/receiver.ts";
import { registerEvents } from "../src/github/webhooks/register.ts";
import { systemClock } from "../src/kernel/clock.ts";
import { openBoss } from "../src/queue/open.ts";
import { createQueue } from "../src/queue/queue.ts";
import { systemRandom } from "../src/sandbox/state/random.ts";
import { openDatabase } from "../src/wiring/database/open-database.ts";
import { type Figure, median, ms, quantile, ratio } from "./figures.ts";

const SECRET = "a-secret-for-the-bench-only";
const PATH = "/api/github/webhooks";
const COUNT = 3_000;
const CONNECTIONS = 20;
const ROUNDS = 3;

/** A `pull_request` delivery of the size that GitHub sends (about 25 kB). */
function payload(number: number): Buffer {
  const repository = {
    id: 1,
    name: "shop",
    full_name: "acme/shop",
    owner: { login: "acme", id: 2 },
    private: true,
  };
  const repo = { id: 1, name: "shop", owner: { login: "acme", id: 2 } };
  const pull = {
    number,
    state: "open",
    draft: false,
    head: { sha: "a".repeat(40), ref: "change", repo },
    base: { sha: "b".repeat(40), ref: "main", repo },
    user: { login: "author", id: 3, type: "User" },
    body: "x".repeat(22_000),
  };
  const sender = { login: "author", id: 3, type: "User" };
  const event = { action: "opened", number, pull_request: pull, repository, sender, installation: { id: 4 } };
  return Buffer.from(JSON.stringify(event));
}

function signed(body: Buffer): Record<string, string> {
  return {
    "content-type": "application/json",
    "x-github-event": "pull_request",
    "x-github-delivery": randomUUID(),
    "x-hub-signature-256": `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`,
  };
}

interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

async function listen(server: Server, close: () => Promise<void>): Promise<RunningServer> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await close();
    },
  };
}

/** Probot's own middleware with an application function. */
async function startProbot(
  appFunction: (app: Probot) => void,
  close = async () => {},
): Promise<RunningServer> {
  const { privateKey } = await systemRandom.keyPair();
  const probot = createProbot({
    overrides: { appId: 1, privateKey, secret: SECRET, log: pino({ level: "silent" }) },
  });
  const middleware = await createNodeMiddleware(appFunction, { probot });
  return listen(
    createServer((request, response) => void middleware(request, response)),
    close,
  );
}

/** The floor: Probot with a handler that does nothing. */
const bareProbot = (): Promise<RunningServer> => startProbot((app) => void app.on("pull_request", () => {}));

interface OpenIntake {
  readonly intake: DeliveryIntake;
  close(): Promise<void>;
}

/** Reduced deliveries, stored in the embedded database on disk. */
async function openIntake(): Promise<OpenIntake> {
  const directory = mkdtempSync(join(tmpdir(), "tollgate-bench-"));
  const store = await openDatabase({ kind: "directory", directory }, () => {});
  const boss = await openBoss(store, { warn: () => {}, error: () => {} });
  const queue = createQueue(boss, systemClock);
  const log = { debug: () => {}, warn: () => {} };
  const accept = (delivery: { id: string }) => queue.acceptDelivery(delivery.id, delivery);
  return {
    intake: { ownAppId: 9, platformHosts: [], accept, log },
    close: async () => {
      await queue.stop();
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Ours: verified, reduced, stored, answered. */
async function startOwnReceiver(): Promise<RunningServer> {
  const { intake, close } = await openIntake();
  const receiver = createReceiver({ secret: SECRET, ...intake });
  return listen(
    createServer((request, response) => void receiver(request, response)),
    close,
  );
}

/** The same events behind Probot's own server. */
async function probotWithEvents(): Promise<RunningServer> {
  const { intake, close } = await openIntake();
  return startProbot((app) => registerEvents(app, intake), close);
}

/** Sends `COUNT` deliveries over `CONNECTIONS` connections; how many a second were answered. */
async function throughput({ url }: RunningServer): Promise<number> {
  const pool = new Pool(url, { connections: CONNECTIONS });
  const requests = Array.from({ length: COUNT }, (_, index) => {
    const body = payload(index + 1);
    return { body, headers: signed(body) };
  });
  const started = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, lane) => {
      for (let index = lane; index < COUNT; index += CONNECTIONS) await post(pool, requests[index]);
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  await pool.close();
  return COUNT / seconds;
}

async function post(
  pool: Pool,
  request: { body: Buffer; headers: Record<string, string> } | undefined,
): Promise<void> {
  if (request === undefined) return;
  const answer = await pool.request({ path: PATH, method: "POST", ...request });
  await answer.body.dump();
  if (answer.statusCode >= 300) throw new Error(`a delivery was answered with ${answer.statusCode}`);
}

/** A hundred deliveries a second for ten seconds: how long each waits for its answer. */
async function paced({ url }: RunningServer): Promise<readonly number[]> {
  const pool = new Pool(url, { connections: CONNECTIONS });
  const waits: number[] = [];
  const running: Promise<void>[] = [];
  const started = performance.now();
  for (let index = 0; index < 1_000; index++) {
    await sleep(Math.max(0, started + index * 10 - performance.now()));
    const body = payload(index + 1);
    const request = { body, headers: signed(body) };
    const sent = performance.now();
    running.push(post(pool, request).then(() => void waits.push(performance.now() - sent)));
  }
  await Promise.all(running);
  await pool.close();
  return waits;
}

/** How fast deliveries are taken, beside Probot doing nothing with them. */
export async function deliveries(): Promise<readonly Figure[]> {
  const probot = await bareProbot();
  const own = await startOwnReceiver();
  const served = await probotWithEvents();
  const ratios: number[] = [];
  const servedRatios: number[] = [];
  const speeds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const floor = await throughput(probot);
    const ours = await throughput(own);
    ratios.push(ours / floor);
    speeds.push(ours);
    servedRatios.push((await throughput(served)) / floor);
  }
  const waits = await paced(own);
  await probot.close();
  await own.close();
  await served.close();
  return [
    { what: "deliveries kept per second", value: `${Math.round(median(speeds))}/s`, goal: "–" },
    { what: "… against bare Probot doing nothing", value: ratio(median(ratios)), goal: "≥ 0.5 ×" },
    {
      what: "… through Probot's own server, against the same",
      value: ratio(median(servedRatios)),
      goal: "–",
    },
    { what: "delivery accepted at 100/s, p99", value: ms(quantile(waits, 0.99)), goal: "≤ 200 ms" },
  ];
}
