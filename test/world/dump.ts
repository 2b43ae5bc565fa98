import { sql } from "kysely";
import type { Database } from "../../src/wiring/database/schema.ts";

/** Every row of every table, the queue's too, as text; `except` names tables as `schema.table`. */
export async function dumpTables(
  { db }: Pick<Database, "db">,
  except: readonly string[] = [],
): Promise<string> {
  const tables = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
    order by 1, 2`.execute(db);
  const lines: string[] = [];
  for (const { schema, name } of tables.rows) {
    if (except.includes(`${schema}.${name}`)) continue;
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.table(`${schema}.${name}`)} t order by 1`.execute(db);
    lines.push(...rows.map(({ row }) => `${schema}.${name} ${row}`));
  }
  return lines.join("\n");
}
