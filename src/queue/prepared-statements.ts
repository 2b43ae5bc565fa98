import { createHash } from "node:crypto";
import pg from "pg";
import { type Db, fromPglite } from "pg-boss";

/** pg-boss has a few texts for each queue; beyond this number they are not prepared. */
const MAX_STATEMENTS = 64;

interface Statement {
  readonly name: string;
  /** Null until the text is executed a second time. */
  prepared: Promise<string | null> | null;
}

/** pg-boss stores jobs by this, with one JSON text. Its plan is the same however large the table is, unlike that of other statements. */
const STORES_JOBS = /^\s*(?:WITH ins AS \(\s*)?INSERT INTO /;

/**
 * pg-boss's access to the embedded database. The statements that store jobs are prepared when they are executed the second time: parsing
 * and planning one takes three times as long as executing it.
 */
export function fromPreparedPglite(lite: Parameters<typeof fromPglite>[0]): Db {
  const db = fromPglite(lite);
  const statements = new Map<string, Statement>();

  /** The name of the prepared statement; null: the text is executed as it is. */
  async function prepare(text: string): Promise<string | null> {
    const statement = statements.get(text);
    if (statement !== undefined) {
      // An error here is dropped: the text is executed as it is, and reports the same one.
      statement.prepared ??= db.executeSql(`prepare ${statement.name} as ${text}`).then(
        () => statement.name,
        () => null,
      );
      return statement.prepared;
    }
    if (statements.size < MAX_STATEMENTS)
      statements.set(text, { name: `boss_${statements.size}`, prepared: null });
    return null;
  }

  return {
    ...db,
    executeSql: async (text, values) => {
      const [value] = values ?? [];
      const isPrepared = values?.length === 1 && typeof value === "string" && STORES_JOBS.test(text);
      const name = isPrepared ? await prepare(text) : null;
      if (name === null) return db.executeSql(text, values);
      return db.executeSql(`execute ${name}(${pg.escapeLiteral(String(value))})`);
    },
  };
}

/**
 * PostgreSQL's codes for a prepared statement that the connection does not have, and for one that it has already: a proxy such as
 * PgBouncer gives each transaction any connection.
 */
const SHARED_CONNECTION = /^(26000|42P05)$/;

const isOnSharedConnection = (error: unknown): boolean =>
  error instanceof Error && "code" in error && SHARED_CONNECTION.test(String(error.code));

/**
 * Lets pg-boss's pool on PostgreSQL prepare the statements that store jobs: planning one takes as long as executing it. When a proxy
 * turns out to share connections, they are executed as they are from then on.
 */
export function prepareOnPostgres(db: Db): void {
  const execute = db.executeSql.bind(db);
  const names = new Map<string, string>();
  let isShared = false;

  function prepare(text: string): string | null {
    if (names.size < MAX_STATEMENTS && !names.has(text)) names.set(text, nameText(text));
    return names.get(text) ?? null;
  }

  db.executeSql = async (text, values) => {
    const name = !isShared && values?.length === 1 && STORES_JOBS.test(text) ? prepare(text) : null;
    if (name === null) return execute(text, values);
    try {
      // pg-boss passes what it is given on to the pool, which accepts a text or a text with a name.
      return await execute({ name, text } as unknown as string, values);
    } catch (error) {
      if (!isOnSharedConnection(error)) throw error;
      isShared = true; // nothing was executed
      return execute(text, values);
    }
  };
}

/** Of the text alone: on a connection that processes share, one name never means two statements. */
const nameText = (text: string): string =>
  `boss_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
