import { type RawBuilder, sql } from "kysely";

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

/** A text of a billing row. A column with a cloud is null in rows of other clouds. */
export type BillingText =
  | { readonly kind: "column"; readonly column: TextColumn; readonly cloud: string | null }
  | { readonly kind: "label" | "cost_category"; readonly key: string };

export type TextOperator = "NOT_IN" | "IN" | "EQUALS" | "NOT_NULL" | "NULL" | "LIKE" | "SEARCH";

/** Which billing rows are meant. `all` of nothing is every row, `any` of nothing is none. */
export type BillingCondition =
  | { readonly kind: "all" | "any"; readonly of: readonly BillingCondition[] }
  | {
      readonly kind: "text";
      readonly text: BillingText;
      readonly operator: TextOperator;
      readonly values: readonly string[];
    }
  /** When the usage began, both ends included, milliseconds since 1970; null: no end. */
  | { readonly kind: "time"; readonly from: number | null; readonly to: number | null };

/** The condition over the columns of `platform_billing_rows`. Never null, so that it can be combined. */
export function conditionSql(condition: BillingCondition): RawBuilder<boolean> {
  if (condition.kind === "text") return textSql(condition);
  if (condition.kind === "time") return timeSql(condition);
  const empty = condition.kind === "all" ? sql`true` : sql`false`;
  const word = condition.kind === "all" ? sql` and ` : sql` or `;
  const parts = condition.of.map(conditionSql);
  return parts.length === 0 ? sql`(${empty})` : sql`(${sql.join(parts, word)})`;
}

/** The text's SQL; null where a row has none. */
export function billingText(text: BillingText): RawBuilder<string | null> {
  if (text.kind !== "column") {
    const map = text.kind === "label" ? sql.ref("labels") : sql.ref("cost_categories");
    return sql`(${map} ->> ${text.key})`;
  }
  const column = sql.ref<string | null>(text.column);
  return text.cloud === null
    ? sql`${column}`
    : sql`(case when cloud_provider = ${text.cloud} then ${column} end)`;
}

type TextCondition = Extract<BillingCondition, { kind: "text" }>;

function textSql({ text, operator, values }: TextCondition): RawBuilder<boolean> {
  const found = billingText(text);
  const among = sql`${values}::text[]`;
  const compare: Readonly<Record<TextOperator, () => RawBuilder<boolean>>> = {
    IN: () => sql`coalesce(${found} = any(${among}), false)`,
    EQUALS: () => sql`coalesce(${found} = any(${among}), false)`,
    NOT_IN: () => sql`coalesce(${found} <> all(${among}), true)`,
    NULL: () => sql`(${found} is null)`,
    NOT_NULL: () => sql`(${found} is not null)`,
    // No escape character: with one, a pattern that ends in it would be an error.
    LIKE: () => sql`exists (select 1 from unnest(${among}) as p(t) where ${found} like p.t escape '')`,
    // "C" folds the letters a to z alone, on every database alike.
    SEARCH: () =>
      sql`exists (select 1 from unnest(${among}) as p(t)
        where position(lower(p.t collate "C") in lower(${found} collate "C")) > 0)`,
  };
  return compare[operator]();
}

function timeSql({ from, to }: Extract<BillingCondition, { kind: "time" }>): RawBuilder<boolean> {
  const start = from === null ? sql`true` : sql`start_ms >= ${from}`;
  const end = to === null ? sql`true` : sql`start_ms <= ${to}`;
  return sql`(${start} and ${end})`;
}
