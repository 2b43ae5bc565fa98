import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { type Database, openDatabase } from "../../src/wiring/database/open-database.ts";

export interface TestEngine {
  readonly name: "embedded" | "postgres";
  /** A fresh store with all migrations, of this test alone. */
  open(): Promise<Database>;
}

const fail = (error: Error): never => {
  throw error;
};

/** A new empty database on the test run's own PostgreSQL. */
export async function freshPostgres(server: string): Promise<string> {
  const name = `t_${randomUUID().replaceAll("-", "")}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  return server.replace(/\/[^/]*$/, `/${name}`);
}

/** The engines that this machine can run: the embedded one always, PostgreSQL where its binaries are. */
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
