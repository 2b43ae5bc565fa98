import {
  type ExpressionBuilder,
  type FilterObject,
  type InsertObject,
  type Kysely,
  type RawBuilder,
  sql,
  type UpdateObject,
} from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import { toPullColumns } from "../tables/pull-key.ts";
import { botTables, type Db, type Tables } from "../tables/tables.ts";

/** A condition: the columns have these values. */
export const has =
  <C extends object>(columns: C) =>
  <DB extends { [T in TB]: { [K in keyof C]: unknown } }, TB extends keyof DB>(
    eb: ExpressionBuilder<DB, TB>,
  ) =>
    eb.and(columns as FilterObject<DB, TB>); // the constraint of DB is the proof

/** A condition: the row belongs to this pull request. */
export const isOf = (pull: PullKey) => has(toPullColumns(pull));

/** A condition for joins: the rows of both tables belong to one pull request. */
export const isSamePull = (table: string, other: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${table}.repository_id`)} = ${sql.ref(`${other}.repository_id`)}
    and ${sql.ref(`${table}.number`)} = ${sql.ref(`${other}.number`)}`;

/** Now, by the database's clock, which all processes share. */
export const NOW = sql<Date>`clock_timestamp()`;
export const addMs = (ms: number): RawBuilder<unknown> => sql`${ms}::float8 * interval '1 millisecond'`;

/** Whether a query finds a row. */
export const isFound = async (query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined;

/** Inserts rows; those whose key is there already stay as they are. */
export async function insertNew<T extends keyof Tables>(
  db: Db,
  table: T,
  rows: InsertObject<Tables, T> | readonly InsertObject<Tables, T>[],
): Promise<void> {
  if (Array.isArray(rows) && rows.length === 0) return;
  await toUntyped(db)
    .insertInto(table)
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Inserts a row, or updates the one with its primary key; `update`: other columns than all of the row. */
export async function upsert<T extends keyof Tables>(
  db: Db,
  table: T,
  row: InsertObject<Tables, T>,
  update: UpdateObject<Tables, T> = row as UpdateObject<Tables, T>, // what can be inserted can be set
): Promise<void> {
  const { primaryKey = [] } = botTables[table];
  await toUntyped(db)
    .insertInto(table)
    .values(row)
    .onConflict((conflict) => conflict.columns(primaryKey).doUpdateSet(update as never))
    .execute();
}

/** Kysely types no statement about a table that is a parameter; the signatures above do. */
const toUntyped = (db: Db) => db as unknown as Kysely<Record<string, Record<string, unknown>>>;
