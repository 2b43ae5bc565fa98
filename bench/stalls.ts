import { fork } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { Hono } from "hono";
import { pino } from "pino";
import { type DeliveryIntake, registerEvents } from "../src/github/webhooks/events.ts";
import { createReceiver } from "../src/github/webhooks/receiver.ts";
import { startPolicyTasks } from "../src/wiring/evaluation/policy-tasks.ts";
import { startHttpServer } from "../src/wiring/process/http-server.ts";
import { cost, EXECUTIONS } from "../test/platform-server/stories.ts";
import { STRICT } from "../test/world/costs.ts";
import { NAME, OWNER, REPOSITORY } from "../test/world/places.ts";
import { createWorld, type World } from "../test/world/world.ts";
import type { Measure, Prepared } from "./measure.ts";

/** On the embedded database; above it, bodies of more than 1 MB have the second limit. */
const GOAL = "≤ 150 ms, above 1 MB ≤ 600 ms";

/** For how long large input keeps a process from answering others, at most. */
export async function prepare(): Promise<Prepared> {
  const world = await createWorld({ policy: STRICT, databaseUrl: null });
  const platform = await startPlatform();
  const policies = startPolicyTasks();
  const server = await startReceiver();
  const stored = await platform.createStage("read");
  await platform.store(stored, 10_000);
  const run = (what: string, work: Measure["run"]): Measure => ({
    what,
    goal: GOAL,
    rounds: 5,
    warmUp: 0,
    run: work,
  });
  return {
    measures: [
      run("policy of 64 kB of loops in loops", () =>
        stallOf(() => policies.inForce({ kind: "parse", input: HOSTILE_POLICY, owner: "1" })),
      ),
      run("webhook delivery of 25 MB", () => deliveryStall(server.port)),
      run("body of 15 MB that the platform refuses", () => platform.stallOf(platform.refuse)),
      run("costs of 10,000 resources (3 MB), read", () => platform.stallOf(() => platform.readCosts(stored))),
      run("costs of 48,000 resources (16 MB), stored", async (round) => {
        const execution = await platform.createStage(`costs-${round}`);
        return platform.stallOf(() => platform.store(execution, 48_000));
      }),
      run("page of 10,000 resource changes (8 MB), stored", async (round) => {
        const execution = await platform.createStage(`changes-${round}`);
        return platform.stallOf(() => platform.storeChanges(execution));
      }),
      run("evaluation of 10,000 priced resources", () => evaluationStall(world)),
    ],
    close: async () => {
      platform.stop();
      await policies.close();
      await server.close();
      await world.ends();
    },
  };
}

