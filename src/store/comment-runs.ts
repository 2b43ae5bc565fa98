import { type Kysely, sql } from "kysely";
import { type LateRequests, selectLateRequests } from "./check-runs.ts";
import type { Fence } from "./database/lanes.ts";
import type { Tables } from "./tables/tables.ts";

const NOW = sql<Date>`clock_timestamp()`;

export interface CommentRun {
  readonly fence: Fence;
  readonly lateRequests: LateRequests;
}

/** Begins a run of a pull request's comment job: earlier runs may write nothing from now on. */
export async function beginCommentRun(db: Kysely<Tables>, lane: string, now: Date): Promise<CommentRun> {
  const name = `comment:${lane}`;
  const begun = { started_at: now, is_open: true };
  const row = await db
    .insertInto("lanes")
    .values({ lane: name, token: 1, ...begun })
    .onConflict((conflict) =>
      conflict.column("lane").doUpdateSet({
        ...begun,
        token: sql`lanes.token + 1`,
        unanswered_at: sql`case when lanes.is_open then ${NOW} else lanes.unanswered_at end`,
      }),
    )
    .returning(["token", selectLateRequests(sql`lanes.unanswered_at`).as("late_requests")])
    .executeTakeFirstOrThrow();
  return { fence: { lane: name, token: row.token }, lateRequests: row.late_requests };
}

export interface EndOfCommentRun {
  /** Whether a request of this run had no answer. */
  readonly isUnanswered: boolean;
  /** Whether this run compared our comments with GitHub's. */
  readonly isCompared: boolean;
}

/**
 * Ends a run. What late requests did is known once a run that began after them has compared. False: a request of this run or of an earlier
 * one may still take effect.
 */
export async function endCommentRun(
  db: Kysely<Tables>,
  { fence, lateRequests }: CommentRun,
  { isUnanswered, isCompared }: EndOfCommentRun,
): Promise<boolean> {
  const isKnown = lateRequests === "past" && isCompared;
  await db
    .updateTable("lanes")
    .set({
      is_open: false,
      ...(isKnown && { unanswered_at: null }),
      ...(isUnanswered && { unanswered_at: NOW }),
    })
    .where("lane", "=", fence.lane)
    .where("token", "=", fence.token)
    .execute();
  return !isUnanswered && lateRequests !== "possible";
}
