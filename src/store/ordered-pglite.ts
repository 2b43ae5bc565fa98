import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { type ExecProtocolOptions, type messages, PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { StatementCache } from "./prepared/statement-cache.ts";

const urgent = new AsyncLocalStorage<true>();

/**
 * Runs `work` so that its queries go before other waiting queries of the embedded database. No effect on
 * PostgreSQL, where queries do not wait for each other.
 */
export const runUrgently = <T>(work: () => Promise<T>): Promise<T> => urgent.run(true, work);

/**
 * PGlite with two queues before its one connection, for each statement and each transaction: urgent ones
 * first, all others in order of arrival. After an urgent turn one of the others gets a turn, so that neither
 * queue starves. The event loop runs between two turns: a statement begins and ends within one iteration of
 * it, so a backlog of statements would otherwise block all requests.
 */
class OrderedLite extends PGlite {
  readonly #urgent: (() => void)[] = [];
  readonly #others: (() => void)[] = [];
  #isTaken = false;
  #wasUrgent = false;
  readonly #statements = new StatementCache();

  /** PGlite executes every statement and every transaction through this method; its own queue stays empty. */
  override async _runExclusiveTransaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isTaken) await this.#turn(urgent.getStore() ? this.#urgent : this.#others);
    this.#isTaken = true;
    try {
      return await super._runExclusiveTransaction(work);
    } finally {
      void this.#next();
    }
  }

  /** PGlite sends each message of a query through this method. */
  override async execProtocolStream(
    message: Uint8Array,
    options?: ExecProtocolOptions,
  ): Promise<messages.BackendMessage[]> {
    const send = (sent: Uint8Array) => super.execProtocolStream(sent, options);
    return [...(await this.#statements.answer(message, send))];
  }

  #turn(queue: (() => void)[]): Promise<void> {
    return new Promise((resolve) => queue.push(resolve));
  }

  async #next(): Promise<void> {
    if (this.#urgent.length === 0 || this.#wasUrgent) await turnOfEventLoop();
    this.#wasUrgent = this.#urgent.length > 0 && (!this.#wasUrgent || this.#others.length === 0);
    const turn = (this.#wasUrgent ? this.#urgent : this.#others).shift();
    this.#isTaken = turn !== undefined;
    turn?.();
  }
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
