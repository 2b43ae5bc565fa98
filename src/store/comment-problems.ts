import { sql } from "kysely";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../kernel/clock.ts";
import type { PullKey } from "../kernel/ids.ts";
import type { CommentProblem } from "../policy/news.ts";
import { toPullColumns } from "./tables/pull-key.ts";
import type { Db } from "./tables/tables.ts";

/** The purpose of one of our comments. */
export type CommentPurpose = "report" | "earlier" | "answer";

/** Returns the purpose of a comment; null: it is not ours, or it is not stored. */
export async function findCommentPurpose(
  db: Db,
  pull: PullKey,
  commentId: number,
): Promise<CommentPurpose | null> {
  const ours = (table: "comments" | "earlier_comments") =>
    db
      .selectFrom(table)
      .select("comment_id")
      .where((eb) => eb.and(toPullColumns(pull)))
      .where("comment_id", "=", commentId)
      .executeTakeFirst();
  if ((await ours("comments")) !== undefined) return "report";
  if ((await ours("earlier_comments")) !== undefined) return "earlier";
  return (await findStoredAnswer(db, pull, commentId)) === null ? null : "answer";
}

/** Returns the reply that one of our comments contains, in Markdown; null: the comment is not a reply. */
export async function findStoredAnswer(db: Db, pull: PullKey, commentId: number): Promise<string | null> {
  const row = await db
    .selectFrom("commands")
    .select("answer")
    .where((eb) => eb.and(toPullColumns(pull)))
    .where("answer_comment_id", "=", commentId)
    .executeTakeFirst();
  return row?.answer ?? null;
}

/** Returns all our replies in a pull request's conversation, by comment id. */
export async function readAnswers(db: Db, pull: PullKey): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom("commands")
    .select(["answer_comment_id", "answer"])
    .where((eb) => eb.and(toPullColumns(pull)))
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
  db: Db,
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
export async function listChangedComments(db: Db, pull: PullKey): Promise<readonly ChangedComment[]> {
  const rows = await db
    .selectFrom("changed_comments")
    .select((of) => ["comment_id", of.fn.max("changed_at").as("changed_at")])
    .where((eb) => eb.and(toPullColumns(pull)))
    .groupBy("comment_id")
    .orderBy("comment_id")
    .execute();
  return rows.map(({ comment_id: commentId, changed_at: changedAt }) => ({ commentId, changedAt }));
}

/** Removes the record of a change after the comment is restored. A later change stays recorded. */
export async function forgetChangedComment(
  db: Db,
  pull: PullKey,
  { commentId, changedAt }: ChangedComment,
): Promise<void> {
  await db
    .deleteFrom("changed_comments")
    .where((eb) => eb.and(toPullColumns(pull)))
    .where("comment_id", "=", commentId)
    .where("changed_at", "<=", changedAt)
    .execute();
}

/** Saves the time of a restore. */
export async function recordRestore(db: Db, pull: PullKey, now: Date): Promise<void> {
  await db
    .deleteFrom("comment_restores")
    .where((eb) => eb.and(toPullColumns(pull)))
    .where("restored_at", "<=", new Date(now.getTime() - HOUR_MS))
    .execute();
  await db
    .insertInto("comment_restores")
    .values({ ...toPullColumns(pull), restored_at: now })
    .execute();
}

/** Returns the times of the restores in the last hour, oldest first. */
export async function listRecentRestores(db: Db, pull: PullKey, now: Date): Promise<readonly Date[]> {
  const rows = await db
    .selectFrom("comment_restores")
    .select("restored_at")
    .where((eb) => eb.and(toPullColumns(pull)))
    .where("restored_at", ">", new Date(now.getTime() - HOUR_MS))
    .orderBy("restored_at")
    .execute();
  return rows.map(({ restored_at: at }) => at);
}

/** The problem with a pull request's comments, and when the next attempt is due. */
export interface StoredCommentProblem {
  readonly problem: CommentProblem;
  /** Digest of the comment that could not be written. */
  readonly digest: string;
  /** Failed attempts so far. */
  readonly tries: number;
  readonly firstAt: Date;
  readonly nextAt: Date;
}

