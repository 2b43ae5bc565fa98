import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from "kysely";
import type { DamageWatch } from "./damage.ts";

/** Wraps a dialect so that the watch sees all of its failures. */
export function watchDialect(dialect: Dialect, watch: DamageWatch): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => watchDriver(dialect.createDriver(), watch),
  };
}

function watchDriver(driver: Driver, watch: DamageWatch): Driver {
  const inner = new WeakMap<DatabaseConnection, DatabaseConnection>();
  const unwrap = (connection: DatabaseConnection): DatabaseConnection => inner.get(connection) ?? connection;
  return {
    init: (options) => driver.init(options),
    destroy: (options) => driver.destroy(options),
    acquireConnection: async (options) => {
      const connection = await watch.guard(() => driver.acquireConnection(options));
      const watched = new WatchedConnection(connection, watch);
      inner.set(watched, connection);
      return watched;
    },
    beginTransaction: (connection, settings) =>
      watch.guard(() => driver.beginTransaction(unwrap(connection), settings)),
    commitTransaction: (connection) => watch.guard(() => driver.commitTransaction(unwrap(connection))),
    rollbackTransaction: (connection) => driver.rollbackTransaction(unwrap(connection)),
    releaseConnection: (connection) => driver.releaseConnection(unwrap(connection)),
  };
}

class WatchedConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection;
  readonly #watch: DamageWatch;

  constructor(connection: DatabaseConnection, watch: DamageWatch) {
    this.#connection = connection;
    this.#watch = watch;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#watch.guard(() => this.#connection.executeQuery<Row>(query));
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.#connection.streamQuery<Row>(query, chunkSize);
  }
}
