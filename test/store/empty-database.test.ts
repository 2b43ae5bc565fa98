import { PGlite } from "@electric-sql/pglite";
import { expect, it } from "vitest";
import { START_PARAMS } from "../../src/store/embedded.ts";
import { openUnprepared } from "../../src/store/unprepared-store.ts";
import { schema } from "../../src/wiring/database/schema.ts";

const TABLES = `
  select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') as line
  from information_schema.columns where table_schema = 'public'
  union all select indexdef from pg_indexes where schemaname = 'public'
  union all select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
  union all select tgrelid::regclass || ' ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  order by 1`;

const SIZES = `
  select array_agg(datname::text) as databases, current_setting('wal_segment_size') as "logFile" from pg_database`;

const linesOf = async (lite: PGlite) =>
  (await lite.query<{ line: string }>(TABLES)).rows.map(({ line }) => line);

// When it fails: `npm run generate`.
it("the prepared database equals a new one after its migrations", { timeout: 60_000 }, async () => {
  const anew = await openUnprepared(schema.migrations);
  if (anew.engine.kind !== "pglite") throw new Error("it is embedded");
  const { lite } = anew.engine;
  const prepared = await PGlite.create({
    startParams: [...START_PARAMS],
    loadDataDir: new Blob([schema.preparedDatabase()]),
  });
  expect((await prepared.query("select version()")).rows).toEqual(
    (await lite.query("select version()")).rows,
  );
  const expected = await linesOf(lite);
  expect(expected.length).toBeGreaterThan(100);
  expect(await linesOf(prepared)).toEqual(expected);
  expect((await prepared.query(SIZES)).rows).toEqual((await lite.query(SIZES)).rows);
  expect((await prepared.query(SIZES)).rows).toEqual([{ databases: ["postgres"], logFile: "1MB" }]);
  await Promise.all([anew.close(), prepared.close()]);
});
