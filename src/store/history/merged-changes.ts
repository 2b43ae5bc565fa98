import { sql } from "kysely";
import { DAY_MS } from "../../kernel/clock.ts";
import type { Decimal } from "../../kernel/money.ts";
import { computeMiss } from "../../report/accuracy.ts";
import { isSamePull } from "../database/statements.ts";
import { storedApproval } from "../json/stored-values.ts";
import type { Db } from "../tables/tables.ts";
import { HIGH, LOW, MISS_PERCENT, percentile, round } from "./accuracy.ts";
import { isReadable, type RepositoryIds } from "./readable.ts";

/** A span of time: its first moment, and the first moment after it. */
export interface TimeSpan {
  readonly from: Date;
  readonly to: Date;
}

/** Returns the last days until now, with this second, because a merge is stored at its end. */
export const findLastDays = (days: number, nowMs: number): TimeSpan => ({
  from: new Date(nowMs - days * DAY_MS),
  to: new Date(nowMs + 1_000),
});

/** The estimate of a merged pull request and the actual cost, in one currency, per month. */
export type Comparison = Awaited<ReturnType<typeof listComparisons>>[number];

/** Compares estimates with actual costs, the newest first; repositories whose readers may not see figures are not in it. */
export async function listComparisons(
  db: Db,
  repositoryIds: RepositoryIds,
  { from, to, limit }: TimeSpan & { readonly limit: number },
) {
  const rows = await db
    .selectFrom("merge_comparisons as own")
    .innerJoin("repositories", "repositories.repository_id", "own.repository_id")
    .leftJoin("pulls", (join) => join.on(isSamePull("pulls", "own")))
    .where(isReadable("own.repository_id", repositoryIds))
    .where("repositories.figures", "=", true)
    .where("own.compared_at", ">=", from)
    .where("own.compared_at", "<", to)
    .select(["own.repository_id as repositoryId", "own.number", "pulls.title", "own.currency"])
    .select(sql<string>`repositories.owner_login || '/' || repositories.name`.as("repository"))
    .select(decimalOf("own.before").as("before"))
    .select([decimalOf("own.estimated").as("estimated"), decimalOf("own.actual").as("actual")])
    .select(["own.days", "own.compared", "own.workspaces", "own.compared_at as comparedAt"])
    .orderBy("own.compared_at", "desc")
    .orderBy("own.repository_id")
    .orderBy("own.number", "desc")
    .orderBy("own.currency")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, ...computeMiss(row) }));
}

const decimalOf = (column: string) => sql<Decimal>`trim_scale(${sql.ref(column)})::text`;

/** How estimated changes of a module of one repository, or of a resource type, came out, in one currency. */
export type PartAccuracy = Awaited<ReturnType<typeof listPartAccuracy>>[number];

/**
 * Sums up the comparisons since a moment, of modules by repository, and of resource types over all of these repositories; those whose
 * readers may not see figures are not in it. Percentages are of the estimated change; `low` and `high` are the 10th and the 90th percentile.
 */
export const listPartAccuracy = (db: Db, repositoryIds: RepositoryIds, from: Date) =>
  db
    .selectFrom("part_comparisons as own")
    .innerJoin("repositories", "repositories.repository_id", "own.repository_id")
    .where(isReadable("repositories.repository_id", repositoryIds))
    .where("repositories.figures", "=", true)
    .where("own.compared_at", ">=", from)
    .select(["own.kind", "own.name", "own.currency"])
    .select(
      sql<string | null>`case own.kind when 'module' then owner_login || '/' || repositories.name end`.as(
        "repository",
      ),
    )
    .select(({ fn }) => fn.countAll<number>().as("compared"))
    .select(sql<number>`count(*) filter (where own.actual > own.estimated)`.as("over"))
    .select(sql<number>`count(*) filter (where own.actual < own.estimated)`.as("under"))
    .select([
      round(sql`avg(abs(${MISS_PERCENT}))`).as("mean_percent"),
      round(sql`avg(${MISS_PERCENT})`).as("bias_percent"),
    ])
    .select(round(percentile(0.5, sql`abs(${MISS_PERCENT})`)).as("median_percent"))
    .select([LOW, HIGH])
    .groupBy(["own.kind", "repository", "own.name", "own.currency"])
    .orderBy("own.name")
    .orderBy("repository")
    .orderBy("own.currency")
    .execute();

