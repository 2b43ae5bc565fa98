import { sql } from "kysely";
import type { z } from "zod";
import { toStorableJson } from "../../kernel/storable.ts";
import type { Db, PlatformTables } from "../tables/tables.ts";

/**
 * A kind of data that the platform computes elsewhere and that is imported, one JSON object per line. A file
 * is imported as a whole or not at all: every line is checked and every key compared before the first row is
 * written.
 */
export interface ImportKind<Row = unknown> {
  /** Schema of one line. It is strict: an unknown member is a problem. It limits every text, list and amount. */
  readonly line: z.ZodType<Row>;
  /** Returns the key of a row, which must be unique in a file. It must be short, because the keys of a whole file are compared. */
  key(row: Row): string;
  /**
   * Adds rows of an account, or replaces those with the same key. Called with up to 1,000 rows at a time, several times in one
   * transaction; it must not begin a transaction. A row that `line` accepted must not fail here.
   */
  write(trx: Db, account: string, rows: readonly Row[]): Promise<void>;
}

/** Creates a kind whose schema, key and writer have the same row type; the list of kinds does not preserve this type. */
export const importKind = <Row>(kind: ImportKind<Row>): ImportKind<Row> => kind;

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
