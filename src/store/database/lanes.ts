import { sql } from "kysely";
import type { Db } from "../tables/tables.ts";
import { has, isFound } from "./statements.ts";

/** Fencing token of a lane run. It permits writes until a later run of the lane begins. */
export interface Fence {
  readonly lane: string;
  readonly token: number;
}

/** Begins a lane run: earlier runs of the lane may write nothing from now on. */
export async function enterLane(db: Db, lane: string, now: Date): Promise<Fence> {
  const { token } = await db
    .insertInto("lanes")
    .values({ lane, token: 1, started_at: now })
    .onConflict((conflict) =>
      conflict.column("lane").doUpdateSet({ token: sql`lanes.token + 1`, started_at: now }),
    )
    .returning("token")
    .executeTakeFirstOrThrow();
  return { lane, token };
}

/** Whether the run is still the newest of its lane. */
export const isFenceHeld = (db: Db, fence: Fence): Promise<boolean> => isFound(selectRun(db, fence));

/**
 * Whether the run is still the newest of its lane. Locks the lane until the transaction ends, so that no
 * later run begins before.
 */
export const lockFence = (trx: Db, fence: Fence): Promise<boolean> =>
  isFound(selectRun(trx, fence).forUpdate());

const selectRun = (db: Db, { lane, token }: Fence) =>
  db.selectFrom("lanes").select("lane").where(has({ lane, token }));

/** When the newest run of a lane began, in ms since 1970; null: the lane never ran. */
export async function findLastEntry(db: Db, lane: string): Promise<number | null> {
  const row = await db.selectFrom("lanes").select("started_at").where("lane", "=", lane).executeTakeFirst();
  return row?.started_at.getTime() ?? null;
}
