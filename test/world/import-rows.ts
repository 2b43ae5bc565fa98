import type { Kysely } from "kysely";
import type { ImportKind } from "../../src/platform-server/area/import-kind.ts";
import type { PlatformTables } from "../../src/platform-server/tables.ts";
import { transact } from "../../src/store/database/transaction.ts";
import type { Database } from "../../src/wiring/database/schema.ts";

/** Writes rows as the import of a file does, in one transaction. */
export function importRows<Row>(
  { db }: Pick<Database, "db">,
  kind: ImportKind<PlatformTables, Row>,
  account: string,
  rows: readonly Row[],
): Promise<void> {
  const platform: Kysely<PlatformTables> = db.$pickTables<keyof PlatformTables>();
  return transact(platform, (trx) => kind.write(trx, account, rows));
}
