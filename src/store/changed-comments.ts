import type { Kysely } from "kysely";
import type { PullKey } from "../kernel/ids.ts";
import type { Tables } from "./tables/tables.ts";

/** The purpose of one of our comments. */
export type CommentPurpose = "report" | "earlier" | "answer";

/** Returns the purpose of a comment; null: it is not ours, or it is not stored. */
export async function findCommentPurpose(
  db: Kysely<Tables>,
  pull: PullKey,
  commentId: number,
): Promise<CommentPurpose | null> {
  const ours = (table: "comments" | "earlier_comments") =>
    db
      .selectFrom(table)
      .select("comment_id")
      .where("repository_id", "=", pull.repositoryId)
      .where("number", "=", pull.number)
      .where("comment_id", "=", commentId)
      .executeTakeFirst();
  if ((await ours("comments")) !== undefined) return "report";
  if ((await ours("earlier_comments")) !== undefined) return "earlier";
  return (await findStoredAnswer(db, pull, commentId)) === null ? null : "answer";
}

/** Returns the reply that one of our comments contains, in Markdown; null: the comment is not a reply. */
export async function findStoredAnswer(
  db: Kysely<Tables>,
  { repositoryId, number }: PullKey,
  commentId: number,
): Promise<string | null> {
  const row = await db
    .selectFrom("commands")
    .select("answer")
    .where("repository_id", "=", repositoryId)
    .where("number", "=", number)
    .where("answer_comment_id", "=", commentId)
    .executeTakeFirst();
  return row?.answer ?? null;
}

/** Returns all our replies in a pull request's conversation, by comment id. */
export async function readAnswers(
  db: Kysely<Tables>,
  { repositoryId, number }: PullKey,
): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom("commands")
    .select(["answer_comment_id", "answer"])
    .where("repository_id", "=", repositoryId)
    .where("number", "=", number)
    .where("answer_comment_id", "is not", null)
    .where("answer", "is not", null)
    .execute();
  return new Map(
    rows.flatMap(({ answer_comment_id: id, answer }) =>
      id === null || answer === null ? [] : [[id, answer]],
    ),
  );
}

/** Saves that somebody changed one of our comments. The record is removed after the restore. */
export async function recordChangedComment(
  db: Kysely<Tables>,
  { repositoryId, number, commentId }: PullKey & { readonly commentId: number },
  now: Date,
): Promise<void> {
  await forgetChangedComment(db, { repositoryId, number }, { commentId, changedAt: now });
  await db
    .insertInto("changed_comments")
    .values({ repository_id: repositoryId, number, comment_id: commentId, changed_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export interface ChangedComment {
  readonly commentId: number;
  /** The time of the last known change. */
  readonly changedAt: Date;
}

/** Returns our comments that somebody changed and that are not restored yet. */
export async function listChangedComments(
  db: Kysely<Tables>,
  { repositoryId, number }: PullKey,
): Promise<readonly ChangedComment[]> {
  const rows = await db
    .selectFrom("changed_comments")
    .select((of) => ["comment_id", of.fn.max("changed_at").as("changed_at")])
    .where("repository_id", "=", repositoryId)
    .where("number", "=", number)
    .groupBy("comment_id")
    .orderBy("comment_id")
    .execute();
  return rows.map(({ comment_id: commentId, changed_at: changedAt }) => ({ commentId, changedAt }));
}

/** Removes the record of a change after the comment is restored. A later change stays recorded. */
export async function forgetChangedComment(
  db: Kysely<Tables>,
  { repositoryId, number }: PullKey,
  { commentId, changedAt }: ChangedComment,
): Promise<void> {
  await db
    .deleteFrom("changed_comments")
    .where("repository_id", "=", repositoryId)
    .where("number", "=", number)
    .where("comment_id", "=", commentId)
    .where("changed_at", "<=", changedAt)
    .execute();
}

const HOUR_MS = 3_600_000;

/** Saves the time of a restore. */
export async function recordRestore(
  db: Kysely<Tables>,
  { repositoryId, number }: PullKey,
  now: Date,
): Promise<void> {
  await db
    .deleteFrom("comment_restores")
    .where("repository_id", "=", repositoryId)
    .where("number", "=", number)
    .where("restored_at", "<=", new Date(now.getTime() - HOUR_MS))
    .execute();
  await db
    .insertInto("comment_restores")
    .values({ repository_id: repositoryId, number, restored_at: now })
    .execute();
}

/** Returns the times of the restores in the last hour, oldest first. */
export async function listRecentRestores(
  db: Kysely<Tables>,
  { repositoryId, number }: PullKey,
  now: Date,
): Promise<readonly Date[]> {
  const rows = await db
    .selectFrom("comment_restores")
    .select("restored_at")
    .where("repository_id", "=", repositoryId)
    .where("number", "=", number)
    .where("restored_at", ">", new Date(now.getTime() - HOUR_MS))
    .orderBy("restored_at")
    .execute();
  return rows.map(({ restored_at: at }) => at);
}
