import { sql } from "kysely";
import type { PgBoss } from "pg-boss";
import type { Store } from "../store/open.ts";

/** A job is given up when its process ended this many times in a row: with the pauses below, after about a day. */
const MOST_ENDS = 300;
/** From this many ends on, the pause doubles from one second. */
const HARMLESS_ENDS = 8;
/** In seconds. */
const LONGEST_PAUSE = 300;

/** How often the job's process ended while it ran, since its newest failure. */
const ENDS = sql`(coalesce((output ->> 'ends')::int, 0) + 1)`;
const MESSAGE = "the process ended while it ran";

/**
 * Returns active jobs to the queue. On the embedded database no other process has jobs, so an active job belonged to a process that ended.
 * That is seldom the fault of the job, so it is no failed attempt, and the job runs again after a second. A job whose process ends each
 * time may be the cause: its pauses grow, so that other jobs are done meanwhile, and it is given up in the end.
 */
export async function returnOrphans(store: Store, boss: PgBoss): Promise<void> {
  // A job without `started_on` is taken without counting an attempt.
  await sql`update queue.job set state = 'retry', started_on = null, heartbeat_on = null,
      output = jsonb_build_object('message', ${MESSAGE}::text, 'ends', ${ENDS}),
      start_after = now() + least(${LONGEST_PAUSE}, 2 ^ greatest(0, ${ENDS} - ${HARMLESS_ENDS})) * interval '1 second'
    where state = 'active' and ${ENDS} < ${MOST_ENDS}`.execute(store.db);
  const { rows } = await sql<{ name: string; id: string }>`
    update queue.job set retry_count = retry_limit where state = 'active' returning name, id`.execute(
    store.db,
  );
  for (const { name, id } of rows) await boss.fail(name, id, { message: MESSAGE });
}
