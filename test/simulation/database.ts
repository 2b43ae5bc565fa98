import type { PGlite } from "@electric-sql/pglite";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import { oneConnectionPlugin } from "../../src/store/database/transaction.ts";
import type { Tables } from "../../src/store/tables/tables.ts";
import { buildRenewal, readTables } from "../world/renewal.ts";
import type { ConnectionLock } from "./connection-lock.ts";
import type { Life } from "./life.ts";
import { PreparedStatements } from "./prepared-statements.ts";
import type { Scheduler } from "./scheduler.ts";

/** What a mutant makes of a statement; null: it does not happen. */
export type Rewrite = (sql: string, parameters: readonly unknown[]) => string | null;

interface ConnectionParts {
  readonly scheduler: Pick<Scheduler, "statement">;
  readonly life: Life;
  /** Shared by all connections to the database. */
  readonly lock: ConnectionLock;
  readonly rewrite: Rewrite;
  /** Called when a run has begun in a lane. */
  readonly onLane?: (lane: string) => void;
}

/** One connection to PGlite whose statements go through the scheduler. A life of the bot has one; it is let go by a crash. */
class Connection implements DatabaseConnection {
  readonly #statements: PreparedStatements;
  readonly #scheduler: ConnectionParts["scheduler"];
  readonly #life: Life;
  readonly #rewrite: Rewrite;
  readonly #onLane: (lane: string) => void;
  isInTransaction = false;

  constructor(
    statements: PreparedStatements,
    { scheduler, life, rewrite, onLane = () => {} }: ConnectionParts,
  ) {
    this.#statements = statements;
    this.#scheduler = scheduler;
    this.#life = life;
    this.#rewrite = rewrite;
    this.#onLane = onLane;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return await this.#scheduler.statement(this.#life, async () => {
        const text = this.#rewrite(sql, parameters);
        if (text === null) return { rows: [], numAffectedRows: 1n };
        const { rows, affectedRows } = this.#statements.query(text, parameters);
        if (sql.startsWith('insert into "lanes"')) this.#onLane(String(parameters[0]));
        return { rows: rows as R[], numAffectedRows: BigInt(affectedRows) }; // as the driver of Kysely promises
      });
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "57P01") await this.letGo();
      throw error;
    }
  }

  /** The server undoes the transaction of a connection that ends. */
  async letGo(): Promise<void> {
    if (this.isInTransaction) this.#statements.query("rollback", []);
    this.isInTransaction = false;
  }

  // biome-ignore lint/correctness/useYield: nothing streams
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error("nothing streams");
  }
}

class SimulatedDriver implements Driver {
  readonly #connection: Connection;
  readonly #lock: ConnectionLock;
  readonly #life: Life;

  constructor(connection: Connection, { lock, life }: Pick<ConnectionParts, "lock" | "life">) {
    this.#connection = connection;
    this.#lock = lock;
    this.#life = life;
  }

  async init(): Promise<void> {}
  async destroy(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#lock.acquire(this.#life);
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#lock.release();
  }

  async beginTransaction(): Promise<void> {
    this.#connection.isInTransaction = true;
    await this.#connection.executeQuery(CompiledQuery.raw("begin"));
  }

  async commitTransaction(): Promise<void> {
    await this.#connection.executeQuery(CompiledQuery.raw("commit"));
    this.#connection.isInTransaction = false;
  }

  async rollbackTransaction(): Promise<void> {
    await this.#connection.letGo();
  }
}

export interface OpenDatabase {
  readonly db: Kysely<Tables>;
  /** Undoes what a crashed life of the bot left open. */
  letGo(): Promise<void>;
}

/** The store of one life of the bot: the real tables and statements, on the PGlite that outlives it. */
export function connectDatabase(statements: PreparedStatements, parts: ConnectionParts): OpenDatabase {
  const connection = new Connection(statements, parts);
  const db = new Kysely<Tables>({
    dialect: {
      createDriver: () => new SimulatedDriver(connection, parts),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    plugins: [oneConnectionPlugin],
  });
  const letGo = async (): Promise<void> => {
    await connection.letGo();
    if (parts.lock.isHeldBy(parts.life)) parts.lock.release();
  };
  return { db, letGo };
}

/** A database that can be made as new again, in a few milliseconds. */
export interface ReusableDatabase {
  readonly statements: PreparedStatements;
  /** Empties the tables, and puts back the rows that migrations wrote. */
  renew(): void;
}

export async function openReusable(lite: PGlite): Promise<ReusableDatabase> {
  const renewal = buildRenewal(await readTables(lite, ["public"]));
  await lite.exec("set plan_cache_mode = force_generic_plan");
  const statements = new PreparedStatements(lite);
  return { statements, renew: () => statements.exec(renewal) };
}
