import pg from "pg";

/**
 * A connection whose end never ends the process. Pools listen to a connection while it is idle, and whoever takes it a moment later; in
 * between, and in a transaction between two statements, nobody does. Statements on it fail all the same.
 */
export class SteadyClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on("error", () => {});
  }
}
