import pg from "pg";
import { MINUTE_MS } from "../../kernel/clock.ts";
import { READ_ONLY } from "./lost-connection.ts";

const CONNECT_MS = 5_000;
/** An idle connection is asked for a sign of life after this time, in ms; the system's default is two hours. */
const KEEP_ALIVE_MS = 10_000;
/** How long an answer may take, in ms. Long enough for any statement of ours but a migration. */
const SILENCE_MS = MINUTE_MS;

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
