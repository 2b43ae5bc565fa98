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
