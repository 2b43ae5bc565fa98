import {
  createPlatformClient,
  type PlatformClient,
  type PlatformClientOptions,
} from "../../platform/client.ts";
import type { ReachablePlatform } from "./run.ts";

/** Storing a page or the end of a large upload takes longer than a read. In ms. */
const LIMITS = { headersMs: 120_000, bodyMs: 30_000, totalMs: 180_000, connections: 2 } as const;

/** A client for imports: patient, two connections. */
export function connectForImport(
  { url, token, account }: ReachablePlatform,
  tools: Pick<PlatformClientOptions, "clock" | "random" | "sleep">,
): PlatformClient {
  return createPlatformClient({ url, token, account, dialect: "neutral", ...tools, limits: LIMITS });
}
