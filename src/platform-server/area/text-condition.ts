import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { ViewOperator } from "../../platform/contract/shapes/perspective-filter.ts";

/** What a filter of a perspective asks of a text. `NULL` and `NOT_NULL` look at no values. */
export interface TextTest {
  readonly operator: ViewOperator;
  readonly values: readonly string[];
}

/**
 * A test as SQL over a text. `IN`, `EQUALS`: one of the values. `NOT_IN`: none of them, or no text. `LIKE`: a pattern with `%` and
 * `_`. `SEARCH`: contains one, A to Z in either case. `NULL`, `NOT_NULL`: there is no text, there is one.
 */
export function textCondition(
  text: Expression<unknown>,
  { operator, values }: TextTest,
): RawBuilder<SqlBool> {
  const wanted = sql`${[...values]}::text[]`;
  switch (operator) {
    case "IN":
    case "EQUALS":
      return sql`${text} = any(${wanted})`;
    case "NOT_IN":
      return sql`(${text} = any(${wanted})) is not true`;
    case "LIKE":
      // Without an escape character no pattern is invalid.
      return sql`exists (select 1 from unnest(${wanted}) as wanted(text) where ${text} like wanted.text escape '')`;
    case "SEARCH":
      // "C" folds A to Z and nothing else, on every engine alike.
      return sql`exists (select 1 from unnest(${wanted}) as wanted(text)
        where strpos(lower(${text} collate "C"), lower(wanted.text collate "C")) > 0)`;
    case "NULL":
      return sql`${text} is null`;
    case "NOT_NULL":
      return sql`${text} is not null`;
  }
}
