import { createHmac } from "node:crypto";
import { once } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { Hono } from "hono";
import { pino } from "pino";
import { readCommand } from "../src/github/commands/read-command.ts";
import { type DeliveryIntake, registerEvents } from "../src/github/webhooks/events.ts";
import { createReceiver } from "../src/github/webhooks/receiver.ts";
import { startPolicyTasks } from "../src/wiring/evaluation/policy-tasks.ts";
import { startHttpServer } from "../src/wiring/process/http-server.ts";
import { evaluationStalls } from "./evaluation-stalls.ts";
import { type Figure, median, ms, ratio } from "./figures.ts";
import { platformStalls } from "./platform-stalls.ts";

const ROUNDS = 5;
const WORDS = "costs of the pull request ";

/** The longest time for which this thread answered nothing during `work`, in ms. */
async function longestStall(work: () => unknown): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await sleep(20);
  delay.reset();
  await sleep(20); // the first interval after a reset is not recorded
  await work();
  await sleep(20);
  delay.disable();
  return delay.max / 1e6;
}

async function stallsOf(work: () => unknown): Promise<number> {
  const found: number[] = [];
  for (let round = 0; round < ROUNDS; round++) found.push(await longestStall(work));
  return median(found);
}

/** A policy of 64 kB whose conditions are loops in loops, parsed in the thread that policies have. */
async function policyStall(): Promise<number> {
  const loop = (at: number) =>
    `  - { id: r${at}, when: 'changes.rows.all(a, changes.rows.all(b, a.address != b.type + "${at}"))' }`;
  const text = `version: 1\nrules:\n${Array.from({ length: 540 }, (_, at) => loop(at)).join("\n")}\n`;
  const threads = startPolicyTasks();
  const given = { repository: { file: "tollgate.yml", text }, organisation: null };
  try {
    return await stallsOf(() => threads.inForce({ kind: "parse", input: given, owner: "1" }));
  } finally {
    await threads.close();
  }
}

const comment = (filler: string, length: number): string =>
  `/tollgate help\n\n${filler.repeat(Math.ceil(length / filler.length)).slice(0, length - 30)}`;

const SECRET = "a-secret-for-the-bench-only";

/** Sends the body to the address from a thread of its own, so that this thread only receives it. */
const SENDER = `const { workerData: { url, headers, body }, parentPort } = require("node:worker_threads");
fetch(url, { method: "POST", headers, body }).then(async (answer) => parentPort.postMessage(await answer.text()));`;

/** A delivery of 25 MB to the receiver of `tollgate start`. */
async function deliveryStall(): Promise<number> {
  const files = Array.from({ length: 80_000 }, (_, at) => ({ path: `infra/${at}/${"x".repeat(290)}.tf` }));
  const body = Buffer.from(JSON.stringify({ action: "opened", files }));
  const headers = {
    "content-type": "application/json",
    "x-github-event": "pull_request",
    "x-github-delivery": "1",
    "x-hub-signature-256": `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`,
  };
  const intake: DeliveryIntake = {
    ownAppId: 1,
    platformHosts: [],
    platformAppIds: [],
    accept: async () => "queued",
    log: { warn: () => {} },
  };
  const handlers = await createReceiver((app) => registerEvents(app, intake), {
    appId: 1,
    privateKey: "a key that signs nothing",
    webhookSecret: SECRET,
    log: pino({ level: "silent" }),
  });
  const server = await startHttpServer({ port: 0, host: "127.0.0.1", handlers, app: new Hono() });
  const url = `http://127.0.0.1:${server.port}/api/github/webhooks`;
  const found: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const worker = new Worker(SENDER, { eval: true, workerData: { url, headers, body } });
    await once(worker, "online");
    found.push(await longestStall(() => once(worker, "message")));
    await worker.terminate();
  }
  await server.close();
  return median(found);
}

/** For how long hostile input keeps the main thread from answering, at most. */
export async function stalls(): Promise<readonly Figure[]> {
  readCommand(comment(WORDS, 3_900));
  const floor = await stallsOf(() => readCommand(comment(WORDS, 3_900)));
  const quotes = await stallsOf(() => readCommand(comment("> - ", 3_900)));
  const long = await stallsOf(() => readCommand(comment(">", 65_536)));
  return [
    { what: "comment of 4,000 characters of plain words", value: ms(floor), goal: "–" },
    { what: "… of quotes in lists, against plain words", value: ratio(quotes / floor), goal: "≤ 3 ×" },
    {
      what: "comment of 64 kB of quotes, against plain words",
      value: ratio(long / floor),
      goal: "≤ 1.5 ×",
    },
    { what: "policy of 64 kB of loops in loops", value: ms(await policyStall()), goal: "≤ 100 ms" },
    {
      what: "webhook delivery of 25 MB",
      value: ms(await deliveryStall()),
      goal: "≤ 600 ms",
    },
    ...(await platformStalls(ROUNDS)),
    ...(await evaluationStalls(ROUNDS)),
  ];
}
