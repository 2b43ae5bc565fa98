import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { systemClock } from "../../../src/kernel/clock.ts";
import { openBoss } from "../../../src/queue/open.ts";
import { createQueue, type Queue } from "../../../src/queue/queue.ts";
import type { Store } from "../../../src/store/open.ts";
import { PREPARING_POOL } from "../../../src/store/prepared/prepared-client.ts";
import { openDatabase } from "../../../src/wiring/database/open-database.ts";
import { freshPostgres } from "../../world/engines.ts";
import { hasPgBouncer, startPgBouncer } from "../../world/pgbouncer.ts";

const server = inject("postgresUrl");
const SILENT = { warn: () => {}, error: () => {} };
const EVENTS = ["plain", "it's", "C:\\new\\", "$1", "');drop table queue.job;--"].map((text) => ({ text }));
const FIND = "select id, name from items where id = $1";
const FIND_NAMES = "with found as (select * from items where id = (select $1::int)) select name from found";
const FIND_ALL = "select * from items where id = $1";

/** A pool with one connection, and a table. */
async function openPool(url: string): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: url, max: 1, ...PREPARING_POOL });
  onTestFinished(() => pool.end());
  await pool.query("create table items (id int primary key, name text)");
  await pool.query("insert into items values (1, 'a')");
  return pool;
}

async function listPrepared(pool: pg.Pool): Promise<readonly string[]> {
  const { rows } = await pool.query("select statement from pg_prepared_statements");
  return rows.map(({ statement }) => statement);
}

interface OpenQueue {
  readonly store: Store;
  readonly queue: Queue;
  close(): Promise<void>;
}

async function openQueue(url: string): Promise<OpenQueue> {
  const store = await openDatabase({ kind: "postgres", url }, () => {});
  const queue = createQueue(await openBoss(store, SILENT), systemClock);
  const close = async () => {
    await queue.stop();
    await store.close();
  };
  return { store, queue, close };
}

async function acceptOneByOne(queue: Queue): Promise<void> {
  for (const event of EVENTS) await queue.acceptDelivery(randomUUID(), event);
}

async function readDeliveries({ db }: Store): Promise<readonly object[]> {
  const { rows } = await sql<{
    data: object;
  }>`select data from queue.job where name = 'delivery'`.execute(db);
  return rows.map(({ data }) => data);
}

describe.runIf(server !== null)("a connection to PostgreSQL", () => {
  it("prepares what is executed again, but nothing whose columns depend on its tables", async () => {
    const pool = await openPool(await freshPostgres(server ?? ""));
    const ask = async (text: string, values: readonly unknown[]) =>
      (await pool.query(text, [...values])).rows;
    for (const _ of [1, 2, 3]) {
      expect(await ask(FIND, [1])).toEqual([{ id: 1, name: "a" }]);
      expect(await ask(FIND_ALL, [1])).toEqual([{ id: 1, name: "a" }]);
      expect(await ask(FIND_NAMES, [1])).toEqual([{ name: "a" }]);
      await ask("update items set name = $1 where id = 1 returning *", ["a"]);
      await pool.query("select 1; select 2");
    }
    expect(await listPrepared(pool)).toEqual(expect.arrayContaining([FIND, FIND_NAMES]));
    expect(await listPrepared(pool)).toHaveLength(2);
    await pool.query("alter table items add column more int");
    expect(await ask(FIND, [1])).toEqual([{ id: 1, name: "a" }]);
    expect(await ask(FIND_NAMES, [1])).toEqual([{ name: "a" }]);
    expect(await ask(FIND_ALL, [1])).toEqual([{ id: 1, name: "a", more: null }]);
    for (const _ of [1, 2, 3])
      await expect(ask("select nothing from items where id = $1", [1])).rejects.toThrow("nothing");
  });

  it("stores deliveries whatever they contain", async () => {
    const { store, queue, close } = await openQueue(await freshPostgres(server ?? ""));
    await acceptOneByOne(queue);
    expect(await readDeliveries(store)).toEqual(expect.arrayContaining(EVENTS));
    await close();
  });

  it.runIf(hasPgBouncer())("prepares nothing through a proxy that shares connections", async () => {
    const proxy = await startPgBouncer(await freshPostgres(server ?? ""), 3);
    onTestFinished(() => proxy.stop());
    const pool = await openPool(proxy.url);
    for (const _ of [1, 2, 3]) await pool.query(FIND, [1]);
    expect(await listPrepared(pool)).toEqual([]);
  });

  it.runIf(hasPgBouncer())(
    "stores deliveries behind a proxy that gives each statement any connection",
    async () => {
      const proxy = await startPgBouncer(await freshPostgres(server ?? ""), 3);
      onTestFinished(() => proxy.stop());
      const queues = [];
      for (const _ of ["first", "second"]) queues.push(await openQueue(proxy.url));
      for (const { queue } of queues) await acceptOneByOne(queue);
      const other = new pg.Client({ connectionString: proxy.url });
      await other.connect();
      await other.query("begin"); // takes a connection
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
