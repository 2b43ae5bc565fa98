import { sql } from "kysely";
import { toStorableJson } from "../../kernel/storable.ts";
import type { Db, PlatformTables } from "../tables/tables.ts";

/**
 * Adds rows to a table, or replaces those with the same key, by one statement. All rows have the same columns; texts are made storable.
 * Keys must be different, unless the table has no other columns.
 * `keep`: columns whose value in the table stays where a flag of the row there is set, by the flag's name. The rows do not have the
 * flags, which would be replaced too.
 */
export async function putRows(
  trx: Db,
  table: keyof PlatformTables,
  rows: readonly Readonly<Record<string, unknown>>[],
  { key, keep = {} }: { readonly key: readonly string[]; readonly keep?: Readonly<Record<string, string>> },
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const replace = (name: string) => {
    const [column, next] = [sql.ref(name), sql.ref(`excluded.${name}`)];
    const flag = keep[name];
    if (flag === undefined) return sql`${column} = ${next}`;
    const [isKept, mine] = [sql.ref(`${table}.${flag}`), sql.ref(`${table}.${name}`)];
    return sql`${column} = case when ${isKept} then ${mine} else ${next} end`;
  };
  const others = columns.filter((name) => !key.includes(name));
  const update = sql`(${sql.join(key.map((name) => sql.ref(name)))}) do update set ${sql.join(others.map(replace))}`;
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
    select ${sql.join(columns.map((name) => sql.ref(`incoming.${name}`)))}
    from json_populate_recordset(null::${sql.table(table)}, ${toStorableJson(rows)}::json) as incoming
    on conflict ${others.length === 0 ? sql`do nothing` : update}`.execute(trx);
}
