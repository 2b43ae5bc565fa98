import type { Kysely } from "kysely";
import type { PullKey } from "../kernel/ids.ts";
import type { Tables } from "./tables/tables.ts";

/** What a comment of ours is for. */
export type CommentPurpose = "report" | "earlier" | "answer";

/** What the comment is for; null: it is none of ours, or nothing is remembered of it. */
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

/** The answer that a comment of ours gives, in Markdown; null: it is no answer. */
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

/** Every answer of ours in a pull request's conversation, by the id of its comment. */
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

/** Keeps that somebody changed a comment of ours, until it is restored. */
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
  /** The last change that is known. */
  readonly changedAt: Date;
}

/** Comments of ours that somebody changed and that have not been restored since. */
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

/** What GitHub shows is ours again. A later change stays known. */
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

/** Keeps that a comment is restored now. */
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

/** When the restores of the last hour were made, oldest first. */
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
