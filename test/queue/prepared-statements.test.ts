import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import type { PgBoss } from "pg-boss";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { openBoss } from "../../src/queue/open.ts";
import { createQueue, type Queue } from "../../src/queue/queue.ts";
import type { Store, StoreLocation } from "../../src/store/open.ts";
import { openDatabase } from "../../src/wiring/database/open-database.ts";
import { freshPostgres } from "../world/engines.ts";
import { hasPgBouncer, startPgBouncer } from "../world/pgbouncer.ts";

const SILENT = { warn: () => {}, error: () => {} };
const EVENTS = ["plain", "it's", "C:\\new\\", "$1", "');drop table queue.job;--"].map((text) => ({ text }));
const EXECUTIONS = `select coalesce(sum(generic_plans + custom_plans), 0)::integer as executions
  from pg_prepared_statements where statement like '%''delivery''%'`;

interface OpenQueue {
  readonly store: Store;
  readonly boss: PgBoss;
  readonly queue: Queue;
  close(): Promise<void>;
}

async function openQueue(location: StoreLocation): Promise<OpenQueue> {
  const store = await openDatabase(location, () => {});
  const boss = await openBoss(store, SILENT);
  const queue = createQueue(boss, systemClock);
  const close = async () => {
    await queue.stop();
    await store.close();
  };
  return { store, boss, queue, close };
}

async function readDeliveries({ db }: Store): Promise<readonly object[]> {
  const { rows } = await sql<{
    data: object;
  }>`select data from queue.job where name = 'delivery'`.execute(db);
  return rows.map(({ data }) => data);
}

async function acceptOneByOne(queue: Queue): Promise<void> {
  for (const event of EVENTS) await queue.acceptDelivery(randomUUID(), event);
}

/** Executions of the prepared statement that stores deliveries, on as many connections as the queue has. */
async function countExecutions(boss: PgBoss, connections: number): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: connections }, () => boss.getDb().executeSql(EXECUTIONS)),
  );
  return answers.reduce((sum, { rows }) => sum + Number(rows[0]?.executions), 0);
}

it("on the embedded database deliveries are stored by one prepared statement, whatever they contain", async () => {
  const { store, queue, close } = await openQueue({ kind: "memory" });
  await acceptOneByOne(queue);
  expect(await readDeliveries(store)).toEqual(expect.arrayContaining(EVENTS));
  const { rows } = await sql<{
    executions: number;
  }>`select generic_plans + custom_plans as executions from pg_prepared_statements where statement like '%''delivery''%'`.execute(
    store.db,
  );
  expect(rows).toEqual([{ executions: EVENTS.length - 1 }]);
  await close();
});

const server = inject("postgresUrl");

describe.runIf(server !== null)("on PostgreSQL", () => {
  it("deliveries are stored by a prepared statement, whatever they contain", async () => {
    const { store, boss, queue, close } = await openQueue({
      kind: "postgres",
      url: await freshPostgres(server ?? ""),
    });
    await acceptOneByOne(queue);
    expect(await readDeliveries(store)).toEqual(expect.arrayContaining(EVENTS));
    await expect.poll(() => countExecutions(boss, 4)).toBeGreaterThan(0); // one connection may be in use
    await close();
  });

  it.runIf(hasPgBouncer())(
    "deliveries are stored behind a proxy that gives each statement any connection",
    async () => {
      const proxy = await startPgBouncer(await freshPostgres(server ?? ""), 3);
      onTestFinished(() => proxy.stop());
      const queues = [];
      for (const _ of ["first", "second"]) queues.push(await openQueue({ kind: "postgres", url: proxy.url }));
      for (const { queue } of queues) await acceptOneByOne(queue); // both on the same connection, where one name is prepared once
      const other = new pg.Client({ connectionString: proxy.url });
      await other.connect();
      await other.query("begin"); // takes that connection
      for (const { queue } of queues) await acceptOneByOne(queue);
      await other.end();
      for (const { store, close } of queues) {
        expect(await readDeliveries(store)).toHaveLength(4 * EVENTS.length);
        await close();
      }
    },
    30_000,
  );
});
