/** The one source of time. Everything that needs the time takes a clock, so tests and replays decide what time it is. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
  /**
   * Milliseconds since some moment, of use only to be compared within this process: for waits, ages and rates. Never goes back and never
   * jumps, whatever becomes of the machine's clock.
   */
  monotonicMs(): number;
}

/** The machine's own clock; only wiring and cli hand it out. */
export const systemClock: Clock = { now: () => Date.now(), monotonicMs: () => performance.now() };
