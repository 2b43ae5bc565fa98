import { pino } from "pino";
import { queuedDelivery } from "../../src/deliveries/queued-delivery.ts";
import type { JobDeps, PolicyTasks } from "../../src/evaluate/run/deps.ts";
import { createGitHubApp, type GitHubApp } from "../../src/github/app.ts";
import { createPlatformClient } from "../../src/platform/client.ts";
import type { Transport } from "../../src/platform/transport.ts";
import { TASKS, type Task } from "../../src/policy/task.ts";
import { ConditionRun } from "../../src/policy/when/condition-run.ts";
import { OperatorFile, resolveNames } from "../../src/settings/operator.ts";
import { NO_TELEMETRY } from "../../src/telemetry/telemetry.ts";
import { buildJobDeps } from "../../src/wiring/job-deps.ts";
import { startJobs } from "../../src/wiring/jobs.ts";
import { collectHandlers } from "../github/deliveries.ts";
import type { OpenDatabase, Rewrite } from "./database.ts";
import type { JobStore } from "./job-store.ts";
import type { Life } from "./life.ts";
import { BOT_URL } from "./places.ts";
import type { Scheduler } from "./scheduler.ts";
import {
  createFetch,
  GITHUB_URL,
  type SendRequest,
  type SentDelivery,
  type SimulatedGitHub,
} from "./simulated-github.ts";
import type { SimulatedPlatform } from "./simulated-platform.ts";
import type { SimulatedQueue } from "./simulated-queue.ts";

export const SECRET = "a secret of the simulation";
const log = pino({ level: "silent" });

/** Where a mutant changes the bot: it puts something wrong around one of its parts. */
export interface Mutant {
  readonly deps?: (deps: JobDeps) => JobDeps;
  readonly queue?: (queue: SimulatedQueue, store: JobStore) => SimulatedQueue;
  readonly statement?: Rewrite;
  /** Around the requests to GitHub. */
  readonly github?: (send: SendRequest) => SendRequest;
  /** Around the requests to the platform. */
  readonly platform?: (transport: Transport) => Transport;
}

/** One life of the bot. */
export interface RunningBot {
  readonly life: Life;
  readonly queue: SimulatedQueue;
  readonly database: OpenDatabase;
  /** Ends the sweep. */
  stop(): Promise<void>;
  /** What became of a delivery. */
  receive(delivery: SentDelivery): Promise<"stored" | "ignored" | "failed">;
}

export interface BotParts {
  readonly scheduler: Scheduler;
  readonly github: SimulatedGitHub;
  readonly platform: SimulatedPlatform;
  readonly database: OpenDatabase;
  readonly queue: SimulatedQueue;
  readonly store: JobStore;
  readonly life: Life;
  readonly app: { readonly id: number; readonly privateKey: string };
  readonly trustedPoster: number;
  readonly mutant: Mutant;
}

/** Policies are evaluated in this thread: the stories' have no conditions that could stall it. */
const perform = async ({ kind, input }: Task): Promise<unknown> => {
  // The input belongs to this kind of task; the compiler cannot follow the lookup by kind.
  const performer = TASKS[kind].perform as (input: unknown, conditions: ConditionRun) => unknown;
  return performer(input, new ConditionRun());
};
export const policies: PolicyTasks = {
  inForce: perform as PolicyTasks["inForce"],
  proposed: perform as PolicyTasks["proposed"],
}; // each performer makes its kind's result

