import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { type Database, openDatabase } from "../src/wiring/database/schema.ts";

/** PostgreSQL of the bench, when there is one: DATABASE_URL, or the server of this machine. */
const SERVER = process.env["DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";

export interface BenchEngine {
  readonly name: string;
  /** A fresh store of this bench alone. */
  open(): Promise<{ readonly store: Database; close(): Promise<void> }>;
}

const embedded: BenchEngine = {
  name: "embedded",
  open: async () => {
    const directory = mkdtempSync(join(tmpdir(), "tollgate-bench-"));
    const store = await openDatabase({ kind: "directory", directory }, () => {});
    const close = async () => {
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    };
    return { store, close };
  },
};

const postgres: BenchEngine = {
  name: "PostgreSQL",
  open: async () => {
    const name = `bench_${randomUUID().replaceAll("-", "")}`;
    await onServer(`create database ${name}`);
    const url = SERVER.replace(/\/[^/]*$/, `/${name}`);
    const store = await openDatabase({ kind: "postgres", url, maxConnections: 5 }, () => {});
    const close = async () => {
      await store.close();
      await onServer(`drop database ${name}`);
    };
    return { store, close };
  },
};

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER, connectionTimeoutMillis: 2_000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The embedded engine, and PostgreSQL where one answers. */
export async function benchEngines(): Promise<readonly BenchEngine[]> {
  const answers = await onServer("select 1").then(
    () => true,
    () => false,
  );
  return answers ? [embedded, postgres] : [embedded];
}
