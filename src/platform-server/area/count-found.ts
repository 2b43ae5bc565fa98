import { type SelectQueryBuilder, sql } from "kysely";

/** How many rows a query finds. */
export async function countFound<DB, TB extends keyof DB>(
  found: SelectQueryBuilder<DB, TB, object>,
): Promise<number> {
  const total = sql<number>`count(*)`.as("total");
  const row = await found.select(total).$castTo<{ total: number }>().executeTakeFirstOrThrow();
  return row.total;
}
