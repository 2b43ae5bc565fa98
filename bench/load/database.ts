import pg from "pg";
import { findBinaries, PostgresServer } from "../../test/world/postgres-server.ts";

/** As a server in production: every commit is forced to disk. */
const OPTIONS = ["max_connections=200", "shared_buffers=256MB"];

/** The counters of the database since the server started. */
export interface DatabaseCounters {
  readonly walBytes: number;
  readonly bytes: number;
  readonly connections: number;
}

export interface LoadDatabase {
  readonly pid: number;
  count(): Promise<DatabaseCounters>;
  /** A new, empty database on the same server. */
  create(name: string): Promise<string>;
  close(): Promise<void>;
}

/** A PostgreSQL of this load alone. Throws where its programs are not installed. */
export async function startDatabase(): Promise<LoadDatabase> {
  const bin = findBinaries();
  if (bin === null) throw new Error("the load needs PostgreSQL's programs (initdb, postgres)");
  const server = await PostgresServer.start(bin, OPTIONS);
  process.once("exit", () => server.pid !== null && process.kill(server.pid, "SIGINT"));
  const client = new pg.Client({ connectionString: server.url() });
  await client.connect();
  return {
    pid: server.pid ?? 0,
    count: async () => {
      const { rows } = await client.query<Record<keyof DatabaseCounters, string>>(COUNTERS);
      const [row = null] = rows;
      if (row === null) throw new Error("a query of aggregates returns a row");
      const { walBytes, bytes, connections } = row;
      return { walBytes: Number(walBytes), bytes: Number(bytes), connections: Number(connections) };
    },
    create: async (name) => {
      await client.query(`create database ${name}`);
      return server.url(name);
    },
    close: async () => {
      await client.end();
      await server.end();
    },
  };
}

const OTHERS = "where datname not in ('template0', 'template1')";
const COUNTERS = `select
  (select wal_bytes from pg_stat_wal) as "walBytes",
  (select sum(pg_database_size(datname)) from pg_database ${OTHERS}) as bytes,
  (select count(*) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()) as connections`;
