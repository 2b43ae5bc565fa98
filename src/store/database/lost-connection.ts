import { TollgateError } from "../../kernel/errors.ts";

/**
 * PostgreSQL's codes for: connection failures (class 08), a server that shuts down or starts, too many
 * connections.
 */
const SERVER_CODE = /^(08\w{3}|57P0[123]|53300)$/;
const SOCKET_CODES = new Set([
  ...["ECONNRESET", "ECONNREFUSED", "ECONNABORTED", "EPIPE", "ETIMEDOUT"],
  ...["EHOSTUNREACH", "ENETUNREACH", "ENETDOWN", "EAI_AGAIN"],
]);
/** `pg` gives these errors no code. */
const UNCODED =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;

/**
 * Whether a statement failed because its connection to PostgreSQL ended or could not be opened, not because
 * of its content.
 */
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
  return new TollgateError("database_connection_lost", "the connection to PostgreSQL was lost", {
    cause: error,
    retryable: true,
    hint: "Check PostgreSQL's log. The work is tried again by itself as soon as PostgreSQL answers.",
  });
}

/**
 * Pauses before further attempts, in ms: PostgreSQL restarts in one to two seconds, and GitHub waits ten
 * seconds for an answer.
 */
const PAUSES_MS = [50, 200, 800, 2_000] as const;

/**
 * Runs idempotent work again while the connection is lost.
 *
 * @throws TollgateError `database_connection_lost` when the last attempt also lost its connection
 */
export async function retryLost<T>(work: () => Promise<T>, mayRetry: () => boolean = () => true): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isConnectionLost(error) || !mayRetry()) throw toConnectionError(error);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return work().catch((error: unknown) => {
    throw toConnectionError(error);
  });
}
