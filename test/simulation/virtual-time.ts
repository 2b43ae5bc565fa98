import { AsyncLocalStorage } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import timersPromises from "node:timers/promises";
import type { Clock } from "../../src/kernel/clock.ts";
import { currentLife, type Life } from "./life.ts";

interface Timer {
  readonly id: number;
  /** Whose it is; undefined: of the story itself. */
  readonly life: Life | undefined;
  readonly atMs: number;
  readonly run: () => void;
}

const realImmediate = setImmediate;

/** Lets everything run that can run without time passing. */
export const turnOfEventLoop = (): Promise<void> => new Promise((resolve) => realImmediate(resolve));

/**
 * The only clock of a simulation: it stands still until it is moved. While it is installed, `Date.now` and the timers of Node are
 * its own, for all code of the process; PGlite's `now()` reads `Date.now` too. Real are only `setImmediate` and `AbortSignal.timeout`.
 */
export class VirtualTime implements Clock {
  #nowMs: number;
  #lastId = 0;
  #timers = new Map<number, Timer>();

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  /** Time passes, without the timers that become due: `fireNext` runs them one by one. */
  passes(ms: number): void {
    this.#nowMs += ms;
  }

  /** When the next timer is due; null: none is set. */
  nextMs(): number | null {
    return this.#earliest()?.atMs ?? null;
  }

  /** Moves on to the next timer and runs it; false: none is set. */
  fireNext(): boolean {
    const timer = this.#earliest();
    if (timer === null) return false;
    this.#timers.delete(timer.id);
    this.#nowMs = Math.max(this.#nowMs, timer.atMs);
    timer.run();
    return true;
  }

  /** The timers of a process end with it. */
  clear(life: Life): void {
    for (const timer of this.#timers.values()) if (timer.life === life) this.#timers.delete(timer.id);
  }

  /** Replaces the clock and the timers of this process; call the answer to bring them back. */
  install(): () => void {
    const real = { now: Date.now, setTimeout, clearTimeout, sleep: timersPromises.setTimeout };
    Date.now = () => this.#nowMs;
    globalThis.setTimeout = ((run: () => void, ms = 0) => this.#set(run, ms)) as unknown as typeof setTimeout; // Node's own has a second signature for promisify
    globalThis.clearTimeout = ((id: unknown) => this.#clear(id)) as typeof clearTimeout; // takes the ids of the line above
    timersPromises.setTimeout = this.#sleep as typeof timersPromises.setTimeout; // called with these three arguments alone
    syncBuiltinESMExports();
    return () => {
      Date.now = real.now;
      globalThis.setTimeout = real.setTimeout;
      globalThis.clearTimeout = real.clearTimeout;
      timersPromises.setTimeout = real.sleep;
      syncBuiltinESMExports();
    };
  }

  #earliest(): Timer | null {
    let first: Timer | null = null;
    for (const timer of this.#timers.values()) if (first === null || timer.atMs < first.atMs) first = timer;
    return first;
  }

  #set(run: () => void, ms: number): { readonly id: number; unref(): void; ref(): void } {
    this.#lastId += 1;
    const id = this.#lastId;
    const life = currentLife.getStore();
    this.#timers.set(id, { id, life, run: AsyncLocalStorage.bind(run), atMs: this.#nowMs + Math.max(0, ms) });
    return { id, unref: () => {}, ref: () => {} };
  }

  #clear(handle: unknown): void {
    if (typeof handle === "object" && handle !== null && "id" in handle)
      this.#timers.delete(Number(handle.id));
  }

  readonly #sleep = (ms: number, value: unknown, options: { signal?: AbortSignal } = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const { signal } = options;
      if (signal?.aborted) return reject(new Error("the pause was ended"));
      const handle = this.#set(() => resolve(value), ms);
      signal?.addEventListener("abort", () => {
        this.#clear(handle);
        reject(new Error("the pause was ended"));
      });
    });
}
