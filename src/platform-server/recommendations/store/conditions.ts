import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely";
import { type TextTest, textCondition } from "../../area/text-condition.ts";
import type { RecommendationTables, TextColumn } from "./tables.ts";

/** A condition on one recommendation. */
export type Condition =
  | { readonly on: TextColumn; readonly test: TextTest }
  | { readonly label: LabelName; readonly test: TextTest }
  /** The recommendation has parts. */
  | { readonly has: "parts" }
  /** The amount is strictly above; an unknown amount is not. */
  | { readonly amount: "saving" | "monthly_cost"; readonly above: number }
  /** The time is in the range, both ends inclusive, in ms since 1970; an unknown time is in no range. */
  | { readonly time: TimeColumn; readonly from?: number; readonly to?: number }
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] };

export type TimeColumn = "applied_ms" | "created_ms" | "processed_ms" | "generated_ms" | "updated_ms";
export type LabelName = Pick<
  Selectable<RecommendationTables["platform_recommendation_labels"]>,
  "kind" | "key"
>;

type Sql = RawBuilder<SqlBool>;

/** Returns the condition as SQL on rows of `platform_recommendations as r`. */
export function buildConditionSql(condition: Condition): Sql {
  if ("on" in condition) return buildTextSql(sql.ref(`r.${condition.on}`), condition.test);
  if ("label" in condition) return buildLabelSql(condition.label, condition.test);
  if ("has" in condition) return HAS_PARTS;
  if ("amount" in condition)
    return sql`${sql.ref(`r.${condition.amount}`)} > ${String(condition.above)}::numeric`;
  if ("time" in condition) return buildTimeSql(sql.ref(`r.${condition.time}`), condition);
  const [parts, word] = "all" in condition ? [condition.all, sql` and `] : [condition.any, sql` or `];
  if (parts.length === 0) return "all" in condition ? sql`true` : sql`false`;
  return sql`(${sql.join(parts.map(buildConditionSql), word)})`;
}

const HAS_PARTS: Sql = sql`exists (select 1 from platform_recommendations as part
  where part.account = r.account and part.parent_id = r.id)`;

function buildTimeSql(
  column: RawBuilder<unknown>,
  range: { readonly from?: number; readonly to?: number },
): Sql {
  const { from, to } = range;
  if (from === undefined && to === undefined) return sql`${column} is not null`;
  if (to === undefined) return sql`${column} >= ${from}::bigint`;
  if (from === undefined) return sql`${column} <= ${to}::bigint`;
  return sql`${column} between ${from}::bigint and ${to}::bigint`;
}

/** As `textCondition`, but `SEARCH` knows letters beyond ASCII as far as the database's locale does. */
const buildTextSql = (text: RawBuilder<unknown>, test: TextTest): Sql =>
  test.operator === "SEARCH" ? buildContainsSql(text, test.values) : textCondition(text, test);

/** Returns SQL for: the text contains one of the values, case-insensitively. */
export const buildContainsSql = (text: RawBuilder<unknown>, values: readonly string[]): Sql =>
  sql`exists (select 1 from unnest(${[...values]}::text[]) as wanted(part)
    where position(lower(wanted.part collate "default") in lower(${text} collate "default")) > 0)`;

function buildLabelSql({ kind, key }: LabelName, test: TextTest): Sql {
  const has = (condition: Sql): Sql => sql`exists (select 1 from platform_recommendation_labels as l
    where l.account = r.account and l.id = r.id and l.kind = ${kind} and l.key = ${key} and ${condition})`;
  if (test.operator === "NULL") return sql`not ${has(sql`true`)}`;
  if (test.operator === "NOT_IN")
    return sql`not ${has(buildTextSql(sql.ref("l.value"), { ...test, operator: "IN" }))}`;
  return has(buildTextSql(sql.ref("l.value"), test));
}
