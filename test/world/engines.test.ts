import { sql } from "kysely";
import { expect, test } from "vitest";
import { dumpTables } from "./dump.ts";
import { openEmbedded } from "./engines.ts";

test("an embedded database that another test used is as new, and one whose schema it changed is not used again", async () => {
  const first = await openEmbedded();
  const before = await dumpTables(first);
  await first.db
    .insertInto("repositories")
    .values({
      repository_id: 1,
      installation_id: 1,
      owner_login: "acme",
      name: "shop",
      updated_at: new Date(),
    })
    .execute();
  await sql`update queue.queue set retry_limit = 1`.execute(first.db);
  await first.close();
  const again = await openEmbedded();
  expect(again.engine).toBe(first.engine);
  expect(await dumpTables(again)).toBe(before);
  await sql`alter table repositories add column color text`.execute(again.db);
  await again.close();
  const other = await openEmbedded();
  expect(other.engine).not.toBe(first.engine);
  await other.close();
});
