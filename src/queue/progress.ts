import type { PgBoss } from "pg-boss";

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
