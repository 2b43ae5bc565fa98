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
  /** "whole", or where the chain of decisions is broken. */
  readonly chain: string;
}

export interface OpenJobs {
  readonly name: string;
  readonly state: string;
  readonly count: number;
}

/** A client for the questions of one function. */
async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
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
  const { rows } = await withClient(url, (client) =>
    client.query<Record<"deliveries" | "evaluations", string>>(COUNTS),
  );
  return {
    deliveries: Number(rows[0]?.deliveries),
    evaluations: Number(rows[0]?.evaluations),
    openJobs: await countOpenJobs(url),
    chain: await verifyChain(url),
  };
}

const COUNTS = `select (select count(*) from queue.job where name = 'delivery') as deliveries,
  (select count(*) from evaluations) + (select count(*) from past_evaluations) as evaluations`;

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
