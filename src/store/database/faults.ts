import { TollgateError } from "../../kernel/errors.ts";

/** What is wrong with a database, as the end of a sentence that begins with its name, and what an operator can do about it. */
export interface DatabaseFault {
  readonly found: string;
  readonly hint: string;
}

const STARTING: DatabaseFault = {
  found: "it is starting or stopping",
  hint: "Nothing is to be done if that ends in a moment; else see PostgreSQL's log.",
};
const UNKNOWN_HOST: DatabaseFault = {
  found: "its host name is not known",
  hint: "Check the name in DATABASE_URL and the name server of this machine.",
};
const UNTRUSTED: DatabaseFault = {
  found: "its TLS certificate is not trusted",
  hint: "Set NODE_EXTRA_CA_CERTS to the file of its certificate authority, or correct the host in DATABASE_URL.",
};
const REFUSED_USER: DatabaseFault = {
  found: "it refuses the user or the password",
  hint: "Correct user and password in DATABASE_URL (special characters of the password percent-encoded), or permit them in pg_hba.conf, and restart Tollgate.",
};
const DAMAGED: DatabaseFault = {
  found: "it is damaged",
  hint: "Restore a backup (docs/operations/backup.md).",
};
const SILENT: DatabaseFault = {
  found: "no answer",
  hint: "Check that PostgreSQL runs, that host and port in DATABASE_URL are right, and that no firewall is between.",
};

/**
 * By codes of sockets, of TLS and of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html). The words name no address
 * and no user, because /readyz shows them to anybody.
 */
const FAULTS: Readonly<Record<string, DatabaseFault>> = {
  ECONNREFUSED: {
    found: "nothing listens on its address",
    hint: "Start PostgreSQL. If it moved, correct DATABASE_URL and restart Tollgate.",
  },
  ETIMEDOUT: SILENT,
  EHOSTUNREACH: SILENT,
  ENETUNREACH: SILENT,
  ENOTFOUND: UNKNOWN_HOST,
  EAI_AGAIN: UNKNOWN_HOST,
  "25006": {
    found: "it is read-only",
    hint: "Let the address in DATABASE_URL lead to the primary, or end the read-only mode. Tollgate opens new connections until one can write.",
  },
  "28000": REFUSED_USER,
  "28P01": REFUSED_USER,
  "3D000": {
    found: "the database is not there",
    hint: "Create it (createdb), or restore it, or correct the name in DATABASE_URL; then restart Tollgate.",
  },
  "53100": {
    found: "its disk is full",
    hint: "Free some space on PostgreSQL's disk. The work is tried again by itself; nothing that was accepted is lost.",
  },
  "53300": {
    found: "it has no free connection",
    hint: "Raise max_connections, or end other clients. A Tollgate process uses up to DATABASE_CONNECTIONS, which is 15 unless it is set.",
  },
  "57014": {
    found: "it cancels queries",
    hint: "Raise or reset statement_timeout of Tollgate's user or database, or find out who cancels them.",
  },
  "57P01": STARTING,
  "57P02": STARTING,
  "57P03": STARTING,
  XX001: DAMAGED,
  XX002: DAMAGED,
  "58P01": DAMAGED,
  "58030": DAMAGED,
  database_damaged: DAMAGED,
};

/** Codes that are about the database only while it is opened: later they are also those of a missing file, another server or one table. */
const OPENING_FAULTS: Readonly<Record<string, DatabaseFault>> = {
  ...FAULTS,
  ENOENT: SILENT,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  CERT_HAS_EXPIRED: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: UNTRUSTED,
  "42501": {
    found: "its user lacks a right",
    hint: "Make it the owner of the database and of its tables: ALTER DATABASE … OWNER TO …, ALTER TABLE … OWNER TO ….",
  },
};

/** What an error, or one of its causes, says about the database at any time; null: nothing. */
export const findDatabaseFault = (error: unknown): DatabaseFault | null => findFault(FAULTS, error);

/** As `findDatabaseFault`, of an error of a connection that is being opened. */
export const findOpeningFault = (error: unknown): DatabaseFault | null => findFault(OPENING_FAULTS, error);

function findFault(faults: typeof FAULTS, error: unknown): DatabaseFault | null {
  // The queue hands on copies of errors that are no errors any more.
  for (let one = error; typeof one === "object" && one !== null; one = "cause" in one ? one.cause : null) {
    const code = getCode(one);
    const known = isConnecting(one) ? OPENING_FAULTS : faults;
    if (Object.hasOwn(known, code)) return known[code] ?? null;
  }
  return null;
}

const getCode = (error: object): string =>
  "code" in error && typeof error.code === "string" ? error.code : "";

/** Whether it is an error of a connect call, such as to the socket of a PostgreSQL that restarts. */
const isConnecting = (error: object): boolean => "syscall" in error && error.syscall === "connect";

/** What is wrong with a database that did not answer a query with this error. */
export const describeDatabaseFault = (error: unknown): DatabaseFault => findOpeningFault(error) ?? SILENT;

/** Creates the error for stored data that is missing or unreadable. `found` says where, and what was found. */
export const createDamageError = (found: string, cause?: unknown): TollgateError =>
  new TollgateError("database_damaged", `the database is damaged: ${found}`, {
    cause,
    hint: "Restore a backup (docs/operations/backup.md), or name another database or data directory to begin without what was recorded.",
  });
