import {
  type ExpressionBuilder,
  type FilterObject,
  type InsertObject,
  type Kysely,
  type RawBuilder,
  type Selectable,
  sql,
  type Transaction,
  type UpdateObject,
} from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import { toPullColumns } from "../tables/pull-key.ts";

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

export const isFound = async (query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined;

/** Inserts rows; those whose key is there already stay as they are. Returns the number of inserted ones. */
export async function insertNew<DB, T extends TableOf<DB>>(
  db: AnyDb<DB>,
  table: T,
  rows: InsertObject<DB, T> | readonly InsertObject<DB, T>[],
): Promise<number> {
  if (Array.isArray(rows) && rows.length === 0) return 0;
  const { numInsertedOrUpdatedRows = 0n } = await toUntyped(db)
    .insertInto(table)
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return Number(numInsertedOrUpdatedRows);
}

/** Inserts a row, or updates the one with its primary key; `update`: other columns than all of the row. */
export async function upsert<DB, T extends TableOf<DB>>(
  db: AnyDb<DB>,
  table: T,
  row: InsertObject<DB, T>,
  update: UpdateObject<DB, T> = row as UpdateObject<DB, T>, // what can be inserted can be set
): Promise<void> {
  await toUntyped(db)
    .insertInto(table)
    .values(row)
    .onConflict((conflict) => conflict.constraint(`${table}_pkey`).doUpdateSet(update as never))
    .execute();
}

/** Returns the row that has these values, of which there is at most one. `lock`: until the transaction ends. */
export const findRow = async <DB, T extends TableOf<DB>>(
  db: AnyDb<DB>,
  table: T,
  key: RowKey<DB, T>,
  lock?: "lock",
): Promise<Selectable<DB[T]> | undefined> =>
  (await toUntyped(db)
    .selectFrom(table as string)
    .selectAll()
    .where(matches(key))
    .$if(lock !== undefined, (query) => query.forUpdate())
    .executeTakeFirst()) as Selectable<DB[T]> | undefined; // all columns of the table

/** Updates the rows that have these values; returns their number. */
export async function updateRows<DB, T extends TableOf<DB>>(
  db: AnyDb<DB>,
  table: T,
  key: RowKey<DB, T>,
  values: UpdateObject<DB, T>,
): Promise<number> {
  const query = toUntyped(db)
    .updateTable(table as string)
    .set(values as never)
    .where(matches(key));
  return Number((await query.executeTakeFirstOrThrow()).numUpdatedRows);
}

/** Deletes the rows that have these values; returns their number. */
export async function deleteRows<DB, T extends TableOf<DB>>(
  db: AnyDb<DB>,
  table: T,
  key: RowKey<DB, T>,
): Promise<number> {
  const query = toUntyped(db)
    .deleteFrom(table as string)
    .where(matches(key));
  return Number((await query.executeTakeFirstOrThrow()).numDeletedRows);
}

type AnyDb<DB> = Kysely<DB> | Transaction<DB>;
type TableOf<DB> = keyof DB & string;
/** Values of columns; null: the column is null. */
type RowKey<DB, T extends keyof DB> = Partial<Selectable<DB[T]>>;

const matches = (key: object) => has(key as Record<string, unknown>); // an object without methods

/** Kysely types no statement about a table that is a parameter; the signatures above do. */
const toUntyped = <DB>(db: AnyDb<DB>) => db as unknown as Kysely<Record<string, Record<string, unknown>>>;
