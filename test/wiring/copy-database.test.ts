import { sql } from "kysely";
import { expect, inject, it } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { platformTables } from "../../src/platform-server/tables/tables.ts";
import { openBoss } from "../../src/queue/open.ts";
import { createQueue } from "../../src/queue/queue.ts";
import { appendDecision } from "../../src/store/audit/decisions.ts";
import { botTables } from "../../src/store/tables/tables.ts";
import { copyDirectory, refuseForgottenDirectory } from "../../src/wiring/database/copy.ts";
import { type Database, openDatabase } from "../../src/wiring/database/schema.ts";
import { newDirectory, recordDecisions, verdict } from "../store/data-directory.ts";
import { emptyPostgres } from "../world/engines.ts";

const server = inject("postgresUrl");
const WITH_DECISIONS = ["decisions", "decision_head"];
const TABLES = Object.keys({ ...botTables, ...platformTables }).filter(
  (name) => !WITH_DECISIONS.includes(name),
);
const DELIVERY = "11111111-1111-4111-8111-111111111111";
const quiet = { warn: () => {}, error: () => {} };
const ignore = () => {};
const openServer = (url: string) => openDatabase({ kind: "postgres", url, maxConnections: 3 }, ignore);

const LARGE = 9_007_199_254_740_000;

/** Values that a careless copy would round, cut or reorder, by the type of their column. */
const VALUES: Readonly<Record<string, unknown>> = {
  text: "a \\ 'b' \n\u00fc",
  "text[]": ["a,b", '"'],
  boolean: true,
  integer: 1,
  bigint: LARGE,
  timestamptz: "2026-01-02T03:04:05.123456+02:00",
  jsonb: { amount: "1.10", list: [1.5, null] },
  uuid: "0f8fad5b-d9cb-469f-a165-70867728950e",
};

/** Inserts a row with a value in each column that the database does not compute. */
async function insertRow({ db }: Database, table: string): Promise<void> {
  const { rows } = await sql<{ name: string; type: string }>`
    select attname as name, regexp_replace(format_type(atttypid, atttypmod), ' with time zone', 'tz') as type
    from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and attgenerated = ''`.execute(db);
  const members = rows.map(({ name, type }) =>
    type === "numeric"
      ? `${JSON.stringify(name)}: 12345678901234567890.000000000000000000010`
      : `${JSON.stringify(name)}: ${JSON.stringify(VALUES[type] ?? type)}`,
  );
  const columns = sql.join(rows.map(({ name }) => sql.ref(name)));
  await sql`insert into ${sql.table(table)} (${columns})
    select ${columns} from json_populate_record(null::${sql.table(table)}, ${`{${members.join(",")}}`}::json)`.execute(
    db,
  );
}

/** Every row as text, times in UTC. */
const dump = (db: Database["db"]) =>
  db.connection().execute(async (one) => {
    await sql`set time zone 'UTC'`.execute(one);
    const tables = [];
    for (const table of ["decisions", ...TABLES]) {
      const { rows } = await sql`select t::text as row from ${sql.table(table)} as t order by 1`.execute(one);
      tables.push([table, rows]);
    }
    return tables;
  });

/** A closed data directory with a row in each table, three decisions and a waiting delivery, and its rows. */
async function writtenDirectory() {
  const directory = newDirectory();
  const store = await openDatabase({ kind: "directory", directory }, ignore);
  await recordDecisions(store);
  for (const table of TABLES) await insertRow(store, table);
  const queue = createQueue(await openBoss(store, quiet), systemClock);
  await queue.acceptDelivery(DELIVERY, { n: 1 });
  const rows = await dump(store.db);
  await queue.stop();
  await store.close();
  return { directory, rows };
}

it.runIf(server !== null)(
  "a copy on PostgreSQL has every row, the whole chain and the waiting deliveries, and goes on",
  async () => {
    const [{ directory, rows }, url] = [await writtenDirectory(), await emptyPostgres(server ?? "")];
    const settings = { databaseUrl: url, dataDirectory: directory };
    await expect(refuseForgottenDirectory(settings)).rejects.toMatchObject({ code: "start_refused" });
    const fail = (table: string) => {
      if (table === "decisions") throw new Error("the process ends");
    };
    await expect(copyDirectory(directory, url, fail)).rejects.toThrow("the process ends");
    await expect(refuseForgottenDirectory(settings)).rejects.toMatchObject({ code: "start_refused" });
    expect(await copyDirectory(directory, url, ignore)).toMatchObject({ decisions: 3 });
    await refuseForgottenDirectory(settings);
    const copy = await openServer(url);
    expect(await dump(copy.db)).toEqual(rows);
    const { rows: next } =
      await sql`select nextval(pg_get_serial_sequence('evaluations', 'evaluation_id')) as id`.execute(
        copy.db,
      );
    expect(next).toEqual([{ id: LARGE + 1 }]);
    await appendDecision(copy.db, verdict(4), new Date());
    const queue = createQueue(await openBoss(copy, quiet), systemClock);
    expect(await queue.acceptDelivery(DELIVERY, { n: 1 })).toBe("duplicate");
    await queue.stop();
    await copy.close();
    await expect(copyDirectory(directory, url, ignore)).rejects.toMatchObject({ code: "usage" });
  },
);

it.runIf(server !== null)("a copy that is not equal is taken back", async () => {
  const [{ directory }, url] = [await writtenDirectory(), await emptyPostgres(server ?? "")];
  const target = await openServer(url);
  await sql`create function drop_row() returns trigger language plpgsql as 'begin return null; end'`.execute(
    target.db,
  );
  await sql`create trigger drops before insert on lanes for each row execute function drop_row()`.execute(
    target.db,
  );
  await expect(copyDirectory(directory, url, ignore)).rejects.toMatchObject({ code: "database_damaged" });
  expect(await sql`select from decisions`.execute(target.db)).toMatchObject({ rows: [] });
  await target.close();
});