export async function findCommentProblem(db: Db, pull: PullKey): Promise<StoredCommentProblem | null> {
  const row = await db
    .selectFrom("comment_problems")
    .select(["problem", "digest", "tries", "first_at", "next_at"])
    .where((eb) => eb.and(toPullColumns(pull)))
    .executeTakeFirst();
  if (row === undefined) return null;
  const { problem, digest, tries, first_at: firstAt, next_at: nextAt } = row;
  return { problem, digest, tries, firstAt, nextAt };
}

export async function saveCommentProblem(
  db: Db,
  pull: PullKey,
  { problem, digest, tries, firstAt, nextAt }: StoredCommentProblem,
): Promise<void> {
  const values = { problem, digest, tries, first_at: firstAt, next_at: nextAt };
  await db
    .insertInto("comment_problems")
    .values({ ...toPullColumns(pull), ...values })
    .onConflict((conflict) => conflict.columns(["repository_id", "number"]).doUpdateSet(values))
    .execute();
}

export async function forgetCommentProblem(db: Db, pull: PullKey): Promise<void> {
  await db
    .deleteFrom("comment_problems")
    .where((eb) => eb.and(toPullColumns(pull)))
    .execute();
}

/**
 * Makes the next attempt due now: for one pull request, or without a number for all pull requests of a
 * repository.
 */
export async function retryCommentsNow(
  db: Db,
  { repositoryId, number }: { readonly repositoryId: number; readonly number?: number },
  now: Date,
): Promise<void> {
  await db
    .updateTable("comment_problems")
    .set({ next_at: now })
    .where("repository_id", "=", repositoryId)
    .$if(number !== undefined, (query) => query.where("number", "=", number ?? 0))
    .execute();
}

/** Makes the next attempt due now for all repositories of an installation. */
export async function retryInstallationComments(db: Db, installationId: number, now: Date): Promise<void> {
  await db
    .updateTable("comment_problems")
    .set({ next_at: now })
    .where("repository_id", "in", (of) =>
      of.selectFrom("repositories").select("repository_id").where("installation_id", "=", installationId),
    )
    .execute();
}

/** After this time, in ms, open tasks of a closed pull request are dropped. */
const CLOSED_MS = DAY_MS;
/** After this time, in ms, a job that was enqueued has ended or was lost. */
const LOST_MS = 5 * MINUTE_MS;

/**
 * Returns the pull requests whose comments need work: an attempt is due, somebody changed a comment, or a
 * reply was not sent. Longest waiting first.
 */
export async function listDueComments(db: Db, now: Date, limit: number): Promise<readonly PullKey[]> {
  const lost = new Date(now.getTime() - LOST_MS);
  const since = new Date(now.getTime() - CLOSED_MS);
  const { rows } = await sql<{ repository_id: number; number: number }>`
    select due.repository_id, due.number from (
      select repository_id, number, next_at as at, first_at from comment_problems where next_at <= ${now}
      union all
      select repository_id, number, changed_at, changed_at from changed_comments where changed_at < ${lost}
      union all
      select repository_id, number, coalesce(reply_next_at, created_at), created_at from commands
        where reply in ('due', 'sending') and coalesce(reply_next_at, created_at + interval '5 minutes') <= ${now}
    ) as due
    join pulls on pulls.repository_id = due.repository_id and pulls.number = due.number
    join repositories on repositories.repository_id = due.repository_id
    left join installations on installations.installation_id = repositories.installation_id
    where (pulls.state = 'open' or due.first_at > ${since}) and installations.suspended is not true
      and not exists (select 1 from comment_problems as problem where problem.repository_id = due.repository_id
        and problem.number = due.number and problem.next_at > ${now})
    group by due.repository_id, due.number order by min(due.at) limit ${limit}`.execute(db);
  return rows.map(({ repository_id: repositoryId, number }) => ({ repositoryId, number }));
}
