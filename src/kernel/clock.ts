/** The one source of time. Everything that needs the time takes a clock, so tests and replays decide what time it is. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
}

/** The machine's own clock; only wiring and cli hand it out. */
export const systemClock: Clock = { now: () => Date.now() };
