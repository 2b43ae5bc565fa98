import { sql } from "kysely";
import { DAY_MS, HOUR_MS } from "../kernel/clock.ts";
import type { PullKey } from "../kernel/ids.ts";
import type { CommentProblem } from "../policy/news.ts";
import { isOf, upsert } from "./database/statements.ts";
import { toPullColumns } from "./tables/pull-key.ts";
import type { Db } from "./tables/tables.ts";

/** Whether a comment is stored as one of ours: the report, an earlier one, or an answer. */
export async function isStoredComment(
  db: Db,
  { repositoryId, number }: PullKey,
  commentId: number,
): Promise<boolean> {
  const { rows } = await sql`
    select comment_id from comments where repository_id = ${repositoryId} and number = ${number} and comment_id = ${commentId}
    union all select comment_id from earlier_comments where repository_id = ${repositoryId} and comment_id = ${commentId}
    union all select answer_comment_id from commands
      where repository_id = ${repositoryId} and number = ${number} and answer_comment_id = ${commentId}`.execute(
    db,
  );
  return rows.length > 0;
}

/** Returns all our replies in a pull request's conversation, by comment id. */
export async function readAnswers(db: Db, pull: PullKey): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom("commands")
    .select(["answer_comment_id", "answer"])
    .where(isOf(pull))
    .where("answer_comment_id", "is not", null)
    .where("answer", "is not", null)
    .execute();
  return new Map(
    rows.flatMap(({ answer_comment_id: id, answer }) =>
      id === null || answer === null ? [] : [[id, answer]],
    ),
  );
}

/** Most restorations of a pull request's comments within an hour: another bot may change them for ever. */
const MAX_RESTORES = 6;

/**
 * Records that others changed a comment, which is to be restored at once. False: that happened too often within the last hour, so the next
 * evaluation restores it.
 */
export async function recordRestore(db: Db, pull: PullKey, now: Date): Promise<boolean> {
  const { repositoryId, number } = pull;
  await db
    .deleteFrom("comment_restores")
    .where(isOf(pull))
    .where("restored_at", "<=", new Date(now.getTime() - HOUR_MS))
    .execute();
  const { numAffectedRows = 0n } = await sql`
    insert into comment_restores (repository_id, number, restored_at)
    select ${repositoryId}::bigint, ${number}::integer, ${now}::timestamptz
    where (select count(*) from comment_restores where repository_id = ${repositoryId} and number = ${number}) < ${MAX_RESTORES}`.execute(
    db,
  );
  return numAffectedRows > 0n;
}

/** The problem with a pull request's comments, and when the next attempt is due. */
export interface StoredCommentProblem {
  readonly problem: CommentProblem;
  /** Digest of the comment that could not be written. */
  readonly digest: string;
  readonly firstAt: Date;
  readonly nextAt: Date;
}

export async function findCommentProblem(db: Db, pull: PullKey): Promise<StoredCommentProblem | null> {
  const row = await db
    .selectFrom("comment_problems")
    .select(["problem", "digest", "first_at as firstAt", "next_at as nextAt"])
    .where(isOf(pull))
    .executeTakeFirst();
  return row ?? null;
}

export async function saveCommentProblem(
  db: Db,
  pull: PullKey,
  { problem, digest, firstAt, nextAt }: StoredCommentProblem,
): Promise<void> {
  const values = { problem, digest, first_at: firstAt, next_at: nextAt };
  await upsert(db, "comment_problems", { ...toPullColumns(pull), ...values }, values);
}

export async function forgetCommentProblem(db: Db, pull: PullKey): Promise<void> {
  await db.deleteFrom("comment_problems").where(isOf(pull)).execute();
}

/** Makes the next attempt due now: for one pull request, or without a number for all pull requests of a repository. */
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

/** Returns the pull requests whose comments need work: an attempt is due, or a reply was not sent. Longest waiting first. */
export async function listDueComments(db: Db, now: Date, limit: number): Promise<readonly PullKey[]> {
  const since = new Date(now.getTime() - CLOSED_MS);
  const { rows } = await sql<{ repository_id: number; number: number }>`
    select due.repository_id, due.number from (
      select repository_id, number, next_at as at, first_at from comment_problems where next_at <= ${now}
      union all
      select repository_id, number, coalesce(reply_next_at, created_at), created_at from commands
        where reply = 'due' and coalesce(reply_next_at, created_at + interval '5 minutes') <= ${now}
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
