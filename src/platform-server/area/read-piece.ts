import { type SelectQueryBuilder, sql } from "kysely";

/** A piece of a list: how many rows it has, and how many are before it. */
export interface Piece {
  readonly limit: number;
  readonly offset: number;
}

/** Reads a piece of what an ordered query finds, and how many rows the query finds in all. */
export async function readPiece<DB, TB extends keyof DB, Row extends object>(
  found: SelectQueryBuilder<DB, TB, Row>,
  piece: Piece,
): Promise<{ readonly rows: Row[]; readonly total: number }> {
  const rows = await found.limit(piece.limit).offset(piece.offset).execute();
  const total = await countTotal(piece, rows, () => countFound(found.clearSelect().clearOrderBy()));
  return { rows, total };
}

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
