import { sql } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import { toPullColumns } from "../tables/pull-key.ts";
import type { Db } from "../tables/tables.ts";
import { isOverride } from "./overrides.ts";

/** A comment or a review that may contain a command. Its text is read from GitHub when it is processed. */
export interface CommandSource extends PullKey {
  readonly source: "comment" | "review";
  readonly sourceId: number;
  readonly nodeId: string;
  readonly authorId: number;
}

/** A command that is not processed yet. */
export interface PendingCommand extends CommandSource {
  /** The number of commands of this person on this pull request in the hour before this command. */
  readonly earlier: number;
}

/** Saves a command. A comment that is delivered twice is saved once. */
export async function recordCommand(db: Db, commandSource: CommandSource, now: Date): Promise<void> {
  await db
    .insertInto("commands")
    .values({
      repository_id: commandSource.repositoryId,
      number: commandSource.number,
      source: commandSource.source,
      source_id: commandSource.sourceId,
      node_id: commandSource.nodeId,
      author_id: commandSource.authorId,
      created_at: now,
      state: "waiting",
      reaction: null,
      answer: null,
      reply: "none",
      answer_comment_id: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Returns the commands that the pull request's next lane run processes, in the order of their creation on
 * GitHub. Their number is limited.
 */
export async function listPendingCommands(
  db: Db,
  pull: PullKey,
): Promise<{ readonly commands: readonly PendingCommand[]; readonly hasMore: boolean }> {
  const rows = await db
    .selectFrom("commands")
    .select(["source", "source_id", "node_id", "author_id", EARLIER_COUNT.as("earlier")])
    .where((eb) => eb.and(toPullColumns(pull)))
    .where("state", "=", "waiting")
    .orderBy("created_at")
    .orderBy("source_id")
    .limit(MAX_AT_ONCE + 1)
    .execute();
  const { repositoryId, number } = pull;
  const commands = rows
    .slice(0, MAX_AT_ONCE)
    .map(({ source, source_id: sourceId, node_id: nodeId, author_id: authorId, earlier }) => ({
      repositoryId,
      number,
      source,
      sourceId,
      nodeId,
      authorId,
      earlier,
    }));
  return { commands, hasMore: rows.length > MAX_AT_ONCE };
}

const EARLIER_COUNT = sql<number>`(
  select count(*)::int from commands as other
  where other.repository_id = commands.repository_id and other.number = commands.number
    and other.author_id = commands.author_id and other.source = commands.source
    and other.created_at > commands.created_at - interval '1 hour'
    and (other.created_at, other.source_id) < (commands.created_at, commands.source_id))`;

/** Returns those of these comments that no delivery has announced. */
export async function findUnreadComments(
  db: Db,
  { repositoryId }: PullKey,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom("commands")
    .select("source_id")
    .where("repository_id", "=", repositoryId)
    .where("source", "=", "comment")
    .where("source_id", "in", ids)
    .execute();
  const recordedIds = new Set(rows.map(({ source_id: id }) => id));
  return new Set(ids.filter((id) => !recordedIds.has(id)));
}

/**
 * Most commands that one evaluation processes: GitHub returns at most 100 nodes by id per request, and the approvals in force are read
 * in the same request.
 */
export const MAX_AT_ONCE = 40;

/**
 * Whether a comment or review is a pending command, or an approval or override in force, so that its edit or
 * deletion matters.
 */
export async function isActing(
  db: Db,
  of: { readonly repositoryId: number; readonly source: "comment" | "review"; readonly sourceId: number },
): Promise<boolean> {
  const [waiting, approved, overridden] = await Promise.all([
    db
      .selectFrom("commands")
      .select("source_id")
      .where("repository_id", "=", of.repositoryId)
      .where("source", "=", of.source)
      .where("source_id", "=", of.sourceId)
      .where("state", "=", "waiting")
      .executeTakeFirst(),
    db
      .selectFrom("approvals")
      .select("approval_id")
      .where("repository_id", "=", of.repositoryId)
      .where("approval_id", "=", `${of.source}:${of.sourceId}`)
      .where("revoked_at", "is", null)
      .where("lapsed_at", "is", null)
      .executeTakeFirst(),
    of.source === "comment" && isOverride(db, { repositoryId: of.repositoryId, commentId: of.sourceId }),
  ]);
  return waiting !== undefined || approved !== undefined || overridden;
}

/** Whether a review of this person is an approval in force on the pull request. */
export async function hasReviewApproval(db: Db, pull: PullKey, authorId: number): Promise<boolean> {
  const approved = await db
    .selectFrom("approvals")
    .select("approval_id")
    .where((eb) => eb.and(toPullColumns(pull)))
    .where("approver_id", "=", authorId)
    .where("approval_id", "like", "review:%")
    .where("revoked_at", "is", null)
    .where("lapsed_at", "is", null)
    .executeTakeFirst();
  return approved !== undefined;
}

/** Saves who pushed what to a pull request: GitHub names the pusher in the delivery of that push. */
export async function recordPush(
  db: Db,
  pull: PullKey,
  push: { readonly userId: number; readonly before: string | null; readonly after: string },
): Promise<void> {
  const { repositoryId: repository_id, number } = pull;
  const { userId: user_id, before: before_sha, after: after_sha } = push;
  await db
    .insertInto("pull_pushes")
    .values({ repository_id, number, user_id, before_sha, after_sha })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export const listPushes = (db: Db, pull: PullKey) =>
  db
    .selectFrom("pull_pushes")
    .select(["user_id as userId", "before_sha as before", "after_sha as after"])
    .where((eb) => eb.and(toPullColumns(pull)))
    .execute();

/** A reply that is still to be sent to the author of a command. */
export interface DueReply {
  readonly repositoryId: number;
  readonly source: "comment" | "review";
  readonly sourceId: number;
  readonly reaction: string | null;
  readonly answer: string | null;
  /** The id of our comment with the reply; null: there is none yet. */
  readonly answerId: number | null;
  /** When the command was delivered, in ms since 1970. */
  readonly createdMs: number;
  /** Null: GitHub did not refuse a part of the reply. */
  readonly nextAt: Date | null;
}

export async function listDueReplies(db: Db, pull: PullKey, now: Date): Promise<readonly DueReply[]> {
  const rows = await db
    .selectFrom("commands")
    .select(["source", "source_id", "reaction", "answer", "answer_comment_id", "created_at", "reply_next_at"])
    .where((eb) => eb.and(toPullColumns(pull)))
    .where("reply", "=", "due")
    .where((where) => where.or([where("reply_next_at", "is", null), where("reply_next_at", "<=", now)]))
    .orderBy("source_id")
    .execute();
  return rows.map((row) => ({
    repositoryId: pull.repositoryId,
    source: row.source,
    sourceId: row.source_id,
    reaction: row.reaction,
    answer: row.answer,
    answerId: row.answer_comment_id,
    createdMs: row.created_at.getTime(),
    nextAt: row.reply_next_at,
  }));
}

/** Whether a reply may be on GitHub without its id being stored. */
export async function hasUnstoredAnswer(db: Db, pull: PullKey): Promise<boolean> {
  const row = await db
    .selectFrom("commands")
    .select("source_id")
    .where((eb) => eb.and(toPullColumns(pull)))
    .where("reply", "=", "due")
    .where("answer", "is not", null)
    .where("answer_comment_id", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

type ReplyKey = Pick<DueReply, "repositoryId" | "source" | "sourceId">;

/** Marks a reply as sent, or as given up because GitHub refused it too long. */
export const markSent = (db: Db, reply: ReplyKey): Promise<void> => updateReply(db, reply, { reply: "sent" });

/** Saves the id of the comment that is the answer: it is not written again. */
export const saveAnswerId = (db: Db, reply: ReplyKey, answerId: number): Promise<void> =>
  updateReply(db, reply, { answer_comment_id: answerId });

/** Schedules another attempt after GitHub refused a part of the reply. */
export const postponeReply = (db: Db, reply: ReplyKey, nextAt: Date): Promise<void> =>
  updateReply(db, reply, { reply_next_at: nextAt });

async function updateReply(
  db: Db,
  { repositoryId, source, sourceId }: ReplyKey,
  values: {
    readonly reply?: "sent";
    readonly answer_comment_id?: number;
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
export async function listAnswerIds(db: Db, pull: PullKey): Promise<readonly number[]> {
  const rows = await db
    .selectFrom("commands")
    .select("answer_comment_id")
    .where((eb) => eb.and(toPullColumns(pull)))
    .where("answer_comment_id", "is not", null)
    .execute();
  return rows.flatMap(({ answer_comment_id: id }) => (id === null ? [] : [id]));
}
