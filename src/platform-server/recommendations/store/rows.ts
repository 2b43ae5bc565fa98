import { type Kysely, type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from "kysely";
import { countFound } from "../../area/count-found.ts";
import type { Sql } from "../../area/perspective-filter.ts";
import type { RecommendationTables } from "./tables.ts";

type AmountColumn = "monthly_saving" | "monthly_cost" | "overridden_savings" | "applied_savings";
type ComputedColumn =
  | "state_set"
  | "verification_set"
  | "savings_set"
  | "saving"
  | "generated_ms"
  | "resource_key";

/**
 * A recommendation as read from the store, with amounts as numbers. `item`: JSON text of the members that are
 * only shown.
 */
export type RecommendationRow = Omit<
  Selectable<RecommendationTables["platform_recommendations"]>,
  AmountColumn | ComputedColumn
> &
  Record<AmountColumn, number | null> & { readonly item: string };

/** A sort order. Rows without a value come last in both directions; equal rows are ordered by id. */
export interface Order {
  readonly by: "saving" | "monthly_cost" | "applied_ms" | "resource_type";
  readonly direction: "asc" | "desc";
}

/**
 * Returns a query on `platform_recommendations as r` for the recommendations of an account that meet a
 * condition.
 */
export const selectMatchingRecommendations = (
  db: Kysely<RecommendationTables>,
  account: string,
  condition: Sql,
) => db.selectFrom("platform_recommendations as r").where("r.account", "=", account).where(condition);

const COLUMNS = [
  ...([
    "account",
    "id",
    "resource_type",
    "state",
    "family",
    "parent_id",
    "verification_status",
    "variance_notes",
  ] as const),
  ...(["cloud_provider", "cloud_account_id", "cloud_account_name", "region", "cluster_name"] as const),
  ...(["namespace", "resource_name", "resource_id", "resource_group", "instance_type"] as const),
  ...(["cs_cluster_name", "cs_launch_type", "governance_rule_name", "perspective_id"] as const),
  ...(["applied_by_user_id", "applied_by_user_name", "applied_ms", "created_ms", "processed_ms"] as const),
  "updated_ms" as const,
];

type Query = SelectQueryBuilder<
  RecommendationTables & { r: RecommendationTables["platform_recommendations"] },
  "r",
  Record<never, never>
>;

const selectColumns = (query: Query) =>
  query
    .select(COLUMNS.map((column) => `r.${column}` as const))
    .select([
      selectAmount("monthly_saving").as("monthly_saving"),
      selectAmount("monthly_cost").as("monthly_cost"),
      selectAmount("overridden_savings").as("overridden_savings"),
      selectAmount("applied_savings").as("applied_savings"),
    ]);

const selectAmount = (column: AmountColumn): RawBuilder<number | null> =>
  sql<number | null>`${sql.ref(`r.${column}`)}::float8`;

/** Returns one page of the recommendations that meet a condition. */
export async function listRecommendations(
  db: Kysely<RecommendationTables>,
  account: string,
  page: {
    readonly condition: Sql;
    readonly order: Order;
    readonly offset: number;
    readonly limit: number;
  },
): Promise<RecommendationRow[]> {
  const { by, direction } = page.order;
  const column = sql.ref(`r.${by}`);
  const rows = await selectColumns(selectMatchingRecommendations(db, account, page.condition))
    .orderBy(direction === "asc" ? sql`${column} asc nulls last` : sql`${column} desc nulls last`)
    .orderBy("r.id")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return withItems(db, account, rows);
}

/** Returns recommendations whose resource may be one of these, ordered by id; see `resource_key`. */
export async function findRecommendationsByKey(
  db: Kysely<RecommendationTables>,
  account: string,
  wanted: { readonly keys: readonly string[]; readonly condition: Sql; readonly limit: number },
): Promise<RecommendationRow[]> {
  const rows = await selectColumns(selectMatchingRecommendations(db, account, wanted.condition))
    .where("r.resource_key", "=", sql<string>`any(${[...wanted.keys]}::text[])`)
    .orderBy("r.id")
    .limit(wanted.limit)
    .execute();
  return withItems(db, account, rows);
}

async function withItems<Row extends { readonly id: string }>(
  db: Kysely<RecommendationTables>,
  account: string,
  rows: readonly Row[],
): Promise<(Row & { item: string })[]> {
  if (rows.length === 0) return [];
  const items = await db
    .selectFrom("platform_recommendation_items")
    .select(["id", "item"])
    .where("account", "=", account)
    .where("id", "=", sql<string>`any(${rows.map(({ id }) => id)}::text[])`)
    .execute();
  const byId = new Map(items.map(({ id, item }) => [id, item]));
  return rows.map((row) => ({ ...row, item: byId.get(row.id) ?? "{}" }));
}

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
