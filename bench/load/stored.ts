import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { CHAIN_START, verifyNextPart } from "../../src/store/audit/chain.ts";
import { openDatabase } from "../../src/wiring/database/schema.ts";

/** What the queue and the store have after a load. */
export interface StoredState {
  readonly deliveries: number;
  /** Deliveries, lanes and comments that are not processed, by queue and state. */
  readonly openJobs: readonly OpenJobs[];
  readonly evaluations: number;
  readonly decisions: number;
  /** "whole", or where the chain of decisions is broken. */
  readonly chain: string;
  readonly bytes: number;
  /** The largest tables with their indexes. */
  readonly tables: readonly { readonly name: string; readonly bytes: number; readonly rows: number }[];
}

export interface OpenJobs {
  readonly name: string;
  readonly state: string;
  readonly count: number;
}

/** A client for the questions of one function. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Jobs of the queues that a pull request's check and comment depend on, and alarms of the next two minutes; others wait for a deadline. */
export const countOpenJobs = (url: string): Promise<readonly OpenJobs[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<OpenJobs>(`select name, state::text, count(*)::integer from queue.job
      where state not in ('completed', 'cancelled') and (name in ('delivery', 'lane', 'comment', 'dead')
        or name = 'alarm' and start_after < now() + interval '2 minutes') group by 1, 2`);
    return rows;
  });

/** Resolves with the seconds until nothing was left to do; null: something is left after `limit` seconds. */
export async function untilIdle(url: string, limit: number): Promise<number | null> {
  const began = performance.now();
  const isLeft = ({ state }: OpenJobs): boolean => state !== "failed";
  while ((performance.now() - began) / 1_000 < limit) {
    if (!(await countOpenJobs(url)).some(isLeft)) return (performance.now() - began) / 1_000;
    await sleep(500);
  }
  return null;
}

export async function readStored(url: string): Promise<StoredState> {
  const [counts, tables] = await withClient(
    url,
    async (client) =>
      [
        (await client.query<Record<"deliveries" | "evaluations" | "decisions" | "bytes", string>>(COUNTS))
          .rows[0],
        (await client.query<{ name: string; bytes: string; rows: string }>(TABLES)).rows,
      ] as const,
  );
  const { deliveries, evaluations, decisions, bytes } = counts ?? {};
  return {
    deliveries: Number(deliveries),
    evaluations: Number(evaluations),
    decisions: Number(decisions),
    bytes: Number(bytes),
    tables: tables.map(({ name, ...sizes }) => ({
      name,
      bytes: Number(sizes.bytes),
      rows: Number(sizes.rows),
    })),
    openJobs: await countOpenJobs(url),
    chain: await verifyChain(url),
  };
}

const COUNTS = `select (select count(*) from queue.job where name = 'delivery') as deliveries,
  (select count(*) from evaluations) + (select count(*) from past_evaluations) as evaluations,
  (select count(*) from decisions) as decisions, pg_database_size(current_database()) as bytes`;

const TABLES = `select schemaname || '.' || relname as name, pg_total_relation_size(relid) as bytes, n_live_tup as rows
  from pg_stat_user_tables order by 2 desc limit 8`;

async function verifyChain(url: string): Promise<string> {
  const store = await openDatabase({ kind: "postgres", url, maxConnections: 1 }, () => {});
  try {
    for (let from = CHAIN_START; ; ) {
      const part = await verifyNextPart(store.db, from);
      if (part.state === "broken") return `broken at ${part.seq}: ${part.problem}`;
      if (part.position.seq >= part.head) return "whole";
      from = part.position;
    }
  } finally {
    await store.close();
  }
}

/** How many evaluations of lanes ended, and the seconds from the start of the first to the end of the last. */
export const readLaneWork = (url: string): Promise<{ readonly lanes: number; readonly seconds: number }> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ lanes: string; seconds: string }>(LANE_WORK);
    return { lanes: Number(rows[0]?.lanes), seconds: Number(rows[0]?.seconds) };
  });

const LANE_WORK = `select count(*) as lanes, extract(epoch from max(completed_on) - min(started_on)) as seconds
  from queue.job where name = 'lane' and state = 'completed'`;
