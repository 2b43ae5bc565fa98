import { type SelectQueryBuilder, sql } from "kysely";

/** How many rows a query finds. */
export async function countFound<DB, TB extends keyof DB>(
  found: SelectQueryBuilder<DB, TB, object>,
): Promise<number> {
  const total = sql<number>`count(*)`.as("total");
  const row = await found.select(total).$castTo<{ total: number }>().executeTakeFirstOrThrow();
  return row.total;
}

/**
 * Returns the total number of items of a list. Counts them only where the page does not show the end: it is
 * full, or beyond the end.
 */
export function countTotal(
  { limit, offset }: { readonly limit: number; readonly offset: number },
  { length }: readonly unknown[],
  count: () => Promise<number>,
): Promise<number> | number {
  const endsHere = length < limit && (length > 0 || offset === 0);
  return endsHere ? offset + length : count();
}
