import { type Expression, type SqlBool, sql } from "kysely";
import { type TextTest, textCondition } from "../../area/text-condition.ts";
import type { TextColumn } from "./tables.ts";

/** The source of a condition's value: a column, the value of a tag, or the bucket of a cost category. */
export type FieldSource =
  | { readonly kind: "column"; readonly column: TextColumn }
  | { readonly kind: "tag"; readonly key: string }
  | { readonly kind: "category"; readonly name: string };

export interface FieldCondition extends TextTest {
  readonly place: FieldSource;
}

function find(place: FieldSource): Expression<unknown> {
  if (place.kind === "column") return sql.ref(`platform_anomalies.${place.column}`);
  if (place.kind === "tag") return sql`(platform_anomalies.tags ->> ${place.key}::text)`;
  return sql`(select min(one ->> 'costBucket') from jsonb_array_elements(platform_anomalies.cost_categories) as one
    where one ->> 'costCategory' = ${place.name})`;
}

/** Returns the condition as SQL over `platform_anomalies`. */
export const buildFieldCondition = ({ place, ...test }: FieldCondition): Expression<SqlBool> =>
  textCondition(find(place), test);
