import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely, KyselyPlugin, Transaction } from "kysely";
import { TollgateError } from "../kernel/errors.ts";
import type { Tables } from "./tables.ts";

const inside = new AsyncLocalStorage<true>();

/**
 * Fails at once where code inside a transaction asks the database outside it. The embedded database has one connection, so
 * there that question would wait for itself for ever; PostgreSQL would answer it outside the transaction, which is no better.
 */
export function refuseInsideTransaction(): void {
  if (!inside.getStore()) return;
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

/** Runs `work` in one transaction: all of it is kept, or none. */
export function transact<T>(db: Kysely<Tables>, work: (trx: Transaction<Tables>) => Promise<T>): Promise<T> {
  refuseInsideTransaction();
  return db.transaction().execute((trx) => inside.run(true, () => work(trx.withoutPlugins())));
}
