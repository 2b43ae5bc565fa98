import { type Expression, type Kysely, type SqlBool, sql } from "kysely";
import { buildTimeConditions, type TimeCondition } from "../../area/time-conditions.ts";
import { buildFieldCondition, type FieldCondition } from "./field-conditions.ts";
import type { AnomalyTables, TextColumn } from "./tables.ts";

/** Criteria for the anomalies of an account; an anomaly must meet every member. */
export interface AnomalyCriteria {
  readonly account: string;
  /** The column has one of these texts; an empty list matches everything. */
  readonly oneOf: Readonly<Partial<Record<TextColumn, readonly string[]>>>;
  /** Folded; the anomaly's folded texts contain one of them. Empty: everything. */
  readonly searches: readonly string[];
  /**
   * The anomaly is in one of these buckets; `bucket` null: in any bucket of the category. Empty: everything.
   */
  readonly categories: readonly { readonly category: string; readonly bucket: string | null }[];
  /** The anomaly is in one of these categories. Empty: everything. */
  readonly categoryNames: readonly string[];
  /** The anomaly has all of these tags. */
  readonly tags: Readonly<Record<string, string>>;
  /** Minimum amount; null: no minimum. */
  readonly minActualAmount: number | null;
  readonly minAnomalousSpend: number | null;
  /** Conditions on the time of the anomaly's start. */
  readonly times: readonly TimeCondition[];
  readonly conditions: readonly FieldCondition[];
  /** Lists of conditions: all conditions of at least one list must be true. Empty: everything. */
  readonly rules: readonly (readonly FieldCondition[])[];
  readonly includesAllowListed: boolean;
}

/** Returns a query for the matching anomalies. */
export const selectMatchingAnomalies = (db: Kysely<AnomalyTables>, criteria: AnomalyCriteria) =>
  db
    .selectFrom("platform_anomalies")
    .where("platform_anomalies.account", "=", criteria.account)
    .where((eb) =>
      eb.and([
        ...buildPlainConditions(criteria),
        ...buildListConditions(criteria),
        ...buildNestedConditions(criteria),
      ]),
    );

function* buildPlainConditions(criteria: AnomalyCriteria): Iterable<Expression<SqlBool>> {
  yield* buildTimeConditions(criteria.times);
  yield* criteria.conditions.map(buildFieldCondition);
  if (criteria.rules.length > 0)
    yield sql<SqlBool>`(${sql.join(criteria.rules.map(joinConditions), sql` or `)})`;
  if (!criteria.includesAllowListed) yield sql<SqlBool>`not allow_listed`;
  if (criteria.minActualAmount !== null)
    yield sql<SqlBool>`actual_amount >= ${formatDecimal(criteria.minActualAmount)}::numeric`;
  if (criteria.minAnomalousSpend !== null)
    yield sql<SqlBool>`anomalous_spend >= ${formatDecimal(criteria.minAnomalousSpend)}::numeric`;
}

function* buildListConditions({ oneOf, searches }: AnomalyCriteria): Iterable<Expression<SqlBool>> {
  for (const [column, texts] of Object.entries(oneOf))
    if (texts.length > 0)
      yield sql<SqlBool>`${sql.ref(`platform_anomalies.${column}`)} = any(${[...texts]}::text[])`;
  if (searches.length > 0)
    yield sql<SqlBool>`exists (select 1 from unnest(${[...searches]}::text[]) as wanted(text)
      where strpos(platform_anomalies.search, wanted.text) > 0)`;
}

function* buildNestedConditions({
  categories,
  categoryNames,
  tags,
}: AnomalyCriteria): Iterable<Expression<SqlBool>> {
  if (categoryNames.length > 0) yield buildBucketCondition(categoryNames, null);
  if (categories.length > 0) {
    const names = categories.map(({ category }) => category);
    yield buildBucketCondition(
      names,
      categories.map(({ bucket }) => bucket ?? ANY_BUCKET),
    );
  }
  for (const [key, value] of Object.entries(tags))
    yield sql<SqlBool>`platform_anomalies.tags ->> ${key}::text = ${value}`;
}

/** No bucket is called so: names are never empty. */
const ANY_BUCKET = "";

function buildBucketCondition(
  names: readonly string[],
  buckets: readonly string[] | null,
): Expression<SqlBool> {
  const wanted = [...(buckets ?? names.map(() => ANY_BUCKET))];
  return sql<SqlBool>`exists (select 1 from jsonb_array_elements(platform_anomalies.cost_categories) as one
    join unnest(${[...names]}::text[], ${wanted}::text[]) as wanted(category, bucket)
      on one ->> 'costCategory' = wanted.category
      and (wanted.bucket = ${ANY_BUCKET} or one ->> 'costBucket' = wanted.bucket))`;
}

const joinConditions = (rule: readonly FieldCondition[]): Expression<SqlBool> =>
  rule.length === 0
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(${sql.join(rule.map(buildFieldCondition), sql` and `)})`;

// A driver would send a double; its shortest text compares exactly with the decimals that are stored.
const formatDecimal = (value: number): string => `${value}`;
