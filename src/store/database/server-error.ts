import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { type ErrorCode, TollgateError } from "../../kernel/errors.ts";
import { type DatabaseFault, findOpeningFault } from "./faults.ts";
import { SteadyClient } from "./steady-client.ts";

/** The oldest supported PostgreSQL: the oldest that its project still maintains, and that the tests run on. */
const OLDEST_MAJOR = 15;

/**
 * Makes the first query of a PostgreSQL, and refuses one that is too old.
 *
 * @throws TollgateError `database_unusable`
 */
export async function requireServer<T>(db: Kysely<T>, url: string, oldest = OLDEST_MAJOR): Promise<void> {
  const version = await readServerVersion(db).catch((error: unknown) => {
    throw toServerError(url, error, toUncodedFault(error));
  });
  if (Math.floor(version / 10_000) >= oldest) return;
  throw new TollgateError(
    "database_unusable",
    `the PostgreSQL of DATABASE_URL has version ${formatServerVersion(version)}, and Tollgate needs ${oldest} or newer`,
    { hint: `Upgrade PostgreSQL to ${oldest} or newer; nothing was changed.` },
  );
}

/** Returns PostgreSQL's version as its number, such as 150004. */
export async function readServerVersion<T>(db: Kysely<T>): Promise<number> {
  const { rows } = await sql<{
    version: number;
  }>`select current_setting('server_version_num')::int as version`.execute(db);
  return rows[0]?.version ?? 0;
}

/** Formats PostgreSQL's version number as people write it: `15.4`, and `9.6.24` before version 10. */
export function formatServerVersion(version: number): string {
  const [major, rest] = [Math.floor(version / 10_000), version % 10_000];
  return major >= 10 ? `${major}.${rest}` : `${major}.${Math.floor(rest / 100)}.${rest % 100}`;
}

/**
 * Converts an error of a PostgreSQL that is being opened to one that names its cause; returns an error of another kind unchanged.
 *
 * @param url of the server; its password does not appear in the error
 */
export function toServerError(url: string, error: unknown, otherwise: DatabaseFault | null = null): unknown {
  if (error instanceof TollgateError && !WITHOUT_CAUSE.includes(error.code)) return error;
  const fault = findOpeningFault(error) ?? otherwise;
  if (fault === null) return error;
  return new TollgateError(
    "database_unusable",
    `the PostgreSQL of DATABASE_URL cannot be used: ${fault.found} (${formatServerAddress(url)})`,
    { cause: error, hint: fault.hint, retryable: true },
  );
}

/** Codes of errors whose cause says what is wrong with the server; all others say it themselves. */
const WITHOUT_CAUSE: readonly ErrorCode[] = ["database_connection_lost", "migration_failed"];

/** `pg` gives errors of its own no code; their texts contain no password. */
function toUncodedFault(error: unknown): DatabaseFault {
  const root = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const message = root instanceof Error ? root.message : "no reason";
  return {
    found: `the connection fails: ${message}`,
    hint: "Check user, password and TLS options (sslmode) in DATABASE_URL.",
  };
}

/** What a server's address says to a person; contains no password. */
function formatServerAddress(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return "its address cannot be read";
  const host = parsed.hostname || parsed.searchParams.get("host") || "localhost";
  const server = host.startsWith("/") ? host : `${host}:${parsed.port || "5432"}`;
  const user = decode(parsed.username) || "of this account";
  return `user ${user}, database ${decode(parsed.pathname.slice(1)) || user}, ${server}`;
}

/** Decodes what is percent-encoded; a text with a "%" that encodes nothing stays as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const CONNECT_MS = 5_000;

/**
 * Connects to a PostgreSQL once, changes nothing, and returns what `read` reads there.
 *
 * @throws TollgateError `database_unusable`
 */
export async function examineServer<T>(url: string, read: (db: Kysely<unknown>) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: CONNECT_MS,
    Client: SteadyClient,
  });
  pool.on("error", () => {});
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    await requireServer(db, url);
    // Not an option of the connection: a proxy refuses those, or keeps them for the next client.
    return await db.transaction().setAccessMode("read only").execute(read);
  } finally {
    await db.destroy();
  }
}
