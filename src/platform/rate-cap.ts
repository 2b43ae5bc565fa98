import type { Clock } from "../kernel/clock.ts";

const MINUTE = 60_000;

/** Reserves a slot for one request; returns the wait in ms, or null when it exceeds `patienceMs`. */
export type RateCap = (patienceMs: number) => number | null;

/**
 * Allows at most `perMinute` requests in any 60 seconds, counted by reserved slots; below the cap nothing waits.
 * Null: no cap.
 */
export function createRateCap(perMinute: number | null, clock: Clock): RateCap {
  if (perMinute === null) return () => 0;
  const places: number[] = []; // ring of the last `perMinute` slots, in ms of the monotonic clock
  let next = 0;
  return (patienceMs) => {
    const now = clock.monotonicMs();
    const wait = Math.max(0, (places[next] ?? Number.NEGATIVE_INFINITY) + MINUTE - now);
    if (wait > patienceMs) return null;
    places[next] = now + wait;
    next = (next + 1) % perMinute;
    return wait;
  };
}
