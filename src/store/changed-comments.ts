import type { Kysely } from "kysely";
import type { PullKey } from "../kernel/ids.ts";
import type { Tables } from "./tables.ts";

/** What a comment of ours is for. */
export type CommentPurpose = "report" | "earlier" | "answer";

const HOUR_MS = 3_600_000;

/** What the comment is for; null: it is none of ours, or nothing is remembered of it. */
export async function purposeOf(
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
  return (await answerWith(db, pull, commentId)) === null ? null : "answer";
}

/** The answer that a comment of ours gives, in Markdown; null: it is no answer. */
export async function answerWith(
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

/** Keeps that somebody changed a comment of ours. Returns how often that happened on this pull request within an hour. */
export async function noteChanged(
  db: Kysely<Tables>,
  { repositoryId, number, commentId }: PullKey & { readonly commentId: number },
  now: Date,
): Promise<number> {
  const anHourAgo = new Date(now.getTime() - HOUR_MS);
  await db
    .deleteFrom("changed_comments")
    .where("repository_id", "=", repositoryId)
    .where("number", "=", number)
    .where("changed_at", "<", anHourAgo)
    .where("restored", "=", true)
    .execute();
  await db
    .insertInto("changed_comments")
    .values({
      repository_id: repositoryId,
      number,
      comment_id: commentId,
      changed_at: now,
      restored: false,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { count } = await db
    .selectFrom("changed_comments")
    .select((of) => of.fn.countAll<number>().as("count"))
    .where("repository_id", "=", repositoryId)
    .where("number", "=", number)
    .where("changed_at", ">=", anHourAgo)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export interface ChangedComment {
  readonly commentId: number;
  /** The last change that is known. */
  readonly changedAt: Date;
}

/** Comments of ours that somebody changed and that have not been restored since. */
export async function changedComments(
  db: Kysely<Tables>,
  { repositoryId, number }: PullKey,
): Promise<readonly ChangedComment[]> {
  const rows = await db
    .selectFrom("changed_comments")
    .select((of) => ["comment_id", of.fn.max("changed_at").as("changed_at")])
    .where("repository_id", "=", repositoryId)
    .where("number", "=", number)
    .where("restored", "=", false)
    .groupBy("comment_id")
    .orderBy("comment_id")
    .execute();
  return rows.map(({ comment_id: commentId, changed_at: changedAt }) => ({ commentId, changedAt }));
}

export async function markRestored(
  db: Kysely<Tables>,
  { repositoryId, number }: PullKey,
  { commentId, changedAt }: ChangedComment,
): Promise<void> {
  await db
    .updateTable("changed_comments")
    .set({ restored: true })
    .where("repository_id", "=", repositoryId)
    .where("number", "=", number)
    .where("comment_id", "=", commentId)
    .where("changed_at", "<=", changedAt)
    .execute();
}
