import { type Kysely, sql } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import type { Decimal } from "../../kernel/money.ts";
import type { Tables } from "../tables/tables.ts";
import type { TimeSpan } from "./merged-changes.ts";
import { isReadable, type RepositoryIds } from "./readable.ts";

/** Recommendations that merged pull requests carried out, in one currency. */
export interface SavingsSum {
  readonly currency: string;
  /** Per month. */
  readonly savings: Decimal;
  readonly recommendations: number;
  readonly pulls: number;
  /** Number of those that the platform marked as applied. */
  readonly marked: number;
}

/** A recommendation that a merged pull request carried out. */
export interface AppliedSaving extends PullKey {
  /** `owner/name`, for display and addresses. */
  readonly repository: string;
  /** Null: unknown. */
  readonly title: string | null;
  readonly recommendationId: string;
  /** Per month. */
  readonly savings: Decimal;
  readonly currency: string;
  readonly state: "found" | "audited" | "marked" | "refused";
  readonly updatedAt: Date;
}

/** Sums up the savings of these repositories by currency; those whose readers may not see figures are not in it. */
export async function sumSavings(
  db: Kysely<Tables>,
  repositoryIds: RepositoryIds,
  span: TimeSpan,
): Promise<readonly SavingsSum[]> {
  return selectSavings(db, repositoryIds, span)
    .select(["applied.currency", sql<Decimal>`trim_scale(sum(applied.savings::numeric))::text`.as("savings")])
    .select(({ fn }) => fn.countAll<number>().as("recommendations"))
    .select(sql<number>`count(distinct (applied.repository_id, applied.number))`.as("pulls"))
    .select(sql<number>`count(*) filter (where applied.state = 'marked')`.as("marked"))
    .groupBy("applied.currency")
    .orderBy("applied.currency")
    .execute();
}

/** Lists the savings of these repositories, newest first. */
export async function listSavings(
  db: Kysely<Tables>,
  repositoryIds: RepositoryIds,
  { limit, ...span }: TimeSpan & { readonly limit: number },
): Promise<readonly AppliedSaving[]> {
  return selectSavings(db, repositoryIds, span)
    .leftJoin("pulls", (join) =>
      join
        .onRef("pulls.repository_id", "=", "applied.repository_id")
        .onRef("pulls.number", "=", "applied.number"),
    )
    .select(["applied.repository_id as repositoryId", "applied.number", "pulls.title"])
    .select(sql<string>`repositories.owner_login || '/' || repositories.name`.as("repository"))
    .select(["applied.recommendation_id as recommendationId", "applied.currency", "applied.state"])
    .select([sql<Decimal>`applied.savings`.as("savings"), "applied.updated_at as updatedAt"])
    .orderBy("applied.updated_at", "desc")
    .orderBy("applied.recommendation_id")
    .limit(limit)
    .execute();
}

const selectSavings = (db: Kysely<Tables>, repositoryIds: RepositoryIds, { from, to }: TimeSpan) =>
  db
    .selectFrom("applied_recommendations as applied")
    .innerJoin("repositories", "repositories.repository_id", "applied.repository_id")
    .where(isReadable("applied.repository_id", repositoryIds))
    .where("repositories.figures", "=", true)
    .where("applied.updated_at", ">=", from)
    .where("applied.updated_at", "<", to);
