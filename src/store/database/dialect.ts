import type {
  AbortableOperationOptions,
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  Driver,
  QueryResult,
  TransactionSettings,
} from "kysely";
import type { DamageWatch } from "../damage.ts";
import { isConnectionLost, retryLost, toConnectionError } from "./lost-connection.ts";

export interface QueryWatch {
  readonly damage: DamageWatch;
  /** Receives the time of each query that has ended, in seconds. */
  readonly onQuery?: ((seconds: number) => void) | undefined;
}

/**
 * Wraps the dialect of either engine so that the watch sees all of its failures and queries. A connection to PostgreSQL may be lost at any
 * time: a read outside a transaction is repeated on another one, everything else throws `database_connection_lost`.
 */
export const watchDialect = (dialect: Dialect, watch: QueryWatch): Dialect => ({
  createAdapter: () => dialect.createAdapter(),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createQueryCompiler: () => dialect.createQueryCompiler(),
  createDriver: () => new WatchedDriver(dialect.createDriver(), watch),
});

class WatchedDriver implements Driver {
  readonly #driver: Driver;
  readonly #watch: QueryWatch;

  constructor(driver: Driver, watch: QueryWatch) {
    this.#driver = driver;
    this.#watch = watch;
  }

  init = (options?: AbortableOperationOptions) => this.#driver.init(options);
  destroy = (options?: AbortableOperationOptions) => this.#driver.destroy(options);

  async acquireConnection(options?: AbortableOperationOptions): Promise<WatchedConnection> {
    const { damage } = this.#watch;
    const acquire = () =>
      this.#driver.acquireConnection(options).catch((error: unknown) => {
        damage.noteLoss(error);
        throw error;
      });
    const connection = await damage.guard(() => retryLost(acquire));
    return new WatchedConnection(connection, { driver: this.#driver, watch: this.#watch });
  }

  async beginTransaction(connection: WatchedConnection, settings: TransactionSettings): Promise<void> {
    connection.isInTransaction = true;
    await this.#guard(() => this.#driver.beginTransaction(connection.current, settings));
  }

  commitTransaction = (connection: WatchedConnection) =>
    this.#guard(() => this.#driver.commitTransaction(connection.current));

  rollbackTransaction = (connection: WatchedConnection) =>
    this.#guard(() => this.#driver.rollbackTransaction(connection.current));

  releaseConnection = (connection: WatchedConnection) => connection.release();

  #guard(work: () => Promise<void>): Promise<void> {
    return this.#watch.damage.guard(() => work().catch(throwConnectionError));
  }
}

/** A connection that is replaced by a new one when it is lost. */
class WatchedConnection implements DatabaseConnection {
  isInTransaction = false;
  readonly #driver: Driver;
  readonly #watch: QueryWatch;
  /** Null between the loss of a connection and the next one. */
  #current: DatabaseConnection | null;

  constructor(
    current: DatabaseConnection,
    { driver, watch }: { readonly driver: Driver; readonly watch: QueryWatch },
  ) {
    this.#current = current;
    this.#driver = driver;
    this.#watch = watch;
  }

  get current(): DatabaseConnection {
    if (this.#current === null) throw toConnectionError(new Error("Connection terminated and not replaced"));
    return this.#current;
  }

  async release(): Promise<void> {
    const current = this.#current;
    this.#current = null;
    if (current !== null) await this.#driver.releaseConnection(current);
  }

  async executeQuery<Row>(
    query: CompiledQuery,
    options?: AbortableOperationOptions,
  ): Promise<QueryResult<Row>> {
    const { damage, onQuery } = this.#watch;
    const beganMs = performance.now();
    try {
      const result = await damage.guard(() => this.#execute<Row>(query, options));
      if (WRITES.has(query.query.kind)) damage.noteWrite();
      return result;
    } finally {
      onQuery?.((performance.now() - beganMs) / 1_000);
    }
  }

  async #execute<Row>(
    query: CompiledQuery,
    options: AbortableOperationOptions | undefined,
  ): Promise<QueryResult<Row>> {
    try {
      return await this.current.executeQuery<Row>(query, options);
    } catch (error) {
      if (this.isInTransaction || !isConnectionLost(error) || !isReadOnly(query))
        throw toConnectionError(error);
    }
    return retryLost(async () => {
      await this.release(); // first, because it may be the only connection of the pool
      this.#current = await this.#driver.acquireConnection(options);
      return this.#current.executeQuery<Row>(query, options);
    });
  }

  streamQuery<Row>(
    query: CompiledQuery,
    chunkSize: number,
    options?: AbortableOperationOptions,
  ): AsyncIterableIterator<QueryResult<Row>> {
    return this.current.streamQuery<Row>(query, chunkSize, options);
  }
}

const WRITES: ReadonlySet<string> = new Set(["InsertQueryNode", "UpdateQueryNode", "DeleteQueryNode"]);

/** Whether a query only reads. A query with `with` may write. */
const isReadOnly = ({ query }: CompiledQuery): boolean =>
  query.kind === "SelectQueryNode" && query.with === undefined;

function throwConnectionError(error: unknown): never {
  throw toConnectionError(error);
}
