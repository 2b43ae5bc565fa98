/** The source of time. Code that needs the time takes a clock as an argument, so that tests and replays control it. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
  /**
   * Milliseconds since an arbitrary moment, comparable only within this process: for waits, ages and rates. Never goes back and never
   * jumps when the system clock is changed.
   */
  monotonicMs(): number;
}

/** The system clock; only wiring and cli pass it on. */
export const systemClock: Clock = { now: () => Date.now(), monotonicMs: () => performance.now() };

/** Returns what the work resolves to, or what `late` returns if the work takes longer than `ms`. */
export function within<T>(ms: number, work: Promise<T>, late: () => T | Promise<T>): Promise<T> {
  const elapsed = Promise.withResolvers<T>();
  const timer = setTimeout(() => elapsed.resolve(late()), ms);
  return Promise.race([work, elapsed.promise]).finally(() => clearTimeout(timer));
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
