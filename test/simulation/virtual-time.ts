import { AsyncLocalStorage } from "node:async_hooks";
import crypto, { createHash } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import timersPromises from "node:timers/promises";
import type { Clock } from "../../src/kernel/clock.ts";
import { currentLife, type Life } from "./life.ts";

interface Timer {
  readonly id: number;
  /** Whose it is; undefined: of the story itself. */
  readonly life: Life | undefined;
  readonly atMs: number;
  /** Of an interval; null: it runs once. */
  readonly everyMs: number | null;
  readonly run: () => void;
}

type Run = (...values: unknown[]) => void;
type AnyFunction = (...values: never[]) => unknown;

const realImmediate = setImmediate;
const realClear = clearTimeout;

export const turnOfEventLoop = (): Promise<void> => new Promise((resolve) => realImmediate(resolve));

/** The machine's monotonic clock. */
export const realMs = performance.now.bind(performance);

/**
 * The only clock of a simulation: it stands still until it is moved. While it is installed, all clocks, timers, ids and random numbers
 * of Node are its own, for all code of the process; PGlite's `now()` reads `Date.now` too. `test/simulation/determinism.test.ts` finds
 * what else would take real time.
 */
export class VirtualTime implements Clock {
  #nowMs: number;
  #lastId = 0;
  #timers = new Map<number, Timer>();
  #immediates = 0;
  #randoms = 0;

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
    this.#nowMs = Math.max(this.#nowMs, timer.atMs);
    if (timer.everyMs === null) this.#timers.delete(timer.id);
    else this.#timers.set(timer.id, { ...timer, atMs: this.#nowMs + Math.max(1, timer.everyMs) });
    timer.run();
    return true;
  }

  /** The timers of a process end with it. */
  clear(life: Life): void {
    for (const timer of this.#timers.values()) if (timer.life === life) this.#timers.delete(timer.id);
  }

  /**
   * Everything runs that can run without time passing. All microtasks and ticks run before an immediate does, and nothing else is under way:
   * whatever would answer from another thread is replaced, or awaited before the story goes on.
   */
  async drain(): Promise<void> {
    do await turnOfEventLoop();
    while (this.#immediates > 0);
  }

  /**
   * Replaces what a process knows of time and chance; call the answer to bring it back. With a scope, only for code that was begun
   * inside it: what an earlier test of the same process left behind goes on by the machine's time and takes nothing of this one.
   */
  install(scope: AsyncLocalStorage<true> | null = null): () => void {
    const replaceMembers = (object: object, members: Readonly<Record<string, AnyFunction>>) =>
      replace(object, members, () => scope === null || scope.getStore() === true);
    // The stand-ins have the signatures that the bot and its libraries call.
    const undo = [
      replaceMembers(Date, { now: () => this.#nowMs }),
      replaceMembers(performance, { now: () => this.#nowMs }),
      replaceMembers(Math, { random: () => Number.parseInt(this.#hash().slice(0, 8), 16) / 2 ** 32 }),
      replaceMembers(crypto, {
        randomUUID: () => this.#hash().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5"),
      }),
      // Which request has no answer is a fault that the story chooses.
      replaceMembers(AbortSignal, { timeout: () => new AbortController().signal }),
      replaceMembers(globalThis, {
        setTimeout: (run: Run, ms = 0, ...values: unknown[]) => this.#set(() => run(...values), ms),
        setInterval: (run: Run, ms = 0, ...values: unknown[]) => this.#set(() => run(...values), ms, ms),
        setImmediate: this.#setImmediate,
      }),
      // A timer is cleared by whoever set it, whichever clock it is of.
      replace(globalThis, { clearTimeout: this.#clear, clearInterval: this.#clear }, () => true),
      replaceMembers(timersPromises, {
        setTimeout: this.#sleep,
        setImmediate: (value?: unknown) => new Promise((resolve) => this.#setImmediate(() => resolve(value))),
      }),
    ];
    syncBuiltinESMExports();
    return () => {
      for (const restore of undo) restore();
      syncBuiltinESMExports();
    };
  }

  readonly #setImmediate = (run: Run, ...values: unknown[]): void => {
    this.#immediates += 1;
    realImmediate(() => {
      this.#immediates -= 1;
      run(...values);
    });
  };

  #hash(): string {
    this.#randoms += 1;
    return createHash("sha256").update(String(this.#randoms)).digest("hex");
  }

  #earliest(): Timer | null {
    let first: Timer | null = null;
    for (const timer of this.#timers.values()) if (first === null || timer.atMs < first.atMs) first = timer;
    return first;
  }

  #set(run: () => void, ms: number, everyMs: number | null = null) {
    this.#lastId += 1;
    const id = this.#lastId;
    const life = currentLife.getStore();
    const atMs = this.#nowMs + Math.max(0, ms);
    this.#timers.set(id, { id, life, run: AsyncLocalStorage.bind(run), atMs, everyMs });
    return new VirtualTimer(id);
  }

  readonly #clear = (handle: Parameters<typeof clearTimeout>[0] | VirtualTimer): void => {
    if (handle instanceof VirtualTimer) this.#timers.delete(handle.id);
    else realClear(handle);
  };

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

/** What stands for a timer, as Node's own object does. */
class VirtualTimer {
  readonly id: number;

  constructor(id: number) {
    this.id = id;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/** Replaces members of an object where `applies` says so; the answer brings them back. */
function replace(
  object: object,
  members: Readonly<Record<string, AnyFunction>>,
  applies: () => boolean,
): () => void {
  const before = Object.keys(members).map(
    (name) => [name, Object.getOwnPropertyDescriptor(object, name)] as const,
  );
  for (const [name, virtual] of Object.entries(members)) {
    const real: AnyFunction = Reflect.get(object, name);
    const value = (...values: never[]) =>
      applies() ? virtual(...values) : Reflect.apply(real, object, values);
    Object.defineProperty(object, name, { value, configurable: true, writable: true, enumerable: true });
  }
  return () => {
    for (const [name, own] of before)
      if (own === undefined)
        Reflect.deleteProperty(object, name); // its prototype has it
      else Object.defineProperty(object, name, own);
  };
}