/** The longest time for which this thread answered nothing during `work`, in ms. */
async function stallOf(work: () => unknown): Promise<number> {
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

const loop = (at: number) =>
  `  - { id: r${at}, when: 'changes.rows.all(a, changes.rows.all(b, a.address != b.type + "${at}"))' }`;
const HOSTILE_POLICY = {
  repository: {
    file: "tollgate.yml",
    text: `version: 1\nrules:\n${Array.from({ length: 540 }, (_, at) => loop(at)).join("\n")}\n`,
  },
  organisation: null,
};

const SECRET = "a-secret-for-the-bench-only";

/** The receiver of `tollgate start`, which stores nothing. */
async function startReceiver() {
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
  return startHttpServer({ port: 0, host: "127.0.0.1", handlers, app: new Hono() });
}

/** Sends the body to the address from a thread of its own, so that this thread only receives it. */
const SENDER = `const { workerData: { url, headers, body }, parentPort } = require("node:worker_threads");
fetch(url, { method: "POST", headers, body }).then(async (answer) => parentPort.postMessage(await answer.text()));`;

async function deliveryStall(port: number): Promise<number> {
  const files = Array.from({ length: 80_000 }, (_, at) => ({ path: `infra/${at}/${"x".repeat(290)}.tf` }));
  const body = Buffer.from(JSON.stringify({ action: "opened", files }));
  const headers = {
    "content-type": "application/json",
    "x-github-event": "pull_request",
    "x-github-delivery": "1",
    "x-hub-signature-256": `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`,
  };
  const url = `http://127.0.0.1:${port}/api/github/webhooks`;
  const worker = new Worker(SENDER, { eval: true, workerData: { url, headers, body } });
  await once(worker, "online");
  const stall = await stallOf(() => once(worker, "message"));
  await worker.terminate();
  return stall;
}

/** A platform in a process of its own, which measures the longest time for which it answers nothing. */
async function startPlatform() {
  const child = fork(new URL("../test/platform-server/hostile-server.ts", import.meta.url));
  const answer = async <T>(message?: string): Promise<T> => {
    if (message !== undefined) child.send(message);
    const [value] = await once(child, "message");
    return value as T; // as `hostile-server.ts` sends it
  };
  const { url, key } = await answer<{ url: string; key: string }>();
  const call = async (path: string, body?: string, { status = 200, type = "json" } = {}): Promise<void> => {
    const headers = { "x-api-key": key, "platform-account": "acc-1", "content-type": `application/${type}` };
    const response = await fetch(
      url + path,
      body === undefined ? { headers } : { method: "POST", headers, body },
    );
    const text = await response.text();
    if (response.status !== status) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
  };
  const stage = { pipeline_stage_id: "stage-1" };
  return {
    stop: () => child.kill(),
    stallOf: async (work: () => Promise<void>): Promise<number> => {
      await answer("begin");
      await work();
      return (await answer<{ stallMs: number }>("end")).stallMs;
    },
    refuse: () => call("/tollgate/v1/ingest", `[${'{"a":0},'.repeat(1_874_990)}0]`, { status: 400 }),
    createStage: async (execution: string): Promise<string> => {
      const body = {
        ...stage,
        pipeline: "deploy",
        workspace: "prod-network",
        pipeline_execution_id: execution,
      };
      await call(EXECUTIONS, JSON.stringify(body));
      return execution;
    },
    /** Stores costs of so many resources. */
    store: (execution: string, resources: number) => {
      const about = { org: "acme", project: "payments", ...stage, pipeline_execution_id: execution };
      const body = { ...about, status: "success", cost: costsOf(resources) };
      return call("/tollgate/v1/ingest", JSON.stringify(body));
    },
    readCosts: (execution: string) => call(`${EXECUTIONS}/${execution}/cost-changes-all-stages`),
    storeChanges: (execution: string) => {
      const path = `${EXECUTIONS}/${execution}/stage-1/resource-changes/planned_changes/1`;
      return call(path, JSON.stringify(buildChanges()), { type: "octet-stream" });
    },
  };
}

const AMOUNTS = {
  ...{ current_monthly_cost: "12.34", previous_monthly_cost: "10.00", diff_monthly_cost: "2.34" },
  percentage_change_monthly_cost: 23.4,
};

/** The costs of one stage with so many resources, 336 bytes each. */
function costsOf(resources: number) {
  const diff = Array.from({ length: resources }, (_, at) => ({
    ...{ name: `module.m${at % 500}.aws_instance.this["${at}"]`, ...AMOUNTS },
    subresources: { compute: AMOUNTS },
  }));
  return cost("20000", { diff: { aws_instance: { ...AMOUNTS, diff } } });
}

function buildChanges() {
  const value = {
    change: "changed",
    drift: false,
    old: "ami-0123456789",
    new: "ami-9876543210",
    sensitive: false,
  };
  const changes = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`attribute_${at}`, value]));
  return Array.from({ length: 10_000 }, (_, at) => ({
    ...{ provider: "aws", type: "aws_instance", name: `i-${at}`, module: `m${at % 50}`, change: "changed" },
    ...{ resource_address: `module.m${at % 50}.aws_instance.i-${at}`, changes },
  }));
}

/** CI reports the costs, and the bot with the embedded database in the same process evaluates them. */
async function evaluationStall(world: World): Promise<number> {
  const pull = world.opensPullRequest();
  await world.settles();
  const id = await world.ci.runs({ sha: pull.headSha, changes: [], status: null, bind: "none" });
  const key = await world.ci.token({ purpose: "api" });
  const stage = { pipeline_execution_id: id, pipeline_stage_id: `${id}-plan` };
  const about = { stage_execution_id: stage.pipeline_stage_id, workspace_id: "production" };
  const body = JSON.stringify({
    ...{ org: OWNER, project: NAME, ...stage, status: "success" },
    ...{ commit: { repository: REPOSITORY, sha: pull.headSha }, cost: { ...costsOf(10_000), ...about } },
  });
  return stallOf(async () => {
    const headers = { "x-api-key": key, "platform-account": "acc", "content-type": "application/json" };
    const response = await fetch(`${world.bot.url}/tollgate/v1/ingest`, { method: "POST", body, headers });
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    await world.settles();
  });
}
