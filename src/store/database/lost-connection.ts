import { TollgateError } from "../../kernel/errors.ts";
import { findDatabaseFault } from "./faults.ts";

/** PostgreSQL's code for a write to a server that only reads, such as a stand-by. */
export const READ_ONLY = "25006";

/**
 * PostgreSQL's codes for: connection failures (class 08), a server that shuts down or starts, too many
 * connections, a connection that idled too long. A connection to a server that only reads is lost too: after a failover another one
 * leads to the new primary.
 */
const SERVER_CODE = new RegExp(`^(08\\w{3}|57P0[1235]|25P03|53300|${READ_ONLY})$`);
const SOCKET_CODES = new Set([
  ...["ECONNRESET", "ECONNREFUSED", "ECONNABORTED", "EPIPE", "ETIMEDOUT"],
  ...["EHOSTUNREACH", "ENETUNREACH", "ENETDOWN", "EAI_AGAIN", "ENOTFOUND"],
]);
/** `pg` gives these errors no code. */
const UNCODED =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired)/;

/** Whether a statement failed because its connection to PostgreSQL ended or could not be opened, not because of its content. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof TollgateError) return error.code === "database_connection_lost";
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  if (typeof code === "string" && (SERVER_CODE.test(code) || SOCKET_CODES.has(code))) return true;
  return UNCODED.test(error.message);
}

/** Converts a lost connection to a `TollgateError`; returns any other error unchanged. */
export function toConnectionError(error: unknown): unknown {
  if (error instanceof TollgateError || !isConnectionLost(error)) return error;
  const fault = findDatabaseFault(error);
  const found =
    fault === null ? "the connection to PostgreSQL was lost" : `PostgreSQL cannot be used: ${fault.found}`;
  const hint = fault?.hint ?? "Check PostgreSQL's log.";
  return new TollgateError("database_connection_lost", found, {
    cause: error,
    retryable: true,
    hint: `${hint} The work is tried again by itself as soon as PostgreSQL can be used.`,
  });
}

/**
 * Pauses before further attempts, in ms: PostgreSQL restarts in one to two seconds, and GitHub waits ten
 * seconds for an answer.
 */
const PAUSES_MS = [50, 200, 800, 2_000] as const;
/** Work that took longer, in ms, is not repeated: its connection was not lost by a restart, and nobody waits any more. */
const LONGEST_ATTEMPT_MS = 10_000;

/**
 * Runs idempotent work again while the connection is lost.
 *
 * @throws TollgateError `database_connection_lost` when the last attempt also lost its connection
 */
export async function retryLost<T>(work: () => Promise<T>, mayRetry: () => boolean = () => true): Promise<T> {
  for (const pause of PAUSES_MS) {
    const beganMs = performance.now();
    try {
      return await work();
    } catch (error) {
      const isLate = performance.now() - beganMs > LONGEST_ATTEMPT_MS;
      if (isLate || !isConnectionLost(error) || !mayRetry()) throw toConnectionError(error);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return work().catch((error: unknown) => {
    throw toConnectionError(error);
  });
}
