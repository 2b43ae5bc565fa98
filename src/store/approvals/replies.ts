import type { Kysely } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import type { Tables } from "../tables/tables.ts";

/** What is still to be shown to a person who asked. */
export interface DueReply {
  readonly repositoryId: number;
  readonly source: "comment" | "review";
  readonly sourceId: number;
  readonly reaction: string | null;
  readonly answer: string | null;
  /** The answer may have been written already: look before writing it. */
  readonly mayBeWritten: boolean;
  /** Our comment that gives the answer; null: there is none yet. */
  readonly answerId: number | null;
  /** How often GitHub refused a part of it. */
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
    mayBeWritten: row.reply === "sending",
    answerId: row.answer_comment_id,
    tries: row.reply_tries,
  }));
}

type ReplyKey = Pick<DueReply, "repositoryId" | "source" | "sourceId">;

/** From now on the answer may be on GitHub. */
export const markSending = (db: Kysely<Tables>, reply: ReplyKey): Promise<void> =>
  updateReply(db, reply, { reply: "sending" });

/** `answerId` null: there was none to write, or GitHub refused it too often. */
export const markSent = (db: Kysely<Tables>, reply: ReplyKey, answerId: number | null): Promise<void> =>
  updateReply(db, reply, { reply: "sent", answer_comment_id: answerId });

/** GitHub refused a part of it: it is sent again later, without the answer where that is there already. */
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

/** Ids of our own comments that answer somebody: never taken for the pull request's report. */
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
