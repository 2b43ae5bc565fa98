import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from "kysely";
import type { DamageWatch } from "./damage.ts";

/** Receives the time of each query that has ended, in seconds. */
export type OnQuery = (seconds: number) => void;

export interface QueryWatch {
  readonly damage: DamageWatch;
  readonly onQuery?: OnQuery | undefined;
}

/** Wraps a dialect so that the watch sees all of its failures and queries. */
export function watchDialect(dialect: Dialect, watch: QueryWatch): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => watchDriver(dialect.createDriver(), watch),
  };
}

function watchDriver(driver: Driver, watch: QueryWatch): Driver {
  const inner = new WeakMap<DatabaseConnection, DatabaseConnection>();
  const unwrap = (connection: DatabaseConnection): DatabaseConnection => inner.get(connection) ?? connection;
  return {
    init: (options) => driver.init(options),
    destroy: (options) => driver.destroy(options),
    acquireConnection: async (options) => {
      const connection = await watch.damage.guard(() => driver.acquireConnection(options));
      const watched = new WatchedConnection(connection, watch);
      inner.set(watched, connection);
      return watched;
    },
    beginTransaction: (connection, settings) =>
      watch.damage.guard(() => driver.beginTransaction(unwrap(connection), settings)),
    commitTransaction: (connection) => watch.damage.guard(() => driver.commitTransaction(unwrap(connection))),
    rollbackTransaction: (connection) => driver.rollbackTransaction(unwrap(connection)),
    releaseConnection: (connection) => driver.releaseConnection(unwrap(connection)),
  };
}

const WRITES: ReadonlySet<string> = new Set(["InsertQueryNode", "UpdateQueryNode", "DeleteQueryNode"]);
const isWrite = ({ query }: CompiledQuery): boolean => WRITES.has(query.kind);

class WatchedConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection;
  readonly #watch: QueryWatch;

  constructor(connection: DatabaseConnection, watch: QueryWatch) {
    this.#connection = connection;
    this.#watch = watch;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { damage, onQuery } = this.#watch;
    const beganMs = performance.now();
    try {
      const result = await damage.guard(() => this.#connection.executeQuery<Row>(query));
      if (isWrite(query)) damage.noteWrite();
      return result;
    } finally {
      onQuery?.((performance.now() - beganMs) / 1_000);
    }
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.#connection.streamQuery<Row>(query, chunkSize);
  }
}
