import { sql } from "kysely";
import type { PullKey } from "../kernel/ids.ts";
import { type LateRequests, selectLateRequests } from "./check-runs.ts";
import type { Fence } from "./database/lanes.ts";
import { deleteRows, insertNew, isOf, NOW, updateRows, upsert } from "./database/statements.ts";
import { transact } from "./database/transaction.ts";
import type { Db } from "./tables/tables.ts";

export interface StoredComment {
  readonly commentId: number;
  /** Digest of the body that GitHub shows. */
  readonly digest: string;
  /** Digest of the content without the wording; null: unknown. */
  readonly content: string | null;
  /** When it was last compared with the comment on GitHub. */
  readonly checkedAt: Date;
}

export async function findComment(db: Db, pull: PullKey): Promise<StoredComment | null> {
  const row = await db
    .selectFrom("comments")
    .select(["comment_id as commentId", "digest", "content", "checked_at as checkedAt"])
    .where(isOf(pull))
    .executeTakeFirst();
  return row ?? null;
}

/** Saves when the comment was compared with the one on GitHub. */
export async function markCompared(db: Db, pull: PullKey, at: Date): Promise<void> {
  await db.updateTable("comments").set({ checked_at: at }).where(isOf(pull)).execute();
}

export async function saveComment(
  db: Db,
  pull: PullKey & Omit<StoredComment, "checkedAt">,
  now: Date,
): Promise<void> {
  const row = {
    repository_id: pull.repositoryId,
    number: pull.number,
    comment_id: pull.commentId,
    digest: pull.digest,
    content: pull.content,
  };
  await upsert(db, "comments", { ...row, checked_at: now }, row);
}

export async function forgetComment(db: Db, pull: PullKey): Promise<void> {
  await db.deleteFrom("comments").where(isOf(pull)).execute();
}

export interface CommentRun {
  readonly fence: Fence;
  readonly lateRequests: LateRequests;
}

/** Begins a run of a pull request's comment job: earlier runs may write nothing from now on. */
export async function beginCommentRun(db: Db, lane: string, now: Date): Promise<CommentRun> {
  const name = formatCommentLane(lane);
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

/**
 * Ends a run that left no request without an answer. `isCompared`: it knows what GitHub shows. What late requests did is known once a run
 * that began after them has compared. False: a request of an earlier run may still take effect.
 */
export async function endCommentRun(
  db: Db,
  { fence, lateRequests }: CommentRun,
  { isCompared }: { readonly isCompared: boolean },
): Promise<boolean> {
  const isKnown = lateRequests === "past" && isCompared;
  await updateRows(
    db,
    "lanes",
    { lane: fence.lane, token: fence.token },
    { is_open: false, ...(isKnown && { unanswered_at: null }) },
  );
  return lateRequests !== "possible";
}

/** Makes the next comment jobs read GitHub's comments first: others changed one, or somebody requested a re-check. */
export async function distrustComments(db: Db, lane: string, now: Date): Promise<void> {
  const row = { lane: formatCommentLane(lane), token: 0, started_at: now, unanswered_at: NOW };
  await upsert(db, "lanes", row, { unanswered_at: NOW });
}

const formatCommentLane = (lane: string): string => `comment:${lane}`;

interface EarlierComment {
  readonly commentId: number;
  /** Digest of the body that GitHub shows; null: unknown. */
  readonly digest: string | null;
  readonly isMinimised: boolean;
}

/** Returns our own comments that newer ones replaced, oldest first; never the report or an answer, whatever a paused run stored. */
export async function listEarlierComments(db: Db, pull: PullKey): Promise<readonly EarlierComment[]> {
  const answerIds = db
    .selectFrom("commands")
    .select((eb) => eb.ref("answer_comment_id").$notNull().as("id"))
    .where(isOf(pull))
    .where("answer_comment_id", "is not", null);
  return db
    .selectFrom("earlier_comments")
    .select(["comment_id as commentId", "digest", "hidden as isMinimised"])
    .where(isOf(pull))
    .where("comment_id", "not in", ({ selectFrom }) =>
      selectFrom("comments").select("comment_id").where(isOf(pull)),
    )
    .where("comment_id", "not in", answerIds)
    .orderBy("comment_id")
    .execute();
}

/**
 * Marks the newest comment as an earlier one before a new one is written, so that an interrupted run leaves
 * at most one extra comment.
 */
export async function retireComment(db: Db, pull: PullKey): Promise<void> {
  await transact(db, async (trx) => {
    const gone = await trx
      .deleteFrom("comments")
      .where(isOf(pull))
      .returning(["comment_id as commentId", "digest"])
      .execute();
    for (const comment of gone) await insertEarlierComment(trx, { ...pull, ...comment });
  });
}

/** Adds Tollgate comments that are not stored because the evaluation that wrote them was interrupted. */
export async function addEarlierComments(
  db: Db,
  pull: PullKey,
  commentIds: readonly number[],
): Promise<void> {
  for (const commentId of commentIds) await insertEarlierComment(db, { ...pull, commentId, digest: null });
}

async function insertEarlierComment(
  db: Db,
  { repositoryId, number, commentId, digest }: PullKey & Pick<EarlierComment, "commentId" | "digest">,
): Promise<void> {
  const row = { repository_id: repositoryId, number, comment_id: commentId, digest, hidden: false };
  await insertNew(db, "earlier_comments", row);
}

export async function markMinimised(db: Db, repositoryId: number, commentId: number): Promise<void> {
  await updateRows(
    db,
    "earlier_comments",
    { repository_id: repositoryId, comment_id: commentId },
    { hidden: true },
  );
}

export async function forgetEarlierComment(db: Db, repositoryId: number, commentId: number): Promise<void> {
  await deleteRows(db, "earlier_comments", { repository_id: repositoryId, comment_id: commentId });
}
