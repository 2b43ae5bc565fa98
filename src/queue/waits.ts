import type { Clock as BossClock, PgBoss } from "pg-boss";
import type { Clock } from "../kernel/clock.ts";

/** Time for the queue's own pauses and deadlines: it begins as the machine's and passes evenly, whatever becomes of that one. */
export function steadyClock(clock: Clock): BossClock {
  const beganMs = clock.now() - clock.monotonicMs();
  return {
    now: () => Math.round(beganMs + clock.monotonicMs()),
    setTimeout: (work, ms) => setTimeout(work, ms),
    clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout), // it was given out above
    setInterval: (work, ms) => setInterval(work, ms),
    clearInterval: (handle) => clearInterval(handle as NodeJS.Timeout),
  };
}

/** Differences below are nobody's mistake. */
const SLACK = "interval '2 seconds'";
/** Longer no queue waits between two tries: what `names.ts` says, or ten doublings of a second. */
const LONGEST_RETRY_SECONDS = 1_024;

/**
 * `waitSeconds` in the data of a job says how long it was to wait. Jobs wait until a time of the database's clock. When that clock was set back they would wait for as much longer: hours, with every
 * gate. No wait may be longer from now on than it was meant to be from its beginning, and nobody has begun a job in the future.
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

/** In milliseconds. */
const BOUND_EVERY_MS = 5_000;

/** Bounds them until the signal; what goes wrong is the queue's error. */
export function keepWaitsBounded(boss: PgBoss, signal: AbortSignal): void {
  const bounding = setInterval(() => {
    boundWaits(boss).catch((error: unknown) => boss.emit("error", error as Error)); // whatever is thrown is logged
  }, BOUND_EVERY_MS);
  signal.addEventListener("abort", () => clearInterval(bounding), { once: true });
}
