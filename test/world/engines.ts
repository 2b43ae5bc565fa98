import { randomUUID } from "node:crypto";
import type { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { inject } from "vitest";
import { type Database, openDatabase } from "../../src/wiring/database/schema.ts";
import { MIGRATED } from "./postgres.ts";
import { buildRenewal, buildServerRenewal, readShape, readTables } from "./renewal.ts";

export interface TestEngine {
  readonly name: "embedded" | "postgres";
  /** A fresh store with all migrations, of this test alone. */
  open(): Promise<Database>;
}

const fail = (error: Error): never => {
  throw error;
};

interface KeptDatabase {
  readonly database: Database;
  readonly lite: PGlite;
  readonly renewal: string;
  readonly shape: string;
}

/** What the database of a bot consists of: its own tables, and the queue's. */
const SCHEMAS = ["public", "queue"];
/** Embedded databases of this process that nobody uses: beginning one takes a second, renewing it some milliseconds. */
const kept: KeptDatabase[] = [];

/** An embedded database without rows. Closing it keeps it for the next one, unless its schema was changed. */
export async function openEmbedded(): Promise<Database> {
  const found = kept.pop();
  if (found !== undefined) await found.lite.exec(found.renewal);
  const own = found ?? (await beginEmbedded());
  const { database, lite } = own;
  return {
    ...database,
    close: async () => {
      const isAsNew =
        !lite.closed && database.damage.seen === null && (await readShape(lite, SCHEMAS)) === own.shape;
      if (isAsNew) kept.push(own);
      else await database.close();
    },
  };
}

async function beginEmbedded(): Promise<KeptDatabase> {
  const database = await openDatabase({ kind: "memory" }, fail);
  if (database.engine.kind !== "pglite") throw new Error("a database in memory is an embedded one");
  const { lite } = database.engine;
  return {
    database,
    lite,
    renewal: buildRenewal(await readTables(lite, SCHEMAS)),
    shape: await readShape(lite, SCHEMAS),
  };
}

/** A new database on the test run's own PostgreSQL, with all tables, those of the queue too, and no rows. */
export const freshPostgres = (server: string): Promise<string> => createDatabase(server, MIGRATED);

/** A new database on the test run's own PostgreSQL, without tables. */
export const emptyPostgres = (server: string): Promise<string> => createDatabase(server, "template1");

async function createDatabase(server: string, template: string): Promise<string> {
  const name = `t_${randomUUID().replaceAll("-", "")}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`create database ${name} template ${template}`);
  await admin.end();
  return server.replace(/\/[^/]*$/, `/${name}`);
}

/** Databases on PostgreSQL that this process made and nobody uses: copying one takes half a second, renewing it some milliseconds. */
const free: string[] = [];
/** Of a new database, and so of its copies. */
let asNew: { readonly renewal: string; readonly shape: string } | null = null;

/** A database on PostgreSQL as `freshPostgres` makes it. Give it back with `releasePostgres`. */
async function takePostgres(server: string): Promise<string> {
  for (let url = free.pop(); url !== undefined; url = free.pop()) if (await renewPostgres(url)) return url;
  const url = await freshPostgres(server);
  asNew ??= await withClient(url, async (client) => ({
    renewal: buildServerRenewal(await readTables(client, SCHEMAS)),
    shape: await readShape(client, SCHEMAS),
  }));
  return url;
}

/** Whether it is as new: it may still be used, or its schema may have been changed. */
const renewPostgres = (url: string): Promise<boolean> =>
  withClient(url, async (client) => {
    if (asNew === null || !(await isAlone(client))) return false;
    if ((await readShape(client, SCHEMAS)) !== asNew.shape) return false;
    await client.query(asNew.renewal);
    return true;
  });

/** Waits a moment for the server to end the connections that were closed. */
async function isAlone(client: pg.Client): Promise<boolean> {
  const others =
    "select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
  await client.query(`do $$ begin
    for turn in 1..100 loop
      exit when not exists (${others});
      perform pg_sleep(0.01), pg_stat_clear_snapshot();
    end loop;
  end $$`);
  return (await client.query(others)).rowCount === 0;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function openPostgres(server: string): Promise<Database> {
  const url = await takePostgres(server);
  const database = await openDatabase({ kind: "postgres", url, maxConnections: 5 }, fail);
  return {
    ...database,
    close: async () => {
      await database.close();
      free.push(url);
    },
  };
}

/**
 * The engines that this machine can run: the embedded one always, PostgreSQL where its binaries are. For tests of what differs
 * between them: the queue (pg-boss has a backend for each), connections, locks and transactions, the chain of decisions, the order
 * of texts and the arithmetic of times and amounts in SQL. Models and fuzzers of whole areas run on the usual one.
 */
export function engines(): readonly TestEngine[] {
  const server = inject("postgresUrl");
  const embedded: TestEngine = { name: "embedded", open: openEmbedded };
  if (server === null) return [embedded];
  return [embedded, { name: "postgres", open: () => openPostgres(server) }];
}

/**
 * For tests whose SQL is the same on both engines: PostgreSQL where it is, for its databases are copied eight times as fast as an
 * embedded one begins; without it the embedded one. `npm run test:deep` runs them on both.
 */
export const usualEngines = (): readonly TestEngine[] => (inject("isDeep") ? engines() : engines().slice(-1));

/** The first of `usualEngines`. */
export function usualEngine(): TestEngine {
  const [engine] = usualEngines();
  if (engine === undefined) throw new Error("there is always the embedded engine");
  return engine;
}

/** Address of a database without rows for a whole bot, by the same rule; null: the embedded one, in the bot's data directory. */
export async function usualDatabaseUrl(): Promise<string | null> {
  const server = inject("postgresUrl");
  return server === null || inject("isDeep") ? null : takePostgres(server);
}

/** Nobody uses this database any more. */
export const releasePostgres = (url: string): void => void free.push(url);
