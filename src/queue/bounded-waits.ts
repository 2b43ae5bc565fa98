import type { Clock as BossClock, PgBoss } from "pg-boss";
import type { Clock } from "../kernel/clock.ts";

/** Clock for the queue's own pauses and deadlines: starts at the machine's time and is monotonic. */
export function createSteadyClock(clock: Clock): BossClock {
  const beganMs = clock.now() - clock.monotonicMs();
  return {
    now: () => Math.round(beganMs + clock.monotonicMs()),
    setTimeout: (work, ms) => setTimeout(work, ms),
    clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout), // setTimeout above returned it
    setInterval: (work, ms) => setInterval(work, ms),
    clearInterval: (handle) => clearInterval(handle as NodeJS.Timeout),
  };
}

/** Smaller differences between clocks are normal. */
const SLACK = "interval '2 seconds'";
/** Longest pause between two attempts in any queue: the limit in `names.ts`, or ten doublings of a second. */
const LONGEST_RETRY_SECONDS = 1_024;

/**
 * Shortens waits that became too long because the database's clock was set back. Jobs wait until a time of that clock, so every
 * check would wait hours longer. From now on, no wait is longer than its job's `waitSeconds`, and no job started in the future.
 */
const BOUNDS = [
  `update queue.job set start_after = now() + coalesce((data ->> 'waitSeconds')::float, 0) * interval '1 second'
   where state = 'created' and name in ('delivery', 'comment', 'platform', 'lane', 'alarm')
     and (name not in ('lane', 'alarm') or data ? 'waitSeconds')
     and start_after > now() + coalesce((data ->> 'waitSeconds')::float, 0) * interval '1 second' + ${SLACK}`,
  `update queue.job set start_after = now() + coalesce(retry_delay_max, ${LONGEST_RETRY_SECONDS}) * interval '1 second'
   where state = 'retry' and name in ('delivery', 'comment', 'platform', 'lane', 'alarm')
     and start_after > now() + coalesce(retry_delay_max, ${LONGEST_RETRY_SECONDS}) * interval '1 second' + ${SLACK}`,
  `update queue.job set started_on = least(started_on, now()), heartbeat_on = least(heartbeat_on, now())
   where state = 'active' and name in ('delivery', 'comment', 'platform', 'lane', 'alarm')
     and greatest(started_on, heartbeat_on) > now() + ${SLACK}`,
];

export async function boundWaits(boss: PgBoss): Promise<void> {
  for (const bound of BOUNDS) await boss.getDb().executeSql(bound);
}

/** Interval between two corrections, in ms: each reads all waiting jobs. */
const BOUND_EVERY_MS = 30_000;

/** Bounds the waits periodically until the signal; a failure is emitted as the queue's error. */
export function keepWaitsBounded(boss: PgBoss, signal: AbortSignal): void {
  const bounding = setInterval(() => {
    boundWaits(boss).catch((error: unknown) => boss.emit("error", error as Error)); // the listener logs any value
  }, BOUND_EVERY_MS);
  signal.addEventListener("abort", () => clearInterval(bounding), { once: true });
}
