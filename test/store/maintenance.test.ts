import { sql } from "kysely";
import { expect, it } from "vitest";
import { enterLane } from "../../src/store/database/lanes.ts";
import { maintainStore } from "../../src/wiring/maintenance.ts";
import { openEmbedded } from "../world/engines.ts";

it("maintenance takes dead rows away, which nothing else does on the embedded database", async () => {
  const store = await openEmbedded();
  const runs = async () => {
    for (let run = 0; run < 300; run++) await enterLane(store.db, "pull:1:1", new Date());
  };
  const size = async () => {
    const { rows } = await sql<{ n: number }>`select pg_relation_size('lanes') as n`.execute(store.db);
    return rows[0]?.n ?? 0;
  };
  await runs();
  await maintainStore(store);
  const before = await size();
  await runs();
  expect(await size()).toBeLessThanOrEqual(before);
  const { rows } = await sql<{ n: number }>`
    select reltuples::int as n from pg_class where relname = 'lanes'`.execute(store.db);
  expect(rows[0]?.n).toBe(1);
  await store.close();
});
