import { sql, type Updateable } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import type { Approval } from "../../policy/model/approval.ts";
import { has, insertNew, isFound, isOf, updateRows } from "../database/statements.ts";
import { toPullColumns } from "../tables/pull-key.ts";
import type { Db, Tables } from "../tables/tables.ts";

/** A comment or a review that may contain a command. Its text is read from GitHub when it is processed. */
export interface CommandSource extends PullKey {
  readonly source: "comment" | "review";
  readonly sourceId: number;
  readonly nodeId: string;
  readonly authorId: number;
}

export interface PendingCommand extends CommandSource {
  /** The number of commands of this person on this pull request in the hour before this command. */
  readonly earlier: number;
}

/** Saves a command. A comment that is delivered twice is saved once. */
export const recordCommand = (
  db: Db,
  { source, sourceId, nodeId, authorId, ...pull }: CommandSource,
  now: Date,
): Promise<unknown> =>
  insertNew(db, "commands", {
    ...toPullColumns(pull),
    source,
    source_id: sourceId,
    node_id: nodeId,
    author_id: authorId,
    created_at: now,
    state: "waiting",
    reply: "none",
  });

/** Saves a comment that reminds an approver of the end of a temporary approval, which a comment gave. It is written once for each occasion. */
export const saveReminder = (
  db: Db,
  pull: PullKey,
  { approval, isLastDay, answer, now }: Reminder,
): Promise<unknown> =>
  insertNew(db, "commands", {
    ...{ ...toPullColumns(pull), source: isLastDay ? "day-reminder" : "week-reminder" },
    ...{
      source_id: Number(approval.id.replace("comment:", "")),
      node_id: "",
      author_id: approval.approver.id,
    },
    ...{ created_at: now, state: "handled", reply: "due", answer },
  });

interface Reminder {
  readonly approval: Pick<Approval, "id" | "approver">;
  readonly isLastDay: boolean;
  /** In Markdown. */
  readonly answer: string;
  readonly now: Date;
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
    .select(["repository_id as repositoryId", "number", "source", "source_id as sourceId"])
    .select(["node_id as nodeId", "author_id as authorId", EARLIER_COUNT.as("earlier")])
    .where(isOf(pull))
    .where("state", "=", "waiting")
    .orderBy("created_at")
    .orderBy("source_id")
    .limit(MAX_AT_ONCE + 1)
    .$narrowType<{ source: CommandSource["source"] }>() // a reminder waits for nothing
    .execute();
  return { commands: rows.slice(0, MAX_AT_ONCE), hasMore: rows.length > MAX_AT_ONCE };
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
    .where(has({ repository_id: repositoryId, source: "comment" }))
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
  { repositoryId, source, sourceId }: Pick<CommandSource, "repositoryId" | "source" | "sourceId">,
): Promise<boolean> {
  const key = { repository_id: repositoryId };
  const id = `${source}:${sourceId}`;
  const found = await Promise.all([
    isFound(
      db
        .selectFrom("commands")
        .select("source_id")
        .where(has({ ...key, source, source_id: sourceId, state: "waiting" })),
    ),
    isFound(selectApprovalsInForce(db).where(has({ ...key, approval_id: id }))),
    isFound(
      db
        .selectFrom("overrides")
        .select("override_id")
        .where(has({ ...key, override_id: id, ended_at: null })),
    ),
  ]);
  return found.includes(true);
}

/** Whether nothing has ended an approval. */
export const IS_IN_FORCE = sql<boolean>`revoked_at is null and lapsed_at is null`;

const selectApprovalsInForce = (db: Db) =>
  db.selectFrom("approvals").select("approval_id").where(IS_IN_FORCE);

/** Saves who pushed what to a pull request: GitHub names the pusher in the delivery of that push. */
export const recordPush = (
  db: Db,
  pull: PullKey,
  {
    userId,
    before,
    after,
  }: { readonly userId: number; readonly before: string | null; readonly after: string },
): Promise<unknown> =>
  insertNew(db, "pull_pushes", {
    ...toPullColumns(pull),
    user_id: userId,
    before_sha: before,
    after_sha: after,
  });

export const listPushes = (db: Db, pull: PullKey) =>
  db
    .selectFrom("pull_pushes")
    .select(["user_id as userId", "before_sha as before", "after_sha as after"])
    .where(isOf(pull))
    .execute();

/**
 * A reply that is still to be sent to the author of a command. `answerId`: our comment with the reply; null: there is none yet.
 * `nextAt` null: GitHub did not refuse a part of the reply.
 */
export type DueReply = Awaited<ReturnType<typeof listDueReplies>>[number];

export const listDueReplies = (db: Db, pull: PullKey, now: Date) =>
  db
    .selectFrom("commands")
    .select(["repository_id as repositoryId", "source", "source_id as sourceId", "reaction", "answer"])
    .select(["answer_comment_id as answerId", "created_at as createdAt", "reply_next_at as nextAt"])
    .where(isOf(pull))
    .where("reply", "=", "due")
    .where((where) => where.or([where("reply_next_at", "is", null), where("reply_next_at", "<=", now)]))
    .orderBy("source_id")
    .execute();

/** Whether a reply may be on GitHub without its id being stored. */
export const hasUnstoredAnswer = (db: Db, pull: PullKey): Promise<boolean> =>
  isFound(
    db
      .selectFrom("commands")
      .select("source_id")
      .where(isOf(pull))
      .where(has({ reply: "due", answer_comment_id: null }))
      .where("answer", "is not", null),
  );

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
  values: Updateable<Tables["commands"]>,
): Promise<void> {
  await updateRows(db, "commands", { repository_id: repositoryId, source, source_id: sourceId }, values);
}

/** Returns the ids of our own comments that reply to somebody. They are never taken for the report. */
export async function listAnswerIds(db: Db, pull: PullKey): Promise<readonly number[]> {
  const rows = await db
    .selectFrom("commands")
    .select("answer_comment_id")
    .where(isOf(pull))
    .where("answer_comment_id", "is not", null)
    .execute();
  return rows.flatMap(({ answer_comment_id: id }) => (id === null ? [] : [id]));
}
