import { monitorEventLoopDelay } from "node:perf_hooks";

/** Shortest time that is measured, in ms. */
const WINDOW_MS = 500;
const RESOLUTION_MS = 50;
/** The event loop of a process that is not saturated is late by a few ms. */
const LATE_MS = 100;
const NANOSECONDS_PER_MS = 1_000_000;

/**
 * Returns a function that answers whether this process's event loop was late since the previous call, because of its own work or because
 * other processes use the processor. More jobs at the same time would then make all of them slower, until calls time out.
 */
export function watchSaturation(): () => boolean {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable(); // its timer does not keep the process alive
  let [sinceMs, isSaturated] = [performance.now(), false];
  return () => {
    if (performance.now() - sinceMs < WINDOW_MS) return isSaturated;
    // Each sample is the time between two ticks, so it includes the resolution.
    isSaturated = delay.mean / NANOSECONDS_PER_MS > RESOLUTION_MS + LATE_MS;
    delay.reset();
    sinceMs = performance.now();
    return isSaturated;
  };
}
