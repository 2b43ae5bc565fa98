import { type Kysely, sql } from "kysely";
import { TollgateError } from "../../kernel/errors.ts";

/** The oldest supported PostgreSQL: the oldest that its project still maintains, and that the tests run on. */
export const OLDEST_MAJOR = 15;

/**
 * Makes the first query of a PostgreSQL, and refuses one that is too old.
 *
 * @throws TollgateError `database_unusable`
 */
export async function requireServer<T>(db: Kysely<T>, url: string, oldest = OLDEST_MAJOR): Promise<void> {
  const version = await readServerVersion(db).catch((error: unknown) => {
    throw toServerError(url, error, explainUncoded(error));
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

/** What a server's address says to a person; contains no password. */
interface ServerAddress {
  readonly server: string;
  readonly user: string;
  readonly database: string;
}

type Explanation = (address: ServerAddress) => readonly [found: string, hint: string];

const explainSilence: Explanation = ({ server }) => [
  `${server} does not answer`,
  "Check that PostgreSQL runs, that host and port in DATABASE_URL are right, and that no firewall is between.",
];
const explainHostName: Explanation = ({ server }) => [
  `the host name of ${server} is not known`,
  "Correct the host in DATABASE_URL.",
];
const explainCertificate: Explanation = ({ server }) => [
  `the TLS certificate of ${server} is not trusted`,
  "Set NODE_EXTRA_CA_CERTS to the file of its certificate authority, or correct the host in DATABASE_URL.",
];
const explainRefusedUser: Explanation = ({ server, user }) => [
  `${server} refuses the user ${user}`,
  "Check that the user exists and that pg_hba.conf lets it connect from here.",
];

/** By codes of sockets, of TLS and of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  ECONNREFUSED: ({ server }) => [
    `nothing listens on ${server}`,
    "Start PostgreSQL, or correct host and port in DATABASE_URL.",
  ],
  ENOENT: explainSilence,
  ETIMEDOUT: explainSilence,
  EHOSTUNREACH: explainSilence,
  ENETUNREACH: explainSilence,
  ENOTFOUND: explainHostName,
  EAI_AGAIN: explainHostName,
  DEPTH_ZERO_SELF_SIGNED_CERT: explainCertificate,
  SELF_SIGNED_CERT_IN_CHAIN: explainCertificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: explainCertificate,
  CERT_HAS_EXPIRED: explainCertificate,
  ERR_TLS_CERT_ALTNAME_INVALID: explainCertificate,
  "28P01": ({ user }) => [
    `the password for the user ${user} is wrong, or there is no such user`,
    "Correct user and password in DATABASE_URL; special characters of the password are percent-encoded there.",
  ],
  "28000": explainRefusedUser,
  "3D000": ({ database }) => [
    `there is no database named ${database}`,
    `Create it (createdb ${database}), or correct the name in DATABASE_URL.`,
  ],
  "42501": ({ user, database }) => [
    `the user ${user} may not create tables in the database ${database}`,
    `Make it the owner: ALTER DATABASE "${database}" OWNER TO "${user}".`,
  ],
  "53300": ({ server }) => [
    `${server} has no free connection`,
    "Raise max_connections, or end other clients. A Tollgate process uses up to DATABASE_CONNECTIONS, which is 15 unless it is set.",
  ],
  "57P03": ({ server }) => [`${server} is starting or stopping`, "Wait until it is ready, and start again."],
};

/**
 * Converts an error of a PostgreSQL that is being opened to one that names its cause; returns an error of another kind unchanged.
 *
 * @param url of the server; its password does not appear in the error
 */
export function toServerError(url: string, error: unknown, otherwise: Explanation | null = null): unknown {
  const explain = findExplanation(error) ?? otherwise;
  if (explain === null) return error;
  const [found, hint] = explain(readServerAddress(url));
  return new TollgateError("database_unusable", `the PostgreSQL of DATABASE_URL cannot be used: ${found}`, {
    cause: error,
    hint,
    retryable: true,
  });
}

/** Looks at the error and its causes, because a lost connection and a failed migration wrap the server's own. */
function findExplanation(error: unknown): Explanation | null {
  for (let one = error; one instanceof Error; one = one.cause) {
    const code = "code" in one && typeof one.code === "string" ? one.code : "";
    if (code === "database_unusable") return null; // it names its cause already
    if (Object.hasOwn(EXPLANATIONS, code)) return EXPLANATIONS[code] ?? null;
  }
  return null;
}

/** `pg` gives errors of its own no code; their texts contain no password. */
function explainUncoded(error: unknown): Explanation {
  const root = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const message = root instanceof Error ? root.message : "no reason";
  return ({ server }) => [
    `the connection to ${server} fails: ${message}`,
    "Check user, password and TLS options (sslmode) in DATABASE_URL.",
  ];
}

function readServerAddress(url: string): ServerAddress {
  const parsed = URL.parse(url);
  if (parsed === null) return { server: "the server", user: "of DATABASE_URL", database: "of DATABASE_URL" };
  const host = parsed.hostname || parsed.searchParams.get("host") || "localhost";
  const user = decodeURIComponent(parsed.username) || "of this account";
  return {
    server: host.startsWith("/") ? host : `${host}:${parsed.port || "5432"}`,
    user,
    database: decodeURIComponent(parsed.pathname.slice(1)) || user,
  };
}
