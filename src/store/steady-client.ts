import pg from "pg";

/**
 * A client whose connection errors never end the process. A pool listens for errors of idle connections only;
 * between checkout and query, and between two statements of a transaction, nobody listens. Statements on the
 * lost connection still fail.
 */
export class SteadyClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on("error", () => {});
  }
}
