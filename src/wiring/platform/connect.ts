import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { CommitExecutionFinder } from "../../evaluate/run/deps.ts";
import {
  type CallPace,
  createCallPace,
  createPlatformClient,
  type PlatformCall,
  type PlatformClient,
} from "../../platform/client.ts";
import type { Transport } from "../../platform/transport.ts";
import { findExecutionsByCommit } from "../../platform-server/executions/commits.ts";
import type { Settings } from "../../settings/read.ts";
import { removeProcess, saveHeartbeat } from "../../store/replicas/turns.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import type { StoreSession } from "../process/store-session.ts";
import { repeat } from "../repeat.ts";
import {
  createEmbeddedPlatform,
  createInProcessTransport,
  type EmbeddedOptions,
  type EmbeddedPlatform,
  IN_PROCESS_URL,
  type PlatformSession,
} from "./embedded.ts";
import { createThreadIngestReader } from "./ingest-in-thread.ts";

export interface ConnectedPlatform {
  readonly client: PlatformClient;
  /** Client for facts that are only shown. */
  readonly backgroundClient: PlatformClient;
  /** Pace of `client`; null: nothing limits its calls. */
  readonly pace: CallPace | null;
  /** Null for the operator's platform. */
  readonly embedded: EmbeddedPlatform | null;
  readonly findByCommit: CommitExecutionFinder | null;
  close(): Promise<void>;
}

/**
 * A lane retries by itself, so a single read has short limits: 12 s in total, two attempts. An evaluation that has begun waits for each
 * of its turns: given up halfway, it would have spent its calls for nothing, and one of very many calls would never end.
 */
const LIMITS = {
  ...{ connectMs: 3_000, headersMs: 8_000, bodyMs: 8_000, totalMs: 12_000, tries: 2 },
  turnMs: Number.POSITIVE_INFINITY,
} as const;
/** Facts that are only shown may be omitted: 4 s in total, one attempt. */
const SPARE = {
  ...{ connectMs: 2_000, headersMs: 4_000, bodyMs: 4_000, totalMs: 4_000, tries: 1 },
  turnMs: 2_000,
} as const;

export interface ConnectOptions {
  readonly log: Logger;
  readonly telemetry: Telemetry;
  /** Replaces the connections to the operator's platform. */
  readonly transport?: Transport | undefined;
}

/** Connects to the platform that the settings name, with what a server needs. */
export async function connectPlatform(
  settings: Settings,
  session: PlatformSession,
  { log, telemetry, transport }: ConnectOptions,
): Promise<ConnectedPlatform> {
  const { platform } = settings;
  if (platform.kind === "embedded")
    return connectEmbedded(settings, session, {
      ...{ log, telemetry },
      readLargeIngest: createThreadIngestReader(),
    });
  const { pace, backgroundPace, close } = await shareCalls(session, log, platform.callsPerMinute);
  const remote = { ...platform, ...buildTools(session, telemetry), ...(transport && { transport }) };
  const client = createPlatformClient({ ...remote, pace, limits: LIMITS });
  const spare = createPlatformClient({ ...remote, pace: backgroundPace, limits: SPARE });
  return {
    ...{ client, backgroundClient: spare, pace, embedded: null, findByCommit: null },
    close: async () => {
      await close();
      await Promise.all([client.close(), spare.close()]);
    },
  };
}

export async function connectEmbedded(
  settings: Settings,
  session: PlatformSession,
  { telemetry, ...options }: EmbeddedOptions & { readonly telemetry: Telemetry },
): Promise<ConnectedPlatform> {
  const { account } = settings.platform;
  const embedded = await createEmbeddedPlatform(session, settings, options);
  const own = {
    ...{ url: IN_PROCESS_URL, token: embedded.token, account, dialect: "neutral" as const },
    transport: createInProcessTransport((request) => embedded.app.fetch(request)),
    ...buildTools(session, telemetry),
  };
  return {
    client: createPlatformClient({ ...own, limits: LIMITS }),
    backgroundClient: createPlatformClient({ ...own, limits: SPARE }),
    pace: null,
    embedded,
    findByCommit: (commit) => findExecutionsByCommit(session.store.db, { account, ...commit }),
    close: embedded.close,
  };
}

const buildTools = ({ clock }: PlatformSession, telemetry: Telemetry) => ({
  ...{ clock, random: Math.random, sleep: (ms: number) => sleep(ms) },
  onCall: (call: PlatformCall) => recordPlatformCall(telemetry, call),
});

function recordPlatformCall(telemetry: Telemetry, { operation, outcome, seconds }: PlatformCall): void {
  telemetry.count("tollgate_platform_calls_total", { operation, outcome });
  telemetry.observe("tollgate_platform_call_seconds", seconds, { outcome });
  telemetry.called({ name: `platform ${operation}`, outcome, seconds });
}

/** Interval between two heartbeats of a process, in ms. */
const HEARTBEAT_MS = 5_000;
/** A process whose heartbeat is older than this does not count, in ms. */
const MAX_AGE_MS = 20_000;

/** Limits this process to its part of the calls to the platform: all running processes on the database have equal parts. */
export async function shareCalls(
  { store, clock }: Pick<StoreSession, "store" | "clock">,
  log: Pick<Logger, "warn">,
  perMinute: number,
) {
  const background = Math.floor(perMinute / 3);
  const pace = createCallPace(clock, 1);
  /** Of facts that are only shown: they have a third of the calls, so that they delay no verdict. */
  const backgroundPace = createCallPace(clock, 1);
  const share = (processes: number): void => {
    pace.setLimit(Math.max(1, Math.floor((perMinute - background) / processes)));
    backgroundPace.setLimit(Math.max(1, Math.floor(background / processes)));
  };
  // The embedded database has one process.
  if (store.engine.kind === "pglite") {
    share(1);
    return { pace, backgroundPace, close: async () => {} };
  }
  const process = randomUUID();
  const beat = async (): Promise<void> => share(await saveHeartbeat(store.db, process, MAX_AGE_MS));
  await beat();
  const beating = repeat(beat, {
    ...{ firstMs: HEARTBEAT_MS, everyMs: HEARTBEAT_MS },
    onError: (error) => log.warn({ error }, "the number of processes could not be read"),
  });
  return {
    pace,
    backgroundPace,
    close: async () => {
      await beating.stop();
      await removeProcess(store.db, process).catch(() => {}); // its heartbeat counts until it is too old
    },
  };
}
