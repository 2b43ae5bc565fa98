import { sql } from "kysely";
import { MINUTE_MS, within } from "../kernel/clock.ts";
import { TollgateError } from "../kernel/errors.ts";
import {
  createDamageError,
  type DatabaseFault,
  describeDatabaseFault,
  findOpeningFault,
} from "./database/faults.ts";
import type { Db } from "./tables/tables.ts";

/** PostgreSQL's codes: data corrupted, index corrupted, a file is missing, a file cannot be read or written. */
const DAMAGE_CODES: ReadonlySet<unknown> = new Set(["XX001", "XX002", "58P01", "58030"]);
const DISK_FULL = "53100";

/**
 * Converts a failure of the database's files to a `TollgateError`; returns any other error unchanged.
 *
 * @param isServer whether it is a PostgreSQL server, which survives a full disk
 */
export function toDamageError(error: unknown, isServer = false): unknown {
  // The embedded database fails with this WebAssembly error when it can neither continue nor roll back, e.g.
  // because its log cannot be written.
  if (error instanceof Error && error.name === "RuntimeError")
    return new TollgateError("database_damaged", "the embedded database ended in the middle of a query", {
      cause: error,
      hint: "Check the disk of the data directory, and restart Tollgate. If it does not start, restore a backup (docs/operations/backup.md).",
    });
  if (!(error instanceof Error) || error instanceof TollgateError || !("code" in error)) return error;
  if (error.code === DISK_FULL && isServer)
    return new TollgateError("database_full", "PostgreSQL cannot be used: its disk is full", {
      cause: error,
      retryable: true,
      hint: "Free some space on PostgreSQL's disk. The work is tried again by itself; nothing that was accepted is lost.",
    });
  if (error.code === DISK_FULL)
    return new TollgateError("database_damaged", `the database's disk is full: ${error.message}`, {
      cause: error,
      hint: "Free some space, and restart Tollgate.",
    });
  if (!DAMAGE_CODES.has(error.code)) return error;
  return createDamageError(error.message, error);
}

/** How long a full disk is reported after a write failed, in ms: a process that gets no work writes nothing. */
const FULL_MS = MINUTE_MS;

/** Called with the first damage that a query finds. */
export type OnDamage = (damage: TollgateError) => void;

export type DamageWatch = ReturnType<typeof createDamageWatch>;

/**
 * Detects failures of the database's files and stores the first. A damaged database is not trusted until a
 * restart. Also remembers for a while what ends by itself: a full disk of a server, and why it could not be connected to.
 */
export function createDamageWatch(onDamage: OnDamage, isServer = false) {
  let damage: TollgateError | null = null;
  let loss: DatabaseFault | null = null;
  let fullAtMs = Number.NEGATIVE_INFINITY;
  return {
    /** Why the last connection that failed could not be opened; null: none failed, or for no known reason. */
    get lastLoss() {
      return loss;
    },
    noteLoss: (error: unknown): void => {
      loss = findOpeningFault(error);
    },
    /** Whether a write failed in the last minute because the disk is full, and none succeeded since. */
    isFull: (nowMs = performance.now()) => nowMs - fullAtMs < FULL_MS,
    noteWrite: (): void => {
      fullAtMs = Number.NEGATIVE_INFINITY;
    },
    get seen() {
      return damage;
    },
    /** @throws TollgateError `database_damaged` in place of the database's own error */
    async guard<T>(work: () => Promise<T>): Promise<T> {
      try {
        return await work();
      } catch (error) {
        const coded = toDamageError(error, isServer);
        if (coded instanceof TollgateError && coded.code === "database_damaged" && damage === null) {
          damage = coded;
          onDamage(coded);
        }
        if (coded instanceof TollgateError && coded.code === "database_full") fullAtMs = performance.now();
        throw coded;
      }
    },
  };
}

/** How long the database may take before what its connections said last is reported, in ms. */
const PATIENCE_MS = 1_900;

interface WatchedDatabase {
  readonly db: Db;
  readonly damage: DamageWatch;
}

/** Why the database cannot be used now, in words that name no address and no user; null: it can be read and written. */
export async function findStoreFault(store: WatchedDatabase): Promise<string | null> {
  const { damage } = store;
  if (damage.seen !== null) return "it is damaged";
  const describeLoss = () => (damage.lastLoss ?? describeDatabaseFault(null)).found;
  return within(PATIENCE_MS, askDatabase(store), describeLoss);
}

async function askDatabase({ db, damage }: WatchedDatabase): Promise<string | null> {
  try {
    const { rows } = await sql<{ isReadOnly: boolean }>`
      select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`.execute(
      db,
    );
    if (rows[0]?.isReadOnly === true) return "it is read-only";
    return damage.isFull() ? "its disk is full" : null; // which can still be read
  } catch (error) {
    return describeDatabaseFault(error).found;
  }
}
