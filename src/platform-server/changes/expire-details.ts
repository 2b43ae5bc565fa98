import type { Kysely } from "kysely";
import { dropParts } from "./store/drop-parts.ts";
import { listExpiredSnapshots } from "./store/snapshots.ts";
import type { ChangeTables } from "./store/tables.ts";

/**
 * Removes attribute data past its retention; rows, counts and costs remain. Reads refuse expired data anyway,
 * so the removal only frees space and may happen at any time. Returns the number of removed details.
 */
export async function expireChangeDetails(
  db: Kysely<ChangeTables>,
  nowMs: number,
  pause: () => Promise<void>,
): Promise<number> {
  let removed = 0;
  for (const snapshot of await listExpiredSnapshots(db, nowMs))
    removed += await dropParts(db, snapshot, { table: "platform_details", pause });
  return removed;
}
