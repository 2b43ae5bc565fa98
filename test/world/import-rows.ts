import type { ImportKind } from "../../src/platform-server/area/import-kind.ts";
import { transact } from "../../src/store/database/transaction.ts";
import type { Database } from "../../src/wiring/database/schema.ts";

/** Writes rows as the import of a file does, in one transaction. */
export function importRows<Row>(
  { db }: Pick<Database, "db">,
  kind: ImportKind<Row>,
  account: string,
  rows: readonly Row[],
): Promise<void> {
  return transact(db, (trx: Database["db"]) => kind.write(trx, account, rows));
}
