import type { Kysely } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import type { Tables } from "../tables/tables.ts";

/** A reply that is still to be sent to the author of a command. */
export interface DueReply {
  readonly repositoryId: number;
  readonly source: "comment" | "review";
  readonly sourceId: number;
  readonly reaction: string | null;
  readonly answer: string | null;
  /** An earlier attempt may have written the reply: look for it before writing it. */
  readonly isPossiblyWritten: boolean;
  /** The id of our comment with the reply; null: there is none yet. */
  readonly answerId: number | null;
  /** How often GitHub refused a part of the reply. */
  readonly tries: number;
}

export async function listDueReplies(
  db: Kysely<Tables>,
  pull: PullKey,
  now: Date,
): Promise<readonly DueReply[]> {
  const rows = await db
    .selectFrom("commands")
    .select(["source", "source_id", "reaction", "answer", "reply", "answer_comment_id", "reply_tries"])
    .where("repository_id", "=", pull.repositoryId)
    .where("number", "=", pull.number)
    .where("reply", "in", ["due", "sending"])
    .where((where) => where.or([where("reply_next_at", "is", null), where("reply_next_at", "<=", now)]))
    .orderBy("source_id")
    .execute();
  return rows.map((row) => ({
    repositoryId: pull.repositoryId,
    source: row.source,
    sourceId: row.source_id,
    reaction: row.reaction,
    answer: row.answer,
    isPossiblyWritten: row.reply === "sending",
    answerId: row.answer_comment_id,
    tries: row.reply_tries,
  }));
}

/** Whether a reply may be on GitHub without its id being stored. */
export async function hasUnstoredAnswer(db: Kysely<Tables>, pull: PullKey): Promise<boolean> {
  const row = await db
    .selectFrom("commands")
    .select("source_id")
    .where("repository_id", "=", pull.repositoryId)
    .where("number", "=", pull.number)
    .where("reply", "=", "sending")
    .where("answer", "is not", null)
    .where("answer_comment_id", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

type ReplyKey = Pick<DueReply, "repositoryId" | "source" | "sourceId">;

/** Marks a reply as being sent: from now on it may be on GitHub. */
export const markSending = (db: Kysely<Tables>, reply: ReplyKey): Promise<void> =>
  updateReply(db, reply, { reply: "sending" });

/** Marks a reply as sent. `answerId` null: no comment was needed, or GitHub refused it too often. */
export const markSent = (db: Kysely<Tables>, reply: ReplyKey, answerId: number | null): Promise<void> =>
  updateReply(db, reply, { reply: "sent", answer_comment_id: answerId });

/**
 * Schedules another attempt after GitHub refused a part of the reply. A comment that is already written is
 * not written again.
 */
export const postponeReply = (
  db: Kysely<Tables>,
  reply: ReplyKey & Pick<DueReply, "answerId" | "tries">,
  nextAt: Date,
): Promise<void> =>
  updateReply(db, reply, {
    answer_comment_id: reply.answerId,
    reply_tries: reply.tries,
    reply_next_at: nextAt,
  });

async function updateReply(
  db: Kysely<Tables>,
  { repositoryId, source, sourceId }: ReplyKey,
  values: {
    readonly reply?: "sending" | "sent";
    readonly answer_comment_id?: number | null;
    readonly reply_tries?: number;
    readonly reply_next_at?: Date;
  },
): Promise<void> {
  await db
    .updateTable("commands")
    .set(values)
    .where("repository_id", "=", repositoryId)
    .where("source", "=", source)
    .where("source_id", "=", sourceId)
    .execute();
}

/** Returns the ids of our own comments that reply to somebody. They are never taken for the report. */
export async function listAnswerIds(db: Kysely<Tables>, pull: PullKey): Promise<readonly number[]> {
  const rows = await db
    .selectFrom("commands")
    .select("answer_comment_id")
    .where("repository_id", "=", pull.repositoryId)
    .where("number", "=", pull.number)
    .where("answer_comment_id", "is not", null)
    .execute();
  return rows.flatMap(({ answer_comment_id: id }) => (id === null ? [] : [id]));
}
