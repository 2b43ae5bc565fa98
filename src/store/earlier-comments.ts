import type { Kysely } from "kysely";
import type { PullKey } from "../kernel/ids.ts";
import { transact } from "./database/one-connection.ts";
import type { Tables } from "./tables/tables.ts";

export interface EarlierComment {
  readonly commentId: number;
  /** Whether GitHub shows the comment minimized. */
  readonly isMinimised: boolean;
}

/** Returns our own comments that newer ones replaced, oldest first; never the report or an answer, whatever a paused run stored. */
export async function listEarlierComments(
  db: Kysely<Tables>,
  pull: PullKey,
): Promise<readonly EarlierComment[]> {
  const answerIds = db
    .selectFrom("commands")
    .select((eb) => eb.ref("answer_comment_id").$notNull().as("id"))
    .where("repository_id", "=", pull.repositoryId)
    .where("number", "=", pull.number)
    .where("answer_comment_id", "is not", null);
  const rows = await db
    .selectFrom("earlier_comments")
    .select(["comment_id", "hidden"])
    .where("repository_id", "=", pull.repositoryId)
    .where("number", "=", pull.number)
    .where("comment_id", "not in", ({ selectFrom }) =>
      selectFrom("comments")
        .select("comment_id")
        .where("repository_id", "=", pull.repositoryId)
        .where("number", "=", pull.number),
    )
    .where("comment_id", "not in", answerIds)
    .orderBy("comment_id")
    .execute();
  return rows.map(({ comment_id: commentId, hidden: isMinimised }) => ({ commentId, isMinimised }));
}

/**
 * Marks the newest comment as an earlier one before a new one is written, so that an interrupted run leaves
 * at most one extra comment.
 */
export async function retireComment(db: Kysely<Tables>, pull: PullKey, now: Date): Promise<void> {
  await transact(db, async (trx) => {
    const gone = await trx
      .deleteFrom("comments")
      .where("repository_id", "=", pull.repositoryId)
      .where("number", "=", pull.number)
      .returning("comment_id")
      .execute();
    for (const { comment_id: commentId } of gone)
      await insertEarlierComment(trx, { ...pull, commentId }, now);
  });
}

/** Adds Tollgate comments that are not stored because the evaluation that wrote them was interrupted. */
export async function addEarlierComments(
  db: Kysely<Tables>,
  pull: PullKey,
  { commentIds, now }: { readonly commentIds: readonly number[]; readonly now: Date },
): Promise<void> {
  for (const commentId of commentIds) await insertEarlierComment(db, { ...pull, commentId }, now);
}

async function insertEarlierComment(
  db: Kysely<Tables>,
  { repositoryId, number, commentId }: PullKey & { readonly commentId: number },
  now: Date,
): Promise<void> {
  const row = { repository_id: repositoryId, number, comment_id: commentId, hidden: false, created_at: now };
  await db
    .insertInto("earlier_comments")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function markHidden(db: Kysely<Tables>, repositoryId: number, commentId: number): Promise<void> {
  await db
    .updateTable("earlier_comments")
    .set({ hidden: true })
    .where("repository_id", "=", repositoryId)
    .where("comment_id", "=", commentId)
    .execute();
}

export async function forgetEarlierComment(
  db: Kysely<Tables>,
  repositoryId: number,
  commentId: number,
): Promise<void> {
  await db
    .deleteFrom("earlier_comments")
    .where("repository_id", "=", repositoryId)
    .where("comment_id", "=", commentId)
    .execute();
}
