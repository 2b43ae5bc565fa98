import { existsSync } from "node:fs";
import { join } from "node:path";
import { type QueryExecutorProvider, sql } from "kysely";
import { TollgateError } from "../../kernel/errors.ts";
import { platformTables } from "../../platform-server/tables/tables.ts";
import { openBoss } from "../../queue/open.ts";
import type { Settings } from "../../settings/read.ts";
import { readAuditLines, verifyAudit } from "../../store/audit/chain.ts";
import { examineServer, toServerError } from "../../store/database/server-error.ts";
import { transact } from "../../store/database/transaction.ts";
import { DATABASE, inspectDirectory } from "../../store/directory/data-directory.ts";
import { botTables, type Db } from "../../store/tables/tables.ts";
import { type Database, openDatabase } from "./schema.ts";

/** Rows that are read and written at a time: the largest ones are evaluations of some hundred kilobytes. */
const BATCH = 200;

/** Every table, in the order in which rows can be inserted: those that others refer to come first. The queue has waiting deliveries. */
const TABLES = [...Object.keys({ ...botTables, ...platformTables }), "queue.job"];

/** Its only row exists from the beginning. */
const CHAIN_HEAD = "decision_head";

export interface CopiedDatabase {
  readonly rows: number;
  readonly decisions: number;
}

/**
 * Copies the database of a data directory, which no other process may use meanwhile, into a PostgreSQL.
 *
 * @throws TollgateError as `copyDatabase` and `openStore`
 */
