import { type Kysely, sql } from "kysely";
import type { Clock } from "../../src/kernel/clock.ts";
import type { Tables } from "../../src/store/tables/tables.ts";

/** The machine's time, moved on at will. */
export interface MovableClock extends Clock {
  moves(ms: number): void;
}

export function movableClock(): MovableClock {
  let ahead = 0;
  let passed = 0;
  return {
    now: () => Date.now() + ahead,
    monotonicMs: () => performance.now() + passed,
    moves: (ms) => {
      ahead += ms;
      passed += Math.max(ms, 0); // a clock that is set back takes no time back
    },
  };
}

/** The queue goes by the database's time, which nobody can move: what waits for a time comes nearer instead. */
export async function advanceAlarms(db: Kysely<Tables>, ms: number): Promise<void> {
  await sql`update queue.job set start_after = start_after - ${ms / 1_000} * interval '1 second'
    where name in ('alarm', 'notification') and state in ('created', 'retry')`.execute(db);
}
