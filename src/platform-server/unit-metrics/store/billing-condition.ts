import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type TextTest, textCondition } from "../../area/text-condition.ts";

export const TEXT_COLUMNS = [
  "currency",
  "cloud_provider",
  "cloud_account",
  "region",
  "product",
  "usage_type",
  "instance_type",
  "resource",
  "resource_group",
  "cluster_name",
  "namespace",
  "workload_name",
] as const;
export type TextColumn = (typeof TEXT_COLUMNS)[number];

/** A text of a billing row. A column of one cloud is null in rows of other clouds. */
export type BillingText =
  | { readonly kind: "column"; readonly column: TextColumn; readonly cloud: string | null }
  | { readonly kind: "label" | "cost_category"; readonly key: string };

/** A condition on billing rows. `all` of an empty list matches every row, `any` of an empty list none. */
export type BillingCondition =
  | { readonly kind: "all" | "any"; readonly of: readonly BillingCondition[] }
  | ({ readonly kind: "text"; readonly text: BillingText } & TextTest)
  /** The start of usage, both ends inclusive, ms since 1970; null: unbounded. */
  | { readonly kind: "time"; readonly from: number | null; readonly to: number | null };

/** The condition over the columns of `platform_billing_rows`. */
export function buildBillingSql(condition: BillingCondition): RawBuilder<SqlBool> {
  if (condition.kind === "text") return textCondition(selectBillingText(condition.text), condition);
  if (condition.kind === "time") return buildTimeSql(condition);
  const empty = condition.kind === "all" ? sql`true` : sql`false`;
  const word = condition.kind === "all" ? sql` and ` : sql` or `;
  const parts = condition.of.map(buildBillingSql);
  return parts.length === 0 ? sql`(${empty})` : sql`(${sql.join(parts, word)})`;
}

/** Returns the text's SQL; null where a row has none. */
export function selectBillingText(text: BillingText): RawBuilder<string | null> {
  if (text.kind !== "column") {
    const map = text.kind === "label" ? sql.ref("labels") : sql.ref("cost_categories");
    return sql`(${map} ->> ${text.key})`;
  }
  const column = sql.ref<string | null>(text.column);
  return text.cloud === null
    ? sql`${column}`
    : sql`(case when cloud_provider = ${text.cloud} then ${column} end)`;
}

function buildTimeSql({ from, to }: Extract<BillingCondition, { kind: "time" }>): RawBuilder<SqlBool> {
  const start = from === null ? sql`true` : sql`start_ms >= ${from}`;
  const end = to === null ? sql`true` : sql`start_ms <= ${to}`;
  return sql`(${start} and ${end})`;
}
