import { setImmediate } from "node:timers/promises";
import type { Kysely } from "kysely";
import { dropDetails } from "./store/details.ts";
import { listExpiredSnapshots } from "./store/snapshots.ts";
import type { ChangeTables } from "./store/tables.ts";

/** Removed between two turns of the event loop, which the embedded database runs on. */
const AT_ONCE = 500;

/**
 * Removes attribute data past its retention; rows, counts and costs remain. Reads refuse expired data anyway,
 * so the removal only frees space and may happen at any time. Returns the number of removed details.
 */
export async function expireChangeDetails(db: Kysely<ChangeTables>, nowMs: number): Promise<number> {
  let removed = 0;
  for (const snapshot of await listExpiredSnapshots(db, nowMs)) {
    for (let gone = AT_ONCE; gone === AT_ONCE; removed += gone) {
      gone = await dropDetails(db, snapshot, AT_ONCE);
      await setImmediate();
    }
  }
  return removed;
}