export async function copyDirectory(
  directory: string,
  url: string,
  onTable: (table: string, rows: number) => void,
): Promise<CopiedDatabase> {
  if (inspectDirectory(directory) === "empty")
    throw new TollgateError("usage", `the data directory ${directory} has no database to copy`, {
      hint: "Set TOLLGATE_DATA to the directory of the Tollgate that is to move.",
    });
  const source = await openDatabase({ kind: "directory", directory }, () => {});
  try {
    const target = await openDatabase({ kind: "postgres", url }, () => {});
    try {
      return await copyDatabase(source, target, onTable);
    } catch (cause) {
      const error = toServerError(url, cause);
      if (!(error instanceof TollgateError && /^database_(full|unusable)$/.test(error.code))) throw error;
      const hint =
        "Nothing was copied. Correct the cause (a full disk: free some space, then `vacuum full`), and start the copy again.";
      throw new TollgateError(error.code, error.message, { cause, hint, retryable: true });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/**
 * Refuses to begin anew in an empty PostgreSQL while the data directory has what the embedded database recorded: approvals, tokens and
 * evaluations would seem lost.
 *
 * @throws TollgateError `start_refused`, and what `examineServer` throws
 */
export async function refuseForgottenDirectory({
  databaseUrl,
  dataDirectory,
}: Pick<Settings, "databaseUrl" | "dataDirectory">): Promise<void> {
  if (databaseUrl === null || !existsSync(join(dataDirectory, DATABASE))) return;
  const isEmpty = await examineServer(databaseUrl, async (db) => {
    const { rows } = await sql<{
      isBegun: boolean;
    }>`select to_regclass('repositories') is not null as "isBegun"`.execute(db);
    if (rows[0]?.isBegun !== true) return true;
    return (await sql`select from repositories limit 1`.execute(db)).rows.length === 0;
  });
  if (!isEmpty) return;
  throw new TollgateError(
    "start_refused",
    `the PostgreSQL of DATABASE_URL is empty, and the data directory ${dataDirectory} has a database: its approvals, tokens and evaluations would be lost`,
    {
      hint: "Copy it first: `tollgate database copy --to $DATABASE_URL`. To begin without it, start with --new, or move the directory away.",
    },
  );
}

/**
 * Copies every row of one database into another one without rows, in one transaction: after a failure or a kill the other one is as
 * before. Then counts and contents of all tables are compared, and the copied chain of decisions is verified. Nobody may write to the
 * first one meanwhile. `onTable` is called before each table.
 *
 * @throws TollgateError `usage` where the other one has rows, `database_damaged` where the copy is not equal, and what a database throws
 */
async function copyDatabase(
  source: Database,
  target: Database,
  onTable: (table: string, rows: number) => void,
): Promise<CopiedDatabase> {
  for (const store of [source, target]) {
    const boss = await openBoss(store, QUIET);
    await boss.stop({ graceful: false });
  }
  const rows = await transact(target.db, (to) =>
    source.db
      .withoutPlugins()
      .transaction()
      .execute((from) => copyTables(from, to, onTable)),
  );
  return { rows, decisions: await countDecisions(target.db) };
}

/** Returns how many rows there are. */
async function copyTables(
  from: QueryExecutorProvider,
  to: QueryExecutorProvider,
  onTable: (table: string, rows: number) => void,
): Promise<number> {
  // Both write times alike.
  for (const db of [from, to]) await sql`set local time zone 'UTC'`.execute(db);
  // Nobody decides while the rows arrive.
  await sql`lock table ${sql.table(CHAIN_HEAD)} in access exclusive mode`.execute(to);
  await requireEmpty(to);
  await sql`delete from ${sql.table(CHAIN_HEAD)}`.execute(to);
  let total = 0;
  for (const table of TABLES) {
    const expected = await summarize(from, table);
    onTable(table, expected.rows);
    await copyRows(from, to, table);
    const found = await summarize(to, table);
    if (found.digest !== expected.digest || found.rows !== expected.rows)
      throw createUnequalError(`the table ${table} has ${found.rows} rows, and ${expected.rows} were read`);
    total += found.rows;
  }
  await continueCounters(to);
  return total;
}

const QUIET = { warn: () => {}, error: () => {} };

const createUnequalError = (found: string): TollgateError =>
  new TollgateError("database_damaged", `the copy is not equal: ${found}`, {
    hint: "Nothing was copied. Make sure that nothing else uses either database, and start the copy again.",
  });

async function requireEmpty(to: QueryExecutorProvider): Promise<void> {
  for (const table of TABLES.filter((name) => name !== CHAIN_HEAD)) {
    const { rows } = await sql`select from ${sql.table(table)} limit 1`.execute(to);
    if (rows.length === 0) continue;
    throw new TollgateError(
      "usage",
      `the database to copy to is not empty: a Tollgate has used its table ${table}`,
      {
        hint: "Name an empty database with --to. One that a Tollgate has used keeps its own history: the two cannot be joined.",
      },
    );
  }
}

/** How many rows a table has, and a digest of all their values that does not depend on their order. */
async function summarize(db: QueryExecutorProvider, table: string) {
  const { rows } = await sql<{ rows: number; digest: string }>`select count(*)::int as rows,
      coalesce(sum(('x' || left(md5(row_to_json(one)::text), 15))::bit(60)::bigint), 0)::text as digest
    from ${sql.table(table)} as one`.execute(db);
  return rows[0] ?? { rows: 0, digest: "" };
}

/** Values travel as the JSON text of the database, so that no number is rounded on its way. */
async function copyRows(
  from: QueryExecutorProvider,
  to: QueryExecutorProvider,
  table: string,
): Promise<void> {
  const columns = sql.join((await listStoredColumns(to, table)).map((name) => sql.ref(name)));
  await sql`declare copied cursor for select row_to_json(one)::text as row from ${sql.table(table)} as one`.execute(
    from,
  );
  for (;;) {
    const { rows } = await sql<{ row: string }>`fetch ${sql.lit(BATCH)} from copied`.execute(from);
    if (rows.length === 0) break;
    const batch = `[${rows.map(({ row }) => row).join(",")}]`;
    await sql`insert into ${sql.table(table)} (${columns}) overriding system value
      select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${batch}::json)`.execute(to);
  }
  await sql`close copied`.execute(from);
}

/** The columns of a table that the database does not compute itself. */
async function listStoredColumns(to: QueryExecutorProvider, table: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(
    to,
  );
  return rows.map(({ name }) => name);
}

/** Columns that count up go on after their highest value. */
async function continueCounters(to: QueryExecutorProvider): Promise<void> {
  const { rows } = await sql<{
    relation: string;
    column: string;
  }>`select attrelid::regclass::text as relation, attname as column
    from pg_attribute where attidentity <> '' and attrelid = any(${TABLES}::regclass[])`.execute(to);
  for (const { relation, column } of rows)
    await sql`select setval(pg_get_serial_sequence(${relation}, ${column}),
      coalesce((select max(${sql.ref(column)}) from ${sql.table(relation)}), 0) + 1, false)`.execute(to);
}

/** Verifies the chain of decisions, and returns its length. */
async function countDecisions(db: Db): Promise<number> {
  async function* lines() {
    for await (const line of readAuditLines(db, { repositoryId: null, fromMs: null, toMs: null }))
      yield JSON.stringify(line);
  }
  const proof = await verifyAudit(lines());
  if (proof.state === "whole") return proof.decisions;
  throw createUnequalError("the chain of decisions is not whole");
}