/** Sums up the monthly savings of these repositories by currency; those whose readers may not see figures are not in it. */
export const sumSavings = (db: Db, repositoryIds: RepositoryIds, span: TimeSpan) =>
  selectSavings(db, repositoryIds, span)
    .select(["applied.currency", sql<Decimal>`trim_scale(sum(applied.savings::numeric))::text`.as("savings")])
    .select(({ fn }) => fn.countAll<number>().as("recommendations"))
    .select(sql<number>`count(distinct (applied.repository_id, applied.number))`.as("pulls"))
    .select(sql<number>`count(*) filter (where applied.state = 'marked')`.as("marked"))
    .groupBy("applied.currency")
    .orderBy("applied.currency")
    .execute();

/** A recommendation that a merged pull request carried out. */
export type AppliedSaving = Awaited<ReturnType<typeof listSavings>>[number];

/** Lists the savings of these repositories, newest first. */
export const listSavings = (
  db: Db,
  repositoryIds: RepositoryIds,
  { limit, ...span }: TimeSpan & { readonly limit: number },
) =>
  selectSavings(db, repositoryIds, span)
    .leftJoin("pulls", (join) => join.on(isSamePull("pulls", "applied")))
    .select(["applied.repository_id as repositoryId", "applied.number", "pulls.title"])
    .select(sql<string>`repositories.owner_login || '/' || repositories.name`.as("repository"))
    .select(["applied.recommendation_id as recommendationId", "applied.currency", "applied.state"])
    .select([sql<Decimal>`applied.savings`.as("savings"), "applied.updated_at as updatedAt"])
    .orderBy("applied.updated_at", "desc")
    .orderBy("applied.recommendation_id")
    .limit(limit)
    .execute();

const selectSavings = (db: Db, repositoryIds: RepositoryIds, { from, to }: TimeSpan) =>
  db
    .selectFrom("applied_recommendations as applied")
    .innerJoin("repositories", "repositories.repository_id", "applied.repository_id")
    .where(isReadable("applied.repository_id", repositoryIds))
    .where("repositories.figures", "=", true)
    .where("applied.updated_at", ">=", from)
    .where("applied.updated_at", "<", to);

/** An approval of a merged pull request that accepts a cost for a time. */
export type TemporaryApproval = Awaited<ReturnType<typeof listTemporaryApprovals>>[number];

/** Temporary approvals of merged pull requests that end after a time, the first to end first. Unreadable ones are not shown. */
export async function listTemporaryApprovals(
  db: Db,
  repositoryIds: RepositoryIds,
  { after, limit }: { readonly after: Date; readonly limit: number },
) {
  const end = sql<number>`(own.approval->'value'->>'untilMs')::bigint`;
  const rows = await db
    .selectFrom("approvals as own")
    .innerJoin("repositories", "repositories.repository_id", "own.repository_id")
    .innerJoin("pulls", (join) => join.on(isSamePull("pulls", "own")))
    .where(isReadable("own.repository_id", repositoryIds))
    .where("own.revoked_at", "is", null)
    .where("own.lapsed_at", "is", null)
    .where("pulls.merged_at", "is not", null)
    .where(end, ">", after.getTime())
    .select(["own.repository_id as repositoryId", "own.number", "pulls.title", "own.approval"])
    .select([
      "repositories.figures",
      sql<string>`repositories.owner_login || '/' || repositories.name`.as("repository"),
    ])
    .orderBy(end)
    .orderBy("own.approval_id")
    .limit(limit)
    .execute();
  return rows.flatMap(({ approval, figures, ...pull }) => {
    const read = storedApproval.read(approval);
    if (read.state !== "read") return [];
    const { approver, upTo, untilMs = 0, reason } = read.value;
    return [{ ...pull, approver: approver.login, upTo: figures ? upTo : null, untilMs, reason }];
  });
}
