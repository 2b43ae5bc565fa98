import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely, KyselyPlugin, Transaction } from "kysely";
import { TollgateError } from "../../kernel/errors.ts";
import { retryLost } from "./lost-connection.ts";

const transactionScope = new AsyncLocalStorage<true>();

/**
 * Throws when code inside a transaction queries the database outside of it. The embedded database has one
 * connection, so the query would wait for its own transaction and never end. On PostgreSQL the query would
 * run outside the transaction.
 */
export function refuseInsideTransaction(): void {
  if (!transactionScope.getStore()) return;
  throw new TollgateError(
    "internal",
    "a query inside a transaction was made on the database instead of the transaction",
  );
}

/** Plugin of the database itself; `transact` passes on a transaction without it. */
export const oneConnectionPlugin: KyselyPlugin = {
  transformQuery: ({ node }) => {
    refuseInsideTransaction();
    return node;
  },
  transformResult: async ({ result }) => result,
};

/**
 * Runs `work` in one transaction. When the connection is lost before the commit was sent, nothing was saved,
 * and `work` runs again from its beginning; it must therefore change nothing but the database. When the
 * connection is lost after the commit was sent, the result is unknown: the call throws, and the caller must
 * check the database.
 *
 * @throws TollgateError `database_connection_lost`
 */
export function transact<Tables, T>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  refuseInsideTransaction();
  let isCommitSent = false;
  const once = () =>
    db.transaction().execute(async (trx) => {
      const result = await transactionScope.run(true, () => work(trx.withoutPlugins()));
      isCommitSent = true;
      return result;
    });
  return retryLost(once, () => !isCommitSent);
}

const urgent = new AsyncLocalStorage<true>();

/**
 * Runs `work` so that its queries go before other waiting queries of the embedded database. No effect on
 * PostgreSQL, where queries do not wait for each other.
 */
export const runUrgently = <T>(work: () => Promise<T>): Promise<T> => urgent.run(true, work);
export const isUrgent = (): boolean => urgent.getStore() === true;
