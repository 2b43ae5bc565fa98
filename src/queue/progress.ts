import type { PgBoss } from "pg-boss";
import { z } from "zod";
import { QUEUES } from "./names.ts";

/**
 * Whether jobs are due for five minutes and none has ended in that time, in any process: then no worker works. A long queue is no
 * fault, as long as it moves.
 */
const IS_STUCK = `select
  exists (select 1 from queue.job where name in ('delivery', 'lane', 'comment', 'platform') and state < 'active'
    and start_after < now() - interval '5 minutes')
  and not exists (select 1 from queue.job where name in ('delivery', 'lane', 'comment', 'platform')
    and completed_on > now() - interval '5 minutes') as stuck`;

/** Whether jobs that are due are processed, by whichever process. */
export async function isQueueMoving(boss: PgBoss): Promise<boolean> {
  const { rows } = await boss.getDb().executeSql(IS_STUCK);
  const [answer]: { readonly stuck?: unknown }[] = rows;
  return answer?.stuck === false;
}

/** The open jobs of a queue, of all processes. */
const QueueCount = z.object({
  name: z.string(),
  due: z.coerce.number(),
  /** Jobs that wait for a later time. */
  scheduled: z.coerce.number(),
  active: z.coerce.number(),
  /** How long the oldest due job waits, in seconds. */
  oldestDueSeconds: z.coerce.number(),
});
export type QueueCount = Readonly<z.infer<typeof QueueCount>>;

const COUNTS = `select name,
    count(*) filter (where state < 'active' and start_after <= now()) as due,
    count(*) filter (where state < 'active' and start_after > now()) as scheduled,
    count(*) filter (where state = 'active') as active,
    coalesce(extract(epoch from now() - min(start_after) filter (where state < 'active' and start_after <= now())), 0)
      as "oldestDueSeconds"
  from queue.job where state <= 'active' group by name`;

/** Counts the open jobs of every queue. */
export async function countQueueJobs(boss: PgBoss): Promise<readonly QueueCount[]> {
  const { rows } = await boss.getDb().executeSql(COUNTS);
  const counted = new Map(
    z
      .array(QueueCount)
      .parse(rows)
      .map((count) => [count.name, count]),
  );
  return Object.keys(QUEUES).map(
    (name) => counted.get(name) ?? { name, due: 0, scheduled: 0, active: 0, oldestDueSeconds: 0 },
  );
}
