import type { Kysely } from "kysely";
import type { PullKey } from "../kernel/ids.ts";
import type { Tables } from "./tables.ts";

export interface KnownComment {
  readonly commentId: number;
  /** Digest of the body that GitHub shows. */
  readonly digest: string;
  /** Digest of what it says, whatever the words; empty: not known. */
  readonly content: string;
}

export async function findComment(db: Kysely<Tables>, pull: PullKey): Promise<KnownComment | null> {
  const row = await db
    .selectFrom("comments")
    .select(["comment_id", "digest", "content"])
    .where("repository_id", "=", pull.repositoryId)
    .where("number", "=", pull.number)
    .executeTakeFirst();
  return row ? { commentId: row.comment_id, digest: row.digest, content: row.content } : null;
}

export async function saveComment(
  db: Kysely<Tables>,
  pull: PullKey & KnownComment,
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
    .values(row)
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
