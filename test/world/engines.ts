import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { type Database, openDatabase } from "../../src/wiring/database/open-database.ts";
import { MIGRATED } from "./postgres.ts";

export interface TestEngine {
  readonly name: "embedded" | "postgres";
  /** A fresh store with all migrations, of this test alone. */
  open(): Promise<Database>;
}

const fail = (error: Error): never => {
  throw error;
};

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

/**
 * The engines that this machine can run: the embedded one always, PostgreSQL where its binaries are. For tests of what differs
 * between them: the queue (pg-boss has a backend for each), connections, locks and transactions, the chain of decisions, the order
 * of texts and the arithmetic of times and amounts in SQL. Models and fuzzers of whole areas run on the usual one.
 */
export function engines(): readonly TestEngine[] {
  const server = inject("postgresUrl");
  const embedded: TestEngine = { name: "embedded", open: () => openDatabase({ kind: "memory" }, fail) };
  if (server === null) return [embedded];
  const postgres: TestEngine = {
    name: "postgres",
    open: async () =>
      openDatabase({ kind: "postgres", url: await freshPostgres(server), maxConnections: 5 }, fail),
  };
  return [embedded, postgres];
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

/** Address of a fresh database for a whole bot, by the same rule; null: the embedded one, in the bot's data directory. */
export async function usualDatabaseUrl(): Promise<string | null> {
  const server = inject("postgresUrl");
  return server === null || inject("isDeep") ? null : freshPostgres(server);
}
