import type pg from "pg";
import { SteadyClient } from "../steady-client.ts";
import { isPrepared } from "./texts.ts";

const OPEN_COLUMNS = /\b(?:select|returning)\s+\*|\.\*/i;
const MAX_STATEMENTS = 400;

/**
 * A client that prepares each statement when it is executed the second time: PostgreSQL takes as long to parse and plan a short one as
 * to execute it. It plans them anew when it has new statistics of a table.
 *
 * Only on a connection of its own: a proxy that shares connections between clients, such as PgBouncer, gives each transaction any of
 * them, and that one may lack the statement. Such a proxy tells its clients a process id that is not the server's.
 */
class PreparedClient extends SteadyClient {
  #isDirect = false;
  #count = 0;
  /** By the statements' texts; null until the second execution. */
  readonly #names = new Map<string, string | null>();

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const send = this.query.bind(this);
    const prepared = (query: unknown, values: unknown, ...rest: unknown[]) => {
      const name = this.#isDirect && Array.isArray(values) && values.length > 0 ? this.#name(query) : null;
      // The overloads of `query` have no common type.
      return (send as (...query: unknown[]) => unknown)(
        name === null ? query : { name, text: query },
        values,
        ...rest,
      );
    };
    this.query = prepared as typeof this.query;
  }

  /** To be awaited before the connection is used. */
  async recogniseServer(): Promise<void> {
    try {
      const { rows } = await this.query<{ id: number }>("select pg_backend_pid() as id");
      this.#isDirect = rows[0]?.id === Reflect.get(this, "processID"); // not among the types of pg
    } catch {} // whoever uses the connection learns of its loss
  }

  #name(text: unknown): string | null {
    if (typeof text !== "string" || !isPrepared(text) || hasOpenColumns(text)) return null;
    const known = this.#names.get(text);
    if (known === undefined && this.#names.size < MAX_STATEMENTS) this.#names.set(text, null);
    if (known === null) this.#names.set(text, `s${++this.#count}`);
    return this.#names.get(text) ?? null;
  }
}

/** Whether the columns of the result depend on a table: a prepared statement fails when another version of Tollgate adds one there. */
function hasOpenColumns(text: string): boolean {
  let outermost = text;
  for (let whole = ""; whole !== outermost; ) {
    whole = outermost;
    outermost = whole.replace(/\([^()]*\)/g, "");
  }
  return OPEN_COLUMNS.test(outermost);
}

/** Options of a pool whose clients prepare their statements. */
export const PREPARING_POOL = {
  Client: PreparedClient,
  onConnect: async (client: pg.ClientBase): Promise<void> => {
    if (client instanceof PreparedClient) await client.recogniseServer();
  },
};
