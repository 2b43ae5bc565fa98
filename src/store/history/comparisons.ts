import { type Kysely, sql } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import type { Decimal } from "../../kernel/money.ts";
import type { Tables } from "../tables/tables.ts";
import type { TimeSpan } from "./merged-changes.ts";
import { isReadable, type RepositoryIds } from "./readable.ts";

/** The estimate of a merged pull request and the actual cost, in one currency, per month. */
export interface Comparison extends PullKey {
  /** `owner/name`, for display and addresses. */
  readonly repository: string;
  /** Null: unknown. */
  readonly title: string | null;
  readonly currency: string;
  readonly estimated: Decimal;
  readonly actual: Decimal;
  /** The actual cost less the estimate. */
  readonly difference: Decimal;
  /** The difference in percent of the estimate, rounded to two places; null: the estimate is zero. */
  readonly percent: Decimal | null;
  /** Days between the merge and the comparison. */
  readonly days: number;
  /** Number of compared workspaces, and of those that the pull request touched. */
  readonly compared: number;
  readonly workspaces: number;
  readonly comparedAt: Date;
}

/** Compares estimates with actual costs, the newest first; repositories whose readers may not see figures are not in it. */
export async function listComparisons(
  db: Kysely<Tables>,
  repositoryIds: RepositoryIds,
  { from, to, limit }: TimeSpan & { readonly limit: number },
): Promise<readonly Comparison[]> {
  return db
    .selectFrom("merge_comparisons as own")
    .innerJoin("repositories", "repositories.repository_id", "own.repository_id")
    .leftJoin("pulls", (join) =>
      join.onRef("pulls.repository_id", "=", "own.repository_id").onRef("pulls.number", "=", "own.number"),
    )
    .where(isReadable("own.repository_id", repositoryIds))
    .where("repositories.figures", "=", true)
    .where("own.compared_at", ">=", from)
    .where("own.compared_at", "<", to)
    .select(["own.repository_id as repositoryId", "own.number", "pulls.title", "own.currency"])
    .select(sql<string>`repositories.owner_login || '/' || repositories.name`.as("repository"))
    .select([decimalOf("own.estimated").as("estimated"), decimalOf("own.actual").as("actual")])
    .select(sql<Decimal>`trim_scale(own.actual - own.estimated)::text`.as("difference"))
    .select(PERCENT.as("percent"))
    .select(["own.days", "own.compared", "own.workspaces", "own.compared_at as comparedAt"])
    .orderBy("own.compared_at", "desc")
    .orderBy("own.repository_id")
    .orderBy("own.number", "desc")
    .orderBy("own.currency")
    .limit(limit)
    .execute();
}

const decimalOf = (column: string) => sql<Decimal>`trim_scale(${sql.ref(column)})::text`;

const PERCENT = sql<Decimal | null>`case when own.estimated = 0 then null
  else trim_scale(round((own.actual - own.estimated) * 100 / abs(own.estimated), 2))::text end`;
