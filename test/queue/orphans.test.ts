import { sql } from "kysely";
import { expect, it } from "vitest";
import { openBoss } from "../../src/queue/open.ts";
import { openDatabase } from "../../src/wiring/database/open-database.ts";

const SILENT = { warn: () => {}, error: () => {} };

it("a job that was running in seven processes that were killed starts a second after the next start, not minutes", async () => {
  const store = await openDatabase({ kind: "memory" }, () => {});
  const before = await openBoss(store, SILENT);
  const id = await before.send("lane", { lane: "pull:1:1" }, { singletonKey: "pull:1:1" });
  await sql`update queue.job set state = 'active', retry_count = 7, started_on = now() where id = ${id}`.execute(
    store.db,
  );
  await before.stop({ graceful: false });
  const after = await openBoss(store, SILENT);
  const { rows } = await sql<{ state: string; seconds: number }>`
    select state, extract(epoch from start_after - now())::float as seconds from queue.job where id = ${id}`.execute(
    store.db,
  );
  expect(rows).toEqual([{ state: "retry", seconds: expect.any(Number) }]);
  expect(rows[0]?.seconds).toBeLessThan(2);
  await after.stop({ graceful: false });
  await store.close();
});
