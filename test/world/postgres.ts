import pg from "pg";
import type { TestProject } from "vitest/node";
import { openBoss } from "../../src/queue/open.ts";
import { openDatabase } from "../../src/wiring/database/schema.ts";
import { FAST, findBinaries, PostgresServer } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A PostgreSQL server of the test run's own; null where no PostgreSQL binaries are installed. */
    postgresUrl: string | null;
  }
}

/** Name of the database that others are copied from: it has all tables, those of the queue too, and no rows of a test. */
export const MIGRATED = "migrated";

/** Starts a throw-away PostgreSQL when its binaries are there; `engines.ts` says which tests run on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const bin = findBinaries();
  if (bin === null) {
    process.stderr.write("PostgreSQL: no binaries found; tests ran on the embedded database only.\n");
    project.provide("postgresUrl", null);
    return async () => {};
  }
  const server = await PostgresServer.start(bin, [...FAST, "max_connections=200"]);
  await createMigrated(server.url()).catch(async (error: unknown) => {
    await server.end();
    throw error;
  });
  project.provide("postgresUrl", server.url());
  return () => server.end();
}

async function createMigrated(server: string): Promise<void> {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`create database ${MIGRATED}`);
  await admin.end();
  const url = server.replace(/\/[^/]*$/, `/${MIGRATED}`);
  const fail = (error: unknown): never => {
    throw error;
  };
  const store = await openDatabase({ kind: "postgres", url, maxConnections: 2 }, fail);
  const boss = await openBoss(store, { warn: fail, error: fail });
  await boss.stop({ graceful: false });
  await store.close();
}
