import { performance } from "node:perf_hooks";

/** Shorter times say little; in ms. */
const WINDOW_MS = 500;
/** Share of the time in which the event loop was not idle. */
const SATURATED = 0.9;

/**
 * Returns a function that says whether this process was busy nearly all the time since it was asked before, with its own work or waiting
 * for a processor that others use. More work at the same time only makes all of it slower then, until calls time out.
 */
export function watchSaturation(): () => boolean {
  let [sinceMs, earlier] = [performance.now(), performance.eventLoopUtilization()];
  let isSaturated = false;
  return () => {
    const nowMs = performance.now();
    if (nowMs - sinceMs < WINDOW_MS) return isSaturated;
    const current = performance.eventLoopUtilization();
    isSaturated = performance.eventLoopUtilization(current, earlier).utilization > SATURATED;
    [sinceMs, earlier] = [nowMs, current];
    return isSaturated;
  };
}
