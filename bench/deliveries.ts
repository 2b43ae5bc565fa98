import { createHmac, randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Hono } from "hono";
import { pino } from "pino";
import { createNodeMiddleware, createProbot } from "probot";
import { Pool } from "undici";
import { systemRandom } from "../sandbox/state/random.ts";
import { type DeliveryIntake, registerEvents } from "../src/github/webhooks/events.ts";
import { createReceiver } from "../src/github/webhooks/receiver.ts";
import { systemClock } from "../src/kernel/clock.ts";
import { openBoss } from "../src/queue/open.ts";
import { createQueue } from "../src/queue/queue.ts";
import type { StoreLocation } from "../src/store/open.ts";
import { openDatabase } from "../src/wiring/database/schema.ts";
import { createIntake } from "../src/wiring/jobs.ts";
import { startHttpServer } from "../src/wiring/process/http-server.ts";
import { startTelemetry } from "../src/wiring/telemetry/start-telemetry.ts";
import type { BenchEngine } from "./engines.ts";
import type { Prepared } from "./measure.ts";

const SECRET = "a-secret-for-the-bench-only";
const PATH = "/api/github/webhooks";
const COUNT = 2_000;
const CONNECTIONS = 20;

/** A `pull_request` delivery of the size that GitHub sends (about 25 kB). */
function payload(number: number): Buffer {
  const repo = { id: 1, name: "shop", owner: { login: "acme", id: 2 } };
  const repository = { ...repo, full_name: "acme/shop", private: true };
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

async function listen(server: Server): Promise<RunningServer> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The floor: Probot's own middleware with a handler that does nothing. */
async function bareProbot(): Promise<RunningServer> {
  const { privateKey } = await systemRandom.keyPair();
  const probot = createProbot({
    overrides: { appId: 1, privateKey, secret: SECRET, log: pino({ level: "silent" }) },
  });
  const middleware = await createNodeMiddleware((app) => void app.on("pull_request", () => {}), { probot });
  return listen(createServer((request, response) => void middleware(request, response)));
}

interface OpenIntake {
  readonly intake: DeliveryIntake;
  close(): Promise<void>;
}

const NO_LOG = pino({ level: "silent" });

/** What a running Tollgate does with verified deliveries: reduced, stored by the queue in the database. No worker takes them. */
async function openIntake(location: StoreLocation): Promise<OpenIntake> {
  const store = await openDatabase(location, () => {});
  const boss = await openBoss(store, NO_LOG);
  const queue = createQueue(boss, systemClock);
  const { telemetry } = await startTelemetry(
    { metricsPort: null, metricsToken: null, tracesUrl: null },
    NO_LOG,
  );
  const session = { queue, clock: systemClock };
  const intake = createIntake({
    ownAppId: 9,
    platformHosts: [],
    trustedApps: [],
    session,
    log: NO_LOG,
    telemetry,
  });
  return {
    intake,
    close: async () => {
      await queue.stop();
      await store.close();
    },
  };
}

/** Verified, reduced, stored, answered, by the server of `tollgate start`. */
async function startOwnReceiver(location: StoreLocation): Promise<RunningServer> {
  const { intake, close } = await openIntake(location);
  const credentials = { appId: 1, privateKey: "a key that signs nothing", webhookSecret: SECRET };
  const handlers = await createReceiver((app) => registerEvents(app, intake), {
    ...credentials,
    log: NO_LOG,
  });
  const server = await startHttpServer({ port: 0, host: "127.0.0.1", handlers, app: new Hono() });
  return {
    url: `http://127.0.0.1:${server.port}`,
    close: async () => {
      await server.close();
      await close();
    },
  };
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

/** How fast deliveries are stored, beside Probot doing nothing with them: both servers and the sender in this process. */
export async function prepare(engine: BenchEngine): Promise<Prepared> {
  const probot = await bareProbot();
  const own = await startOwnReceiver(await engine.locate());
  return {
    measures: [
      {
        what: "deliveries stored per second, against bare Probot with nothing done",
        goal: "≥ 0.4 ×",
        rounds: 9,
        // V8 optimises what runs in them, and the shares of the first rounds differ most.
        warmUp: 2,
        unit: "/s",
        run: () => throughput(own),
        floor: () => throughput(probot),
      },
    ],
    close: async () => {
      await own.close();
      await probot.close();
    },
  };
}
