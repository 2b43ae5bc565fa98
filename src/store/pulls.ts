import { type Selectable, sql } from "kysely";
import type { PullKey } from "../kernel/ids.ts";
import type { ReadAttempts } from "../policy/decide/read-attempts.ts";
import { deleteRows, has, isOf, isSamePull, upsert } from "./database/statements.ts";
import { isOutside, type Span } from "./span.ts";
import type { Db, pullLabels, Tables } from "./tables/tables.ts";

export type PullRow = Selectable<Tables["pulls"]>;

export interface PullUpdate {
  readonly repositoryId: number;
  readonly number: number;
  readonly headSha: string;
  readonly mergeSha: string | null;
  readonly baseRef: string;
  readonly state: "open" | "closed";
  /** True: restart the deadlines of the head, because the pull request was closed or a draft before. */
  readonly isReset?: boolean;
  /** Absent: they were not read, and stay. */
  readonly labels?: Selectable<typeof pullLabels>;
  /** The pull request as it is stored, undefined: not yet. Absent: it has to be read. */
  readonly known?: PullRow | undefined;
}

/**
 * Saves a pull request as read from GitHub and clears the announced head. Returns when the deadlines of its
 * head started, in ms since 1970.
 */
export async function savePull(db: Db, update: PullUpdate, now: Date): Promise<number> {
  const known = "known" in update ? update.known : await findPull(db, update);
  const isReset = known?.head_sha !== update.headSha || update.isReset === true;
  const headSeenAt = isReset ? now : known.head_seen_at;
  const row = {
    repository_id: update.repositoryId,
    number: update.number,
    head_sha: update.headSha,
    merge_sha: update.mergeSha ?? (known?.head_sha === update.headSha ? known.merge_sha : null),
    base_ref: update.baseRef,
    announced_sha: null,
    state: update.state,
    head_seen_at: headSeenAt,
    updated_at: now,
    ...update.labels,
  };
  await upsert(db, "pulls", row);
  return headSeenAt.getTime();
}

/** Saves what a delivery named: a head, so that a read that returns an older one is repeated, or a stack. */
export async function announce(
  db: Db,
  key: PullKey,
  named: Partial<Pick<PullRow, "announced_sha" | "stack">>,
): Promise<void> {
  await db.updateTable("pulls").set(named).where(isOf(key)).execute();
}

export async function findPull(db: Db, key: PullKey): Promise<PullRow | undefined> {
  return db.selectFrom("pulls").selectAll().where(isOf(key)).executeTakeFirst();
}

/** Returns pull requests, open or closed, whose head or test merge is one of these commits. */
export async function listCommitPulls(
  db: Db,
  repositoryId: number,
  shas: readonly string[],
): Promise<readonly PullRow[]> {
  return db
    .selectFrom("pulls")
    .selectAll()
    .where("repository_id", "=", repositoryId)
    .where((where) => where.or([where("head_sha", "in", shas), where("merge_sha", "in", shas)]))
    .execute();
}

/** Returns the newest pull requests that have or had one of these commits as their head or test merge, as far as evaluations are kept. */
export const listHeadPulls = (db: Db, repositoryId: number, shas: readonly string[], limit: number) =>
  db
    .selectFrom("pulls")
    .select(["number", "title"])
    .where("repository_id", "=", repositoryId)
    .where(
      sql<boolean>`(array[head_sha, merge_sha] && ${shas}::text[] or exists (select from past_evaluations as past
        where ${isSamePull("past", "pulls")} and past.head_sha = any(${shas}::text[])))`,
    )
    .orderBy("number", "desc")
    .limit(limit)
    .execute();

/** Returns open pull requests whose head or test merge is this commit. */
export async function listOpenCommitPulls(
  db: Db,
  repositoryId: number,
  sha: string,
): Promise<readonly PullRow[]> {
  return selectOpenPulls(db, repositoryId)
    .where((where) => where.or([where("head_sha", "=", sha), where("merge_sha", "=", sha)]))
    .execute();
}

export async function listOpenBasePulls(
  db: Db,
  repositoryId: number,
  baseRef: string,
): Promise<readonly PullRow[]> {
  return selectOpenPulls(db, repositoryId).where("base_ref", "=", baseRef).execute();
}

export async function listOpenRepositoryPulls(db: Db, repositoryId: number): Promise<readonly PullRow[]> {
  return selectOpenPulls(db, repositoryId).execute();
}

const selectOpenPulls = (db: Db, repositoryId: number) =>
  db
    .selectFrom("pulls")
    .selectAll()
    .where(has({ repository_id: repositoryId, state: "open" }));

