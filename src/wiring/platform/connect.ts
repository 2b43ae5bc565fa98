import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { FindByCommit } from "../../evaluate/run/deps.ts";
import { createPlatformClient, type PlatformClient } from "../../platform/client.ts";
import { executionsByCommit } from "../../platform-server/executions/store/commits.ts";
import type { Settings } from "../../settings/settings.ts";
import type { StoreSession } from "../process/store-session.ts";
import { type EmbeddedPlatform, startEmbeddedPlatform } from "./embedded.ts";

/** The platform that the bot reads: its own, or the operator's. */
export interface ConnectedPlatform {
  readonly client: PlatformClient;
  /** For what is only shown. */
  readonly spare: PlatformClient;
  /** Null on the operator's platform. */
  readonly embedded: EmbeddedPlatform | null;
  readonly findByCommit: FindByCommit | null;
  close(): Promise<void>;
}

/** A lane tries again by itself, so one read gives up early: 12 s in all, two tries. */
const LIMITS = { connectMs: 3_000, headersMs: 8_000, bodyMs: 8_000, totalMs: 12_000, tries: 2 } as const;
/** What is only shown may be left out: 4 s in all, one try. */
const SPARE = { connectMs: 2_000, headersMs: 4_000, bodyMs: 4_000, totalMs: 4_000, tries: 1 } as const;
/** The running service allows 400 calls a minute and key; what is only shown has a share of its own. */
const PER_MINUTE = 240;
const SPARE_PER_MINUTE = 120;

export async function connectPlatform(
  settings: Settings,
  session: StoreSession,
  log: Logger,
): Promise<ConnectedPlatform> {
  const { platform } = settings;
  const tools = { clock: session.clock, random: Math.random, sleep: (ms: number) => sleep(ms) };
  if (platform.kind === "remote") {
    const client = createPlatformClient({
      ...platform,
      ...tools,
      limits: { ...LIMITS, perMinute: PER_MINUTE },
    });
    const spare = createPlatformClient({
      ...platform,
      ...tools,
      limits: { ...SPARE, perMinute: SPARE_PER_MINUTE },
    });
    return { client, spare, embedded: null, findByCommit: null, close: () => closeAll([client, spare]) };
  }
  const { account } = platform;
  const embedded = await startEmbeddedPlatform(session, settings, log);
  const { url, token } = embedded;
  const own = { url, token, account, dialect: "neutral" as const, ...tools };
  const client = createPlatformClient({ ...own, limits: LIMITS });
  const spare = createPlatformClient({ ...own, limits: SPARE });
  return {
    client,
    spare,
    embedded,
    findByCommit: async (commit) => {
      const found = await executionsByCommit(session.store.db, { account, ...commit });
      return found.map(({ org, project, pipelineExecutionId: executionId }) => ({
        org,
        project,
        executionId,
      }));
    },
    close: async () => {
      await closeAll([client, spare]);
      await embedded.close();
    },
  };
}

const closeAll = async (clients: readonly PlatformClient[]): Promise<void> => {
  await Promise.all(clients.map((client) => client.close()));
};
