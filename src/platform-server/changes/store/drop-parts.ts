import { type Kysely, sql } from "kysely";
import type { SnapshotKey } from "../../area/keys.ts";
import type { ChangeTables } from "./tables.ts";

/** Deleted by one statement: the embedded database serves nobody else meanwhile. */
const AT_ONCE = 500;

/** The tables of a snapshot's parts, the largest first. */
export const PART_TABLES = [
  "platform_details",
  "platform_rows",
  "platform_runs",
  "platform_facets",
  "platform_pages",
] as const;

/** Deletes a snapshot's rows of one table and returns their number. Waits for `pause` after each statement. */
export async function dropParts(
  db: Kysely<ChangeTables>,
  { account, snapshot_id }: SnapshotKey,
  { table, pause }: { readonly table: (typeof PART_TABLES)[number]; readonly pause: () => Promise<void> },
): Promise<number> {
  let removed = 0;
  for (let gone = AT_ONCE; gone === AT_ONCE; await pause()) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)}
        where account = ${account} and snapshot_id = ${snapshot_id} limit ${AT_ONCE}))`.execute(db);
    gone = Number(numAffectedRows ?? 0n);
    removed += gone;
  }
  return removed;
}
