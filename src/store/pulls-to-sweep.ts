import { type Kysely, sql } from "kysely";
import type { PullKey } from "../kernel/ids.ts";
import { isOutside, type Span } from "./span.ts";
import type { Tables } from "./tables/tables.ts";

/**
 * Returns open pull requests whose head has no evaluation, or one that is not final or not known to be shown,
 * longest unvisited first. Drafts are excluded; the listing of pull requests detects that a draft became
 * ready.
 */
export async function listUndecidedPulls(db: Kysely<Tables>, limit: number): Promise<readonly PullKey[]> {
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
export async function listKnownDrafts(
  db: Kysely<Tables>,
  repositoryId: number,
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom("evaluations")
    .select("number")
    .where("repository_id", "=", repositoryId)
    .where(DRAFT, "=", "true")
    .execute();
  return new Set(rows.map(({ number }) => number));
}

/**
 * Returns open pull requests that were last evaluated and last swept before the span: a delivery about them
 * may have been lost.
 */
export async function listUnvisitedPulls(
  db: Kysely<Tables>,
  outside: Span,
  limit: number,
): Promise<readonly PullKey[]> {
  return selectWatchedPulls(db)
    .where(isOutside("evaluations.created_at", outside))
    .where((where) => where.or([where("pulls.swept_at", "is", null), isOutside("pulls.swept_at", outside)]))
    .limit(limit)
    .execute();
}

/** Open pull requests that can be evaluated, joined with the evaluation of exactly their head and base. */
const selectWatchedPulls = (db: Kysely<Tables>) =>
  db
    .selectFrom("pulls")
    .innerJoin("repositories", "repositories.repository_id", "pulls.repository_id")
    .leftJoin("installations", "installations.installation_id", "repositories.installation_id")
    .leftJoin("evaluations", (join) =>
      join
        .onRef("evaluations.repository_id", "=", "pulls.repository_id")
        .onRef("evaluations.number", "=", "pulls.number")
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

/**
 * Moves pull requests to the end of the sweep's order, so that those which never settle do not delay others.
 */
export async function markSwept(db: Kysely<Tables>, pulls: readonly PullKey[], now: Date): Promise<void> {
  for (const { repositoryId, number } of pulls) {
    await db
      .updateTable("pulls")
      .set({ swept_at: now })
      .where("repository_id", "=", repositoryId)
      .where("number", "=", number)
      .execute();
  }
}
