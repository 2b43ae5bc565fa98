import { TollgateError } from "../../kernel/errors.ts";

/** PostgreSQL's codes: data corrupted, index corrupted, a file is missing, a file cannot be read or written. */
const DAMAGE_CODES: ReadonlySet<unknown> = new Set(["XX001", "XX002", "58P01", "58030"]);
const DISK_FULL = "53100";

/** Converts a failure of the database's files to a `TollgateError`; returns any other error unchanged. */
export function toDamageError(error: unknown): unknown {
  // The embedded database fails with this WebAssembly error when it can neither continue nor roll back, e.g.
  // because its log cannot be written.
  if (error instanceof Error && error.name === "RuntimeError")
    return new TollgateError("database_damaged", "the embedded database ended in the middle of a query", {
      cause: error,
      hint: "Check the disk of the data directory, and restart Tollgate. If it does not start, restore a backup (docs/operations/backup.md).",
    });
  if (!(error instanceof Error) || error instanceof TollgateError || !("code" in error)) return error;
  if (error.code === DISK_FULL)
    return new TollgateError("database_damaged", `the database's disk is full: ${error.message}`, {
      cause: error,
      hint: "Free some space, and restart Tollgate.",
    });
  if (!DAMAGE_CODES.has(error.code)) return error;
  return createDamageError(error.message, error);
}

/**
 * Creates the error for stored data that is missing or unreadable. `found` says where, and what was found.
 */
export const createDamageError = (found: string, cause?: unknown): TollgateError =>
  new TollgateError("database_damaged", `the database is damaged: ${found}`, {
    cause,
    hint: "Restore a backup (docs/operations/backup.md), or name another database or data directory to begin without what was recorded.",
  });

/** Called with the first damage that a query finds. */
export type OnDamage = (damage: TollgateError) => void;

/**
 * Detects failures of the database's files and stores the first. A damaged database is not trusted until a
 * restart.
 */
export class DamageWatch {
  readonly #onDamage: OnDamage;
  #damage: TollgateError | null = null;

  constructor(onDamage: OnDamage) {
    this.#onDamage = onDamage;
  }

  get seen(): TollgateError | null {
    return this.#damage;
  }

  /** @throws TollgateError `database_damaged` in place of the database's own error */
  async guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const coded = toDamageError(error);
      if (coded instanceof TollgateError && coded.code === "database_damaged" && this.#damage === null) {
        this.#damage = coded;
        this.#onDamage(coded);
      }
      throw coded;
    }
  }
}