/**
 * Returns open pull requests whose head has no evaluation, or one that is not final or not known to be shown, longest unvisited first.
 * Drafts are excluded; the listing of pull requests detects that a draft became ready.
 */
export async function listUndecidedPulls(db: Db, limit: number): Promise<readonly PullKey[]> {
  return selectWatchedPulls(db)
    .where((where) =>
      where.or([
        where("evaluations.decision", "is", null),
        where.and([where("evaluations.decision", "=", "in_progress"), where(SITUATION, "!=", "draft")]),
        where("evaluations.settled", "=", false),
      ]),
    )
    .limit(limit)
    .execute();
}

const EVALUATION = sql`(evaluations.evaluation -> 'value')`;
const SITUATION = sql<string>`${EVALUATION} -> 'situation' ->> 'kind'`;
const DRAFT = sql<string>`${EVALUATION} -> 'pull' ->> 'draft'`;

/** Numbers of a repository's pull requests that were drafts at their last evaluation. */
export async function listKnownDrafts(db: Db, repositoryId: number): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom("evaluations")
    .select("number")
    .where("repository_id", "=", repositoryId)
    .where(DRAFT, "=", "true")
    .execute();
  return new Set(rows.map(({ number }) => number));
}

/** Returns open pull requests that were last evaluated and last swept before the span: a delivery about them may have been lost. */
export async function listUnvisitedPulls(db: Db, outside: Span, limit: number): Promise<readonly PullKey[]> {
  return selectWatchedPulls(db)
    .where(isOutside("evaluations.created_at", outside))
    .where((where) => where.or([where("pulls.swept_at", "is", null), isOutside("pulls.swept_at", outside)]))
    .limit(limit)
    .execute();
}

/** Open pull requests that can be evaluated, joined with the evaluation of exactly their head and base. */
const selectWatchedPulls = (db: Db) =>
  db
    .selectFrom("pulls")
    .innerJoin("repositories", "repositories.repository_id", "pulls.repository_id")
    .leftJoin("installations", "installations.installation_id", "repositories.installation_id")
    .leftJoin("evaluations", (join) =>
      join
        .on(isSamePull("evaluations", "pulls"))
        .onRef("evaluations.head_sha", "=", "pulls.head_sha")
        .onRef("evaluations.base_ref", "=", "pulls.base_ref"),
    )
    .where("pulls.state", "=", "open")
    .where((where) =>
      where.or([where("installations.suspended", "is", null), where("installations.suspended", "=", false)]),
    )
    .select(["pulls.repository_id as repositoryId", "pulls.number as number"])
    .orderBy(sql`pulls.swept_at nulls first`)
    .orderBy("pulls.updated_at")
    .orderBy("pulls.repository_id")
    .orderBy("pulls.number");

/** Moves pull requests to the end of the sweep's order, so that those which never settle do not delay others. */
export async function markSwept(db: Db, pulls: readonly PullKey[], now: Date): Promise<void> {
  for (const { repositoryId, number } of pulls) {
    await db.updateTable("pulls").set({ swept_at: now }).where(isOf({ repositoryId, number })).execute();
  }
}

/** The reads of an execution for one head. */
export interface ReadKey {
  readonly repositoryId: number;
  readonly headSha: string;
  readonly org: string;
  readonly project: string;
  readonly executionId: string;
}

const toColumns = ({ repositoryId, headSha, org, project, executionId }: ReadKey) => ({
  repository_id: repositoryId,
  head_sha: headSha,
  org,
  project,
  pipeline_execution_id: executionId,
});

export async function countAttempt(db: Db, key: ReadKey, now: Date): Promise<ReadAttempts> {
  const row = await db
    .insertInto("read_attempts")
    .values({
      ...toColumns(key),
      attempts: 1,
      first_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["repository_id", "head_sha", "org", "project", "pipeline_execution_id"])
        .doUpdateSet({ attempts: sql`read_attempts.attempts + 1` }),
    )
    .returning(["attempts", "first_at"])
    .executeTakeFirstOrThrow();
  return { attempts: row.attempts, firstMs: row.first_at.getTime() };
}

/** Resets the count after a complete read. */
export async function forgetAttempt(db: Db, key: ReadKey): Promise<void> {
  await deleteRows(db, "read_attempts", toColumns(key));
}

/** Resets all counts for a head; a re-check starts them again. */
export async function forgetAttempts(db: Db, repositoryId: number, headSha: string): Promise<void> {
  await deleteRows(db, "read_attempts", { repository_id: repositoryId, head_sha: headSha });
}
