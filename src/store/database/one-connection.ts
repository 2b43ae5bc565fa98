import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely, KyselyPlugin, Transaction } from "kysely";
import { TollgateError } from "../../kernel/errors.ts";
import { retryLost } from "./lost-connection.ts";

const transactionScope = new AsyncLocalStorage<true>();

/**
 * Fails at once where code inside a transaction asks the database outside it. The embedded database has one connection, so
 * there that question would wait for itself for ever; PostgreSQL would answer it outside the transaction, which is no better.
 */
export function refuseInsideTransaction(): void {
  if (!transactionScope.getStore()) return;
  throw new TollgateError(
    "internal",
    "a query inside a transaction was made on the database instead of the transaction",
  );
}

/** For the database itself; `transact` hands out a transaction without it. */
export const oneConnectionPlugin: KyselyPlugin = {
  transformQuery: ({ node }) => {
    refuseInsideTransaction();
    return node;
  },
  transformResult: async ({ result }) => result,
};

/**
 * Runs `work` in one transaction: all of it is kept, or none. When the connection is lost before the commit was sent, nothing was
 * kept and `work` runs again from its beginning, so it changes nothing but the transaction. Once the commit was sent nobody knows
 * whether it took place: the caller is told, and decides by looking.
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
