import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../kernel/clock.ts";
import { createPlatformClient, type PlatformClient } from "../../platform/client.ts";
import type { ReachablePlatform, ResolveLocalPlatform } from "./run.ts";

/** Limits in ms. Storing a page or committing a large upload takes longer than a read. */
const LIMITS = { headersMs: 120_000, bodyMs: 30_000, totalMs: 180_000, connections: 2 } as const;

/** Connects to the platform for imports, with long time limits and two connections. */
export const connectForImport = ({ url, token, account }: Omit<ReachablePlatform, "close">): PlatformClient =>
  createPlatformClient({
    ...{ url, token, account, dialect: "neutral", limits: LIMITS },
    ...{ clock: systemClock, random: Math.random, sleep },
  });

/** Where an embedded platform is. */
export interface ImportPlatform {
  /** Without it, the platform of this machine. */
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly account?: string | undefined;
}

/** Calls `use` with a client of the platform at the address, and the account; closes what was opened. */
export async function withPlatform<T>(
  { url, token, account = "tollgate" }: ImportPlatform,
  resolveLocal: ResolveLocalPlatform,
  use: (client: PlatformClient, account: string) => Promise<T>,
): Promise<T> {
  const isLocal = url === undefined || token === undefined;
  const reachable = isLocal ? await resolveLocal() : { url, token, account, close: async () => {} };
  const client = connectForImport(reachable);
  try {
    return await use(client, reachable.account);
  } finally {
    await client.close();
    await reachable.close();
  }
}
