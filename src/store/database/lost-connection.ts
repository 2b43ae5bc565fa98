import { TollgateError } from "../../kernel/errors.ts";

/** PostgreSQL's own codes: connection failures (class 08), a server that shuts down or starts, too many connections. */
const SERVER_CODE = /^(08\w{3}|57P0[123]|53300)$/;
const SOCKET_CODES = new Set([
  ...["ECONNRESET", "ECONNREFUSED", "ECONNABORTED", "EPIPE", "ETIMEDOUT"],
  ...["EHOSTUNREACH", "ENETUNREACH", "ENETDOWN", "EAI_AGAIN"],
]);
/** `pg` gives these errors no code. */
const UNCODED =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;

/** Whether a statement failed because its connection to PostgreSQL ended or could not be made, and not by what it said. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof TollgateError) return error.code === "database_connection_lost";
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  if (typeof code === "string" && (SERVER_CODE.test(code) || SOCKET_CODES.has(code))) return true;
  return UNCODED.test(error.message);
}

/** The failure as callers know it; any other error comes back as it is. */
export function toConnectionError(error: unknown): unknown {
  if (error instanceof TollgateError || !isConnectionLost(error)) return error;
  return new TollgateError("database_connection_lost", "the connection to PostgreSQL was lost", {
    cause: error,
    retryable: true,
    hint: "Check PostgreSQL's log. The work is tried again by itself as soon as PostgreSQL answers.",
  });
}

/** Pauses before a further try, in milliseconds: a restart of PostgreSQL takes a second or two, and GitHub waits ten for an answer. */
const PAUSES_MS = [50, 200, 800, 2_000] as const;

/**
 * FactReadAttempts again while the connection is lost. For work that may happen twice: it changed nothing yet, or doing it again changes
 * nothing more.
 *
 * @throws TollgateError `database_connection_lost` when the last try lost its connection, too
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
