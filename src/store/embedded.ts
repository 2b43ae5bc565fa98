import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { PGlite, type PGliteOptions, type Transaction, types } from "@electric-sql/pglite";
import { TollgateError } from "../kernel/errors.ts";
import { isUrgent } from "./database/transaction.ts";

/**
 * PGlite with two queues before its one connection, for each statement and each transaction: urgent ones
 * first, all others in order of arrival. After an urgent turn one of the others gets a turn, so that neither
 * queue starves.
 */
class OrderedLite extends PGlite {
  readonly #urgent: (() => void)[] = [];
  readonly #others: (() => void)[] = [];
  #isTaken = false;
  #wasUrgent = false;

  /** PGlite executes every statement and every transaction through this method; its own queue stays empty. */
  override async _runExclusiveTransaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isTaken) await this.#turn(isUrgent() ? this.#urgent : this.#others);
    this.#isTaken = true;
    try {
      return await super._runExclusiveTransaction(async () => {
        await this._checkReady(); // it may have been closed while the work waited
        return work();
      });
    } finally {
      this.#next();
    }
  }

  /**
   * The event loop runs after each statement, those of a transaction too: a statement begins and ends within one iteration of it, so
   * many of them would otherwise block all requests.
   */
  override async _runExclusiveQuery<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await super._runExclusiveQuery(work);
    } finally {
      await turnOfEventLoop();
    }
  }

  /**
   * Kysely's driver waits until its work is called, which PGlite does not do when the transaction cannot begin. Here the work is called
   * with a transaction that refuses everything.
   */
  override async transaction<T>(work: (trx: Transaction) => Promise<T>): Promise<T> {
    let isBegun = false;
    try {
      return await super.transaction((trx) => {
        isBegun = true;
        return work(trx);
      });
    } catch (error) {
      if (!isBegun) await work(createRefusingTransaction(error)).catch(() => {});
      throw error;
    }
  }

  /** @throws TollgateError `database_closed` */
  override async _checkReady(): Promise<void> {
    await super._checkReady().catch((cause: unknown) => {
      throw new TollgateError("database_closed", "the embedded database is closed", { cause });
    });
  }

  #turn(queue: (() => void)[]): Promise<void> {
    return new Promise((resolve) => queue.push(resolve));
  }

  #next(): void {
    this.#wasUrgent = this.#urgent.length > 0 && (!this.#wasUrgent || this.#others.length === 0);
    const turn = (this.#wasUrgent ? this.#urgent : this.#others).shift();
    this.#isTaken = turn !== undefined;
    turn?.();
  }
}

function createRefusingTransaction(error: unknown): Transaction {
  const refuse = () => Promise.reject(error);
  return { query: refuse, sql: refuse, exec: refuse, listen: refuse, rollback: refuse, closed: true };
}

/**
 * V8's flags for PostgreSQL's WebAssembly. V8 optimises functions that are called often. One of them, the SQL parser, takes 600 MB of
 * memory and four seconds of processor time for that, during the first statements. Without it, sorting 100,000 rows takes up to twice as
 * long; other statements of ours take about the same time. And V8 validates a function when it is first called, because most never are:
 * validating all takes 50 ms of a start.
 */
export const ENGINE_FLAGS: readonly string[] = [
  "--liftoff-only",
  "--no-wasm-tier-up",
  "--no-wasm-dynamic-tiering",
  "--wasm-lazy-validation",
];

export async function openLite(options: PGliteOptions): Promise<PGlite> {
  for (const flag of ENGINE_FLAGS) setFlagsFromString(flag);
  const lite = new OrderedLite(options);
  await lite.waitReady;
  return lite;
}

/**
 * Settings for little memory and a bounded log: the embedded database serves one process. All of `shared_buffers` is resident from
 * the start; with 32 MB instead of 8, bulk writes take an eighth less time, and reads the same. A new file of the log is not filled with
 * zeros first.
 */
export const START_PARAMS: readonly string[] = [
  ...PGlite.defaultStartParams,
  ...["shared_buffers=8MB", "max_wal_size=64MB", "min_wal_size=32MB", "wal_init_zero=off"].flatMap(
    (setting) => ["-c", setting],
  ),
];

/** int8 as a number on both engines; GitHub's ids and our counters stay far below 2^53. */
export function parseInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`an integer from the database is too large: ${text}`);
  return value;
}

export const PARSERS = { [types.INT8]: parseInteger };