/** Starts the bot: its handlers of events, deliveries, lanes, comments and sweep, on simulated neighbours. */
export async function startSimulatedBot(parts: BotParts): Promise<RunningBot> {
  const { database, life, mutant } = parts;
  const app = connectApp(parts);
  const queue = mutant.queue?.(parts.queue, parts.store) ?? parts.queue;
  const client = connectPlatform(parts);
  const own = buildDeps({ ...parts, queue }, app, client);
  const deps = mutant.deps?.(own) ?? own;
  const stored = new Set<string>();
  const handlers = collectHandlers({
    ownAppId: parts.app.id,
    platformHosts: deps.operator.platformHosts,
    accept: async (delivery) => {
      const acceptance = await queue.acceptDelivery(delivery.id, queuedDelivery.pack(delivery));
      stored.add(delivery.id);
      return acceptance;
    },
  });
  const receive = async (delivery: SentDelivery) => {
    if (!(await deliver(handlers, delivery))) return "failed";
    return stored.has(delivery.guid) ? "stored" : "ignored";
  };
  const { stop } = await startJobs(deps, app, log);
  return { life, queue, database, stop, receive };
}

function connectApp({ scheduler, github, life, app, mutant }: BotParts): GitHubApp {
  const { time: clock } = scheduler;
  const send = github.senderFor(life);
  return createGitHubApp({
    appId: app.id,
    privateKey: app.privateKey,
    apiUrl: GITHUB_URL,
    fetch: createFetch(mutant.github?.(send) ?? send),
    clock,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    writeSpacingMs: 1_000,
  });
}

const connectPlatform = ({
  scheduler,
  platform,
  life,
  mutant: { platform: around = (own) => own },
}: BotParts) =>
  createPlatformClient({
    url: BOT_URL,
    token: "simulated",
    account: "acc",
    dialect: "neutral",
    clock: scheduler.time,
    random: () => 0.5,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    limits: { totalMs: 12_000, tries: 2 },
    transport: around(platform.transportFor(life)),
  });

const rendered: { template: JobDeps | null } = { template: null };

function buildDeps(
  { scheduler, database, queue, app, trustedPoster }: BotParts,
  gitHubApp: GitHubApp,
  client: ReturnType<typeof connectPlatform>,
): JobDeps {
  const { time: clock } = scheduler;
  const settings = {
    dataDirectory: "",
    databaseUrl: null,
    platform: { kind: "embedded", account: "acc" },
    github: null,
    githubUrl: GITHUB_URL,
    githubWriteSpacingMs: 1_000,
    laneSpacingMs: 1_000,
    port: 4000,
    host: "127.0.0.1",
    publicUrl: BOT_URL,
    oidcIssuer: null,
    trustedProxies: [],
    operator: resolveNames(OperatorFile.parse({ trusted_posters: { users: [trustedPoster] } })),
    encryptionKey: null,
    orgPolicy: "read",
    alwaysCheck: false,
    logLevel: "silent",
    databaseConnections: 15,
    githubBatch: true,
    telemetry: { metricsPort: null, metricsToken: null, tracesUrl: null },
  } as const;
  const github = {
    appId: app.id,
    installation: (id: number) => gitHubApp.installation(id),
    pages: GITHUB_URL,
  };
  // The templates are compiled once for all stories.
  const store = { db: database.db } as Parameters<typeof buildJobDeps>[1]["session"]["store"]; // only `db` is used
  rendered.template ??= buildJobDeps(settings, {
    session: { store, queue, clock, laneSpacingMs: 1_000 },
    platform: { client, backgroundClient: client, pace: null, findByCommit: null },
    github,
    policies,
    log,
    isOneShot: false,
  });
  return {
    ...rendered.template,
    db: database.db,
    queue,
    clock,
    telemetry: NO_TELEMETRY,
    ownAppId: app.id,
    github: github.installation,
    platform: client,
    backgroundPlatform: client,
    operator: { ...rendered.template.operator, trustedUsers: new Set([trustedPoster]) },
  };
}

/** Gives a delivery to the handler of its event, as Probot does once it is verified. Whether it was accepted. */
export async function deliver(
  handlers: ReturnType<typeof collectHandlers>,
  { guid: id, event: name, body }: SentDelivery,
): Promise<boolean> {
  try {
    await handlers.get(name)?.({ id, name, payload: JSON.parse(body) });
    return true;
  } catch {
    return false;
  }
}
