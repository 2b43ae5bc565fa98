import type { Kysely } from "kysely";
import type { PullKey } from "../kernel/ids.ts";
import type { Tables } from "./tables/tables.ts";

export interface StoredComment {
  readonly commentId: number;
  /** Digest of the body that GitHub shows. */
  readonly digest: string;
  /** Digest of the content without the wording; empty: unknown. */
  readonly content: string;
}

export async function findComment(db: Kysely<Tables>, pull: PullKey): Promise<StoredComment | null> {
  const row = await db
    .selectFrom("comments")
    .select(["comment_id", "digest", "content"])
    .where("repository_id", "=", pull.repositoryId)
    .where("number", "=", pull.number)
    .executeTakeFirst();
  return row === undefined ? null : { commentId: row.comment_id, digest: row.digest, content: row.content };
}

/**
 * Returns when the comment was last compared with the one on GitHub; `never`: there is no comment; null: a
 * comparison is requested.
 */
export async function findCheckedAt(db: Kysely<Tables>, pull: PullKey): Promise<Date | "never" | null> {
  const row = await db
    .selectFrom("comments")
    .select("checked_at")
    .where("repository_id", "=", pull.repositoryId)
    .where("number", "=", pull.number)
    .executeTakeFirst();
  return row === undefined ? "never" : row.checked_at;
}

/**
 * Saves when the comment was compared with the one on GitHub. Null requests a comparison at the next
 * opportunity.
 */
export async function setCheckedAt(db: Kysely<Tables>, pull: PullKey, at: Date | null): Promise<void> {
  await db
    .updateTable("comments")
    .set({ checked_at: at })
    .where("repository_id", "=", pull.repositoryId)
    .where("number", "=", pull.number)
    .execute();
}

export async function saveComment(
  db: Kysely<Tables>,
  pull: PullKey & StoredComment,
  now: Date,
): Promise<void> {
  const row = {
    repository_id: pull.repositoryId,
    number: pull.number,
    comment_id: pull.commentId,
    digest: pull.digest,
    content: pull.content,
    updated_at: now,
  };
  await db
    .insertInto("comments")
    .values({ ...row, checked_at: now })
    .onConflict((conflict) => conflict.columns(["repository_id", "number"]).doUpdateSet(row))
    .execute();
}

export async function forgetComment(db: Kysely<Tables>, pull: PullKey): Promise<void> {
  await db
    .deleteFrom("comments")
    .where("repository_id", "=", pull.repositoryId)
    .where("number", "=", pull.number)
    .execute();
}
