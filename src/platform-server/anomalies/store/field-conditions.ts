import { type Expression, type SqlBool, sql } from "kysely";
import type { TextColumns } from "./tables.ts";

export type TextColumn = keyof TextColumns;

/** Where a condition looks: a column, the value of a tag, or the bucket of a cost category. */
export type FieldSource =
  | { readonly kind: "column"; readonly column: TextColumn }
  | { readonly kind: "tag"; readonly key: string }
  | { readonly kind: "category"; readonly name: string };

/**
 * `IN`, `EQUALS`: one of the values. `NOT_IN`: none of them, or nothing. `LIKE`: a pattern with `%` and `_`. `SEARCH`:
 * contains one, A to Z in either case. `NULL`, `NOT_NULL`: has no value, has one.
 */
export interface FieldCondition {
  readonly place: FieldSource;
  readonly operator: "NOT_IN" | "IN" | "EQUALS" | "NOT_NULL" | "NULL" | "LIKE" | "SEARCH";
  readonly values: readonly string[];
}

type Compare = (found: Expression<unknown>, values: readonly string[]) => Expression<SqlBool>;

const isOneOf: Compare = (found, values) => sql<SqlBool>`${found} = any(${[...values]}::text[])`;

const COMPARE: Readonly<Record<FieldCondition["operator"], Compare>> = {
  IN: isOneOf,
  EQUALS: isOneOf,
  NOT_IN: (found, values) => sql<SqlBool>`(${found} is null or not ${found} = any(${[...values]}::text[]))`,
  // Without an escape character no pattern is invalid.
  LIKE: (found, values) =>
    sql<SqlBool>`exists (select 1 from unnest(${[...values]}::text[]) as wanted(text)
      where ${found} like wanted.text escape '')`,
  // "C" folds A to Z and nothing else, on every engine alike.
  SEARCH: (found, values) =>
    sql<SqlBool>`exists (select 1 from unnest(${[...values]}::text[]) as wanted(text)
      where strpos(lower(${found} collate "C"), lower(wanted.text collate "C")) > 0)`,
  NULL: (found) => sql<SqlBool>`${found} is null`,
  NOT_NULL: (found) => sql<SqlBool>`${found} is not null`,
};

function find(place: FieldSource): Expression<unknown> {
  if (place.kind === "column") return sql.ref(`platform_anomalies.${place.column}`);
  if (place.kind === "tag") return sql`(platform_anomalies.tags ->> ${place.key}::text)`;
  return sql`(select min(one ->> 'costBucket') from jsonb_array_elements(platform_anomalies.cost_categories) as one
    where one ->> 'costCategory' = ${place.name})`;
}

/** The condition as SQL over `platform_anomalies`. */
export const fieldCondition = ({ place, operator, values }: FieldCondition): Expression<SqlBool> =>
  COMPARE[operator](find(place), values);
