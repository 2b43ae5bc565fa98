import type { Kysely } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import type { Tables } from "../tables.ts";

/** What is still to be shown to a person who asked. */
export interface DueReply {
  readonly repositoryId: number;
  readonly source: "comment" | "review";
  readonly sourceId: number;
  readonly reaction: string | null;
  readonly answer: string | null;
  /** The answer may have been written already: look before writing it. */
  readonly mayBeWritten: boolean;
}

export async function dueReplies(db: Kysely<Tables>, pull: PullKey): Promise<readonly DueReply[]> {
  const rows = await db
    .selectFrom("commands")
    .select(["source", "source_id", "reaction", "answer", "reply"])
    .where("repository_id", "=", pull.repositoryId)
    .where("number", "=", pull.number)
    .where("reply", "in", ["due", "sending"])
    .orderBy("source_id")
    .execute();
  return rows.map(({ source, source_id: sourceId, reaction, answer, reply }) => ({
    repositoryId: pull.repositoryId,
    source,
    sourceId,
    reaction,
    answer,
    mayBeWritten: reply === "sending",
  }));
}

type Reply = Pick<DueReply, "repositoryId" | "source" | "sourceId">;

/** From now on the answer may be on GitHub. */
export const markSending = (db: Kysely<Tables>, reply: Reply): Promise<void> =>
  set(db, reply, { reply: "sending" });

/** `commentId` null: there was none to write, or GitHub refuses it for good. */
export const markSent = (db: Kysely<Tables>, reply: Reply, commentId: number | null): Promise<void> =>
  set(db, reply, { reply: "sent", answer_comment_id: commentId });

async function set(
  db: Kysely<Tables>,
  { repositoryId, source, sourceId }: Reply,
  values: { readonly reply: "sending" | "sent"; readonly answer_comment_id?: number | null },
): Promise<void> {
  await db
    .updateTable("commands")
    .set(values)
    .where("repository_id", "=", repositoryId)
    .where("source", "=", source)
    .where("source_id", "=", sourceId)
    .execute();
}

/** Ids of our own comments that answer somebody: never taken for the pull request's report. */
export async function answerIds(db: Kysely<Tables>, pull: PullKey): Promise<readonly number[]> {
  const rows = await db
    .selectFrom("commands")
    .select("answer_comment_id")
    .where("repository_id", "=", pull.repositoryId)
    .where("number", "=", pull.number)
    .where("answer_comment_id", "is not", null)
    .execute();
  return rows.flatMap(({ answer_comment_id: id }) => (id === null ? [] : [id]));
}
