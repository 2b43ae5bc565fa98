import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { openBoss } from "../../src/queue/open.ts";
import { createQueue } from "../../src/queue/queue.ts";
import { openDatabase } from "../../src/wiring/database/open-database.ts";

it("on the embedded database deliveries are stored by one prepared statement, whatever they contain", async () => {
  const store = await openDatabase({ kind: "memory" }, () => {});
  const queue = createQueue(await openBoss(store, { warn: () => {}, error: () => {} }), systemClock);
  const events = ["plain", "it's", "C:\\new\\", "$1", "');drop table queue.job;--"].map((text) => ({ text }));
  const ids = events.map(() => randomUUID());
  for (const [at, event] of events.entries()) await queue.acceptDelivery(ids[at] ?? "", event);
  const stored = await sql<{ data: object }>`select data from queue.job where name = 'delivery'`.execute(
    store.db,
  );
  expect(stored.rows.map(({ data }) => data)).toEqual(expect.arrayContaining(events));
  const { rows } = await sql<{
    executions: number;
  }>`select generic_plans + custom_plans as executions from pg_prepared_statements where statement like '%''delivery''%'`.execute(
    store.db,
  );
  expect(rows).toEqual([{ executions: events.length - 1 }]);
  await queue.stop();
  await store.close();
});
