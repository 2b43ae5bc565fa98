import { sql } from "kysely";
import { expect, it } from "vitest";
import { openBoss } from "../../src/queue/open.ts";
import { transact } from "../../src/store/database/one-connection.ts";
import type { Store } from "../../src/store/open.ts";
import { engines } from "../world/engines.ts";

const SILENT = { warn: () => {}, error: () => {} };

async function startAndStop(store: Store): Promise<void> {
  const boss = await openBoss(store, SILENT);
  await boss.stop({ graceful: false });
}

/** A queue as an earlier version left it: every job is checked against its queue. */
async function beginWithForeignKey(store: Store): Promise<void> {
  await startAndStop(store);
  await sql`alter table queue.job_common add constraint q_fkey
    foreign key (name) references queue.queue (name)`.execute(store.db);
}

const countForeignKeys = async ({ db }: Store): Promise<number> =>
  (
    await sql`select from pg_constraint
      where conrelid = 'queue.job_common'::regclass and contype = 'f'`.execute(db)
  ).rows.length;

it.each(engines())(
  "on $name a start drops the foreign keys of jobs, whose checks take time",
  async ({ open }) => {
    const store = await open();
    await beginWithForeignKey(store);
    expect(await countForeignKeys(store)).toBe(1);
    await startAndStop(store);
    expect(await countForeignKeys(store)).toBe(0);
    await store.close();
  },
);

it.each(engines().filter(({ name }) => name !== "embedded"))(
  "on $name a start while the jobs are locked leaves their foreign keys, and the next start drops them",
  async ({ open }) => {
    const store = await open();
    await beginWithForeignKey(store);
    const locked = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const holding = transact(store.db, async (trx) => {
      await sql`lock table queue.job_common in access share mode`.execute(trx);
      locked.resolve();
      await started.promise;
    });
    await locked.promise;
    await startAndStop(store);
    started.resolve();
    await holding;
    expect(await countForeignKeys(store)).toBe(1);
    await startAndStop(store);
    expect(await countForeignKeys(store)).toBe(0);
    await store.close();
  },
);
