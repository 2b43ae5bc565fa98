import { setImmediate } from "node:timers/promises";
import type { Kysely } from "kysely";
import { dropDetails } from "./store/details.ts";
import { listExpiredSnapshots } from "./store/snapshots.ts";
import type { ChangeTables } from "./store/tables.ts";

/** Removed between two turns of the event loop, which the embedded database runs on. */
const AT_ONCE = 500;

/**
 * Removes attribute data past its retention; rows, counts and costs stay. Reads refuse such data from the first millisecond
 * on, so this only frees room and may run whenever it suits. Resolves to the number of details removed.
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
