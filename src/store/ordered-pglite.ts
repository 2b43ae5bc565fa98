import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import { PGlite, type PGliteOptions } from "@electric-sql/pglite";

const urgent = new AsyncLocalStorage<true>();

/** What `work` asks the embedded database comes before whatever waits for it. On PostgreSQL nobody waits, so it changes nothing. */
export const runUrgently = <T>(work: () => Promise<T>): Promise<T> => urgent.run(true, work);

/**
 * PGlite with two queues in front of its one connection, for each statement and each transaction: what is urgent comes first, and
 * everything else in the order of asking. After an urgent turn one of the others has its turn, so neither keeps the other waiting
 * for ever. Between two turns the event loop has one: a statement ends in the same turn of it in which it began, so a backlog of
 * statements would otherwise let no request in until it is worked off.
 */
class OrderedLite extends PGlite {
  readonly #urgent: (() => void)[] = [];
  readonly #others: (() => void)[] = [];
  #isTaken = false;
  #wasUrgent = false;

  /** Every statement and every transaction of PGlite comes through here; its own queue behind it stays empty. */
  override async _runExclusiveTransaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isTaken) await this.#turn(urgent.getStore() ? this.#urgent : this.#others);
    this.#isTaken = true;
    try {
      return await super._runExclusiveTransaction(work);
    } finally {
      void this.#next();
    }
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

export async function openLite(options: PGliteOptions): Promise<PGlite> {
  const lite = new OrderedLite(options);
  await lite.waitReady;
  return lite;
}
