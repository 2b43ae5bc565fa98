import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { CommitExecutionFinder } from "../../evaluate/run/deps.ts";
import type { CallPace } from "../../platform/call-pace.ts";
import { createPlatformClient, type PlatformCall, type PlatformClient } from "../../platform/client.ts";
import type { Transport } from "../../platform/transport.ts";
import { findExecutionsByCommit } from "../../platform-server/executions/store/commits.ts";
import type { Settings } from "../../settings/settings.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import type { StoreSession } from "../process/store-session.ts";
import { createEmbeddedApp, type EmbeddedApp } from "./embedded.ts";
import { createInProcessTransport, IN_PROCESS_URL } from "./in-process-transport.ts";
import { createThreadIngestReader } from "./ingest-in-thread.ts";
import { shareCalls } from "./share-calls.ts";

/** The platform that the bot reads: the embedded one or the operator's. */
export interface ConnectedPlatform {
  readonly client: PlatformClient;
  /** Client for facts that are only shown. */
  readonly backgroundClient: PlatformClient;
  /** Pace of `client`; null: nothing limits its calls. */
  readonly pace: CallPace | null;
  /** Null for the operator's platform. */
  readonly embedded: EmbeddedApp | null;
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

/** `transport` replaces the connections to the operator's platform. */
export async function connectPlatform(
  settings: Settings,
  session: StoreSession,
  {
    log,
    telemetry,
    transport,
  }: { readonly log: Logger; readonly telemetry: Telemetry; readonly transport?: Transport | undefined },
): Promise<ConnectedPlatform> {
  const { platform } = settings;
  const tools = {
    clock: session.clock,
    random: Math.random,
    sleep: (ms: number) => sleep(ms),
    onCall: (call: PlatformCall) => recordPlatformCall(telemetry, call),
  };
  if (platform.kind === "remote") {
    const { pace, backgroundPace, close } = await shareCalls(session, log, platform.callsPerMinute);
    const remote = { ...platform, ...tools, ...(transport && { transport }) };
    const client = createPlatformClient({ ...remote, pace, limits: LIMITS });
    const spare = createPlatformClient({ ...remote, pace: backgroundPace, limits: SPARE });
    return {
      client,
      backgroundClient: spare,
      pace,
      embedded: null,
      findByCommit: null,
      close: async () => {
        await close();
        await closeAll([client, spare]);
      },
    };
  }
  const { account } = platform;
  const embedded = await createEmbeddedApp(session, settings, {
    log,
    readLargeIngest: createThreadIngestReader(),
  });
  const { token } = embedded;
  const inProcess = createInProcessTransport((request) => embedded.app.fetch(request));
  const own = { url: IN_PROCESS_URL, token, account, dialect: "neutral" as const, ...tools };
  const client = createPlatformClient({ ...own, transport: inProcess, limits: LIMITS });
  const spare = createPlatformClient({ ...own, transport: inProcess, limits: SPARE });
  return {
    client,
    backgroundClient: spare,
    pace: null,
    embedded,
    findByCommit: createCommitFinder(session, account),
    close: async () => {
      await closeAll([client, spare]);
      await embedded.close();
    },
  };
}

/** Returns the finder of executions by the commits that imports recorded for them. */
export const createCommitFinder =
  ({ store }: Pick<StoreSession, "store">, account: string): CommitExecutionFinder =>
  async (commit) => {
    const found = await findExecutionsByCommit(store.db, { account, ...commit });
    return found.map(({ org, project, pipelineExecutionId: executionId }) => ({ org, project, executionId }));
  };
function recordPlatformCall(telemetry: Telemetry, { operation, outcome, seconds }: PlatformCall): void {
  telemetry.count("tollgate_platform_calls_total", { operation, outcome });
  telemetry.observe("tollgate_platform_call_seconds", seconds, { outcome });
  telemetry.called({ name: `platform ${operation}`, outcome, seconds });
}

const closeAll = async (clients: readonly PlatformClient[]): Promise<void> => {
  await Promise.all(clients.map((client) => client.close()));
};
