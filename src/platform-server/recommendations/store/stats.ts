import { type Kysely, sql } from "kysely";
import { countFound } from "../../area/count-found.ts";
import type { Sql } from "../../area/perspective-filter.ts";
import { selectMatchingRecommendations } from "./rows.ts";
import type { RecommendationTables } from "./tables.ts";

/** Returns the number of recommendations that meet a condition. */
export function countRecommendations(
  db: Kysely<RecommendationTables>,
  account: string,
  condition: Sql,
): Promise<number> {
  return countFound(selectMatchingRecommendations(db, account, condition));
}

/**
 * Returns the numbers by resource type, with the savings of applied recommendations; `saving` is null where
 * none is known.
 */
export function readAppliedStats(
  db: Kysely<RecommendationTables>,
  account: string,
  condition: Sql,
): Promise<{ resource_type: string; found: number; saving: number | null }[]> {
  return selectMatchingRecommendations(db, account, condition)
    .where("r.state", "=", "APPLIED")
    .select([
      "r.resource_type",
      sql<number>`count(*)`.as("found"),
      sql<number | null>`sum(coalesce(r.applied_savings, r.saving))::float8`.as("saving"),
    ])
    .groupBy("r.resource_type")
    .orderBy("r.resource_type")
    .execute();
}

/** A column whose values are offered for filters. */
export type ValueColumn = "resource_name" | "resource_type" | "namespace" | "cluster_name";

/** Returns the distinct values of a column among the recommendations that meet a condition, in order. */
export async function listColumnValues(
  db: Kysely<RecommendationTables>,
  account: string,
  query: { readonly column: ValueColumn; readonly condition: Sql; readonly limit: number },
): Promise<string[]> {
  const rows = await selectMatchingRecommendations(db, account, query.condition)
    .where(`r.${query.column}`, "is not", null)
    .select(sql<string>`${sql.ref(`r.${query.column}`)}`.as("value"))
    .distinct()
    .orderBy("value")
    .limit(query.limit)
    .execute();
  return rows.map(({ value }) => value);
}
