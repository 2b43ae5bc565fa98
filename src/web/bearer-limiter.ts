import { LRUCache } from "lru-cache";
import { type Clock, MINUTE_MS } from "../kernel/clock.ts";

/** Bearers in memory; the one that sent nothing for the longest time goes first. */
const MAX_BEARERS = 10_000;

/** Limits each bearer to `perMinute` requests a minute, counted in this process. */
export function createBearerLimiter(clock: Clock, perMinute: number): (bearer: string) => boolean {
  const windows = new LRUCache<string, { startedMs: number; used: number }>({ max: MAX_BEARERS });
  return (bearer) => {
    const now = clock.monotonicMs();
    const window = windows.get(bearer);
    if (window === undefined || now - window.startedMs >= MINUTE_MS) {
      windows.set(bearer, { startedMs: now, used: 1 });
      return true;
    }
    window.used += 1;
    return window.used <= perMinute;
  };
}
