import type { Clock } from "../kernel/clock.ts";

const MINUTE = 60_000;

/** Reserves a place for one request and says how long to wait for it, in ms; null when that would be longer than `patienceMs`. */
export type RateCap = (patienceMs: number) => number | null;

/**
 * At most `perMinute` requests in any 60 seconds, counted at the places given out: nobody waits below that.
 * Null: no cap.
 */
export function createRateCap(perMinute: number | null, clock: Clock): RateCap {
  if (perMinute === null) return () => 0;
  const places: number[] = []; // ring of the last `perMinute` places, in ms of the clock that never jumps
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
