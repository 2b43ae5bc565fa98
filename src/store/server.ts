import {
  type AbortableOperationOptions,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type PostgresDialectConfig,
  type QueryResult,
  type TransactionSettings,
} from "kysely";
import pg from "pg";
import { isConnectionLost, READ_ONLY, retryLost, toConnectionError } from "./database/lost-connection.ts";

/**
 * PostgreSQL dialect for connections that may be lost at any time. A read outside a transaction is repeated
 * on another connection; everything else throws `database_connection_lost`.
 */
export class ServerDialect extends PostgresDialect {
  readonly #onFailure: (error: unknown) => void;

  /** @param onFailure receives each connection that could not be opened */
  constructor(config: PostgresDialectConfig, onFailure: (error: unknown) => void) {
    super(config);
    this.#onFailure = onFailure;
  }

  override createDriver(): Driver {
    return new ServerDriver(super.createDriver(), this.#onFailure);
  }
}

class ServerDriver implements Driver {
  readonly #driver: Driver;
  readonly #onFailure: (error: unknown) => void;

  constructor(driver: Driver, onFailure: (error: unknown) => void) {
    this.#driver = driver;
    this.#onFailure = onFailure;
  }

  init = (options?: AbortableOperationOptions) => this.#driver.init(options);
  destroy = (options?: AbortableOperationOptions) => this.#driver.destroy(options);

  async acquireConnection(): Promise<ServerConnection> {
    const acquire = () =>
      this.#driver.acquireConnection().catch((error: unknown) => {
        this.#onFailure(error);
        throw error;
      });
    return new ServerConnection(this.#driver, await retryLost(acquire));
  }

  async beginTransaction(connection: ServerConnection, settings: TransactionSettings): Promise<void> {
    connection.isInTransaction = true;
    await this.#driver.beginTransaction(connection.current, settings).catch(throwConnectionError);
  }

  async commitTransaction(connection: ServerConnection): Promise<void> {
    await this.#driver.commitTransaction(connection.current).catch(throwConnectionError);
  }

  async rollbackTransaction(connection: ServerConnection): Promise<void> {
    await this.#driver.rollbackTransaction(connection.current).catch(throwConnectionError);
  }

  releaseConnection = (connection: ServerConnection) => connection.release();
}

/** A connection that is replaced by a new one when it is lost. */
class ServerConnection implements DatabaseConnection {
  isInTransaction = false;
  readonly #driver: Driver;
  /** Null between the loss of a connection and the next one. */
  #current: DatabaseConnection | null;

  constructor(driver: Driver, current: DatabaseConnection) {
    this.#driver = driver;
    this.#current = current;
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

/** Whether a query only reads. A query with `with` may write. */
const isReadOnly = ({ query }: CompiledQuery): boolean =>
  query.kind === "SelectQueryNode" && query.with === undefined;

function throwConnectionError(error: unknown): never {
  throw toConnectionError(error);
}

/** Time limit for a new connection, in ms. */
const CONNECT_MS = 5_000;
/** An idle connection is asked for a sign of life after this time, in ms; the system's default is two hours. */
const KEEP_ALIVE_MS = 10_000;
/** How long an answer may take, in ms. Long enough for any statement of ours but a migration. */
const SILENCE_MS = 60_000;

/**
 * A client whose connection errors never end the process. A pool listens for errors of idle connections only;
 * between checkout and query, and between two statements of a transaction, nobody listens. Statements on the
 * lost connection still fail.
 *
 * It ends a connection that leads to a server that only reads, and one on which no answer comes: the host of the server may be gone,
 * and a system waits a quarter of an hour for its acknowledgements.
 */
export class SteadyClient extends pg.Client {
  #silence: NodeJS.Timeout | undefined;

  constructor(config?: string | pg.ClientConfig, silenceMs: number | null = SILENCE_MS) {
    const given = typeof config === "string" ? { connectionString: config } : config;
    super({
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      ...given,
    });
    this.on("error", () => {});
    this.connection.on("errorMessage", ({ code }: { readonly code?: string }) => {
      if (code === READ_ONLY) void this.end();
    });
    if (silenceMs !== null) this.#endWhenSilent(silenceMs);
  }

  /** Every form of a query goes through `query`, and `drain` says that all of them are answered. */
  #endWhenSilent(silenceMs: number): void {
    const send = this.query.bind(this);
    const watched = (...query: Parameters<typeof send>) => {
      this.#silence ??= setTimeout(() => void this.end(), silenceMs).unref();
      return send(...query);
    };
    // The overloads of `query` have no common type.
    this.query = watched as typeof this.query;
    const stop = (): void => {
      clearTimeout(this.#silence);
      this.#silence = undefined;
    };
    this.on("drain", stop).on("end", stop);
  }
}

/** A client for work whose statements may take any time. */
export class PatientClient extends SteadyClient {
  constructor(config?: string | pg.ClientConfig) {
    super(config, null);
  }
}
