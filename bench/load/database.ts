import pg from "pg";
import { findBinaries, PostgresServer } from "../../test/world/postgres-server.ts";

/** As a server in production: every commit is forced to disk. Statements are counted. */
const OPTIONS = [
  "max_connections=200",
  "shared_preload_libraries=pg_stat_statements",
  "pg_stat_statements.track=all",
  "shared_buffers=256MB",
];

/** The counters of the database since the server started. */
export interface DatabaseCounters {
  readonly statements: number;
  readonly commits: number;
  readonly walBytes: number;
  readonly bytes: number;
  readonly connections: number;
}

export interface Statement {
  readonly calls: number;
  /** Of all calls, in ms. */
  readonly totalMs: number;
  readonly text: string;
}

export interface LoadDatabase {
  readonly url: string;
  readonly pid: number;
  count(): Promise<DatabaseCounters>;
  /** The statements that took most time. */
  costliest(limit: number): Promise<readonly Statement[]>;
  query<Row extends pg.QueryResultRow>(text: string): Promise<readonly Row[]>;
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
  await client.query("create extension pg_stat_statements");
  const query = async <Row extends pg.QueryResultRow>(text: string) => (await client.query<Row>(text)).rows;
  return {
    url: server.url(),
    pid: server.pid ?? 0,
    query,
    count: async () => {
      const [row] = await query<Record<keyof DatabaseCounters, string>>(COUNTERS);
      if (row === undefined) throw new Error("a query of aggregates returns a row");
      const { statements, commits, walBytes, bytes, connections } = row;
      return {
        statements: Number(statements),
        commits: Number(commits),
        walBytes: Number(walBytes),
        bytes: Number(bytes),
        connections: Number(connections),
      };
    },
    costliest: (limit) =>
      query<{ calls: number; totalMs: number; text: string }>(`${COSTLIEST} limit ${limit}`),
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
  (select sum(calls) from pg_stat_statements where toplevel) as statements,
  (select sum(xact_commit) from pg_stat_database) as commits,
  (select wal_bytes from pg_stat_wal) as "walBytes",
  (select sum(pg_database_size(datname)) from pg_database ${OTHERS}) as bytes,
  (select count(*) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()) as connections`;

const COSTLIEST = `select sum(calls)::integer as calls, round(sum(total_exec_time))::integer as "totalMs",
    left(regexp_replace(query, '\\s+', ' ', 'g'), 110) as text
  from pg_stat_statements where toplevel group by 3 order by 2 desc`;
