import { type Kysely, sql } from "kysely";
import type { PullKey } from "../kernel/ids.ts";
import type { CommentProblem } from "../policy/comment/comment-problem.ts";
import type { Tables } from "./tables/tables.ts";

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

export async function findCommentProblem(
  db: Kysely<Tables>,
  { repositoryId, number }: PullKey,
): Promise<StoredCommentProblem | null> {
  const row = await db
    .selectFrom("comment_problems")
    .select(["problem", "digest", "tries", "first_at", "next_at"])
    .where("repository_id", "=", repositoryId)
    .where("number", "=", number)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { problem, digest, tries, first_at: firstAt, next_at: nextAt } = row;
  return { problem, digest, tries, firstAt, nextAt };
}

export async function saveCommentProblem(
  db: Kysely<Tables>,
  { repositoryId, number }: PullKey,
  { problem, digest, tries, firstAt, nextAt }: StoredCommentProblem,
): Promise<void> {
  const values = { problem, digest, tries, first_at: firstAt, next_at: nextAt };
  await db
    .insertInto("comment_problems")
    .values({ repository_id: repositoryId, number, ...values })
    .onConflict((conflict) => conflict.columns(["repository_id", "number"]).doUpdateSet(values))
    .execute();
}

export async function forgetCommentProblem(
  db: Kysely<Tables>,
  { repositoryId, number }: PullKey,
): Promise<void> {
  await db
    .deleteFrom("comment_problems")
    .where("repository_id", "=", repositoryId)
    .where("number", "=", number)
    .execute();
}

/**
 * Makes the next attempt due now: for one pull request, or without a number for all pull requests of a
 * repository.
 */
export async function retryCommentsNow(
  db: Kysely<Tables>,
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
export async function retryInstallationComments(
  db: Kysely<Tables>,
  installationId: number,
  now: Date,
): Promise<void> {
  await db
    .updateTable("comment_problems")
    .set({ next_at: now })
    .where("repository_id", "in", (of) =>
      of.selectFrom("repositories").select("repository_id").where("installation_id", "=", installationId),
    )
    .execute();
}

/** After this time, in ms, open tasks of a closed pull request are dropped. */
const CLOSED_MS = 24 * 3_600_000;
/** After this time, in ms, a job that was enqueued has ended or was lost. */
const LOST_MS = 5 * 60_000;

/**
 * Returns the pull requests whose comments need work: an attempt is due, somebody changed a comment, or a
 * reply was not sent. Longest waiting first.
 */
export async function listDueComments(
  db: Kysely<Tables>,
  now: Date,
  limit: number,
): Promise<readonly PullKey[]> {
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
