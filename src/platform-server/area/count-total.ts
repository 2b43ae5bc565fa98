/** How many items a list has in all. They are counted only where the piece that was read does not tell: it is full, or beyond the end. */
export function countTotal(
  { limit, offset }: { readonly limit: number; readonly offset: number },
  { length }: readonly unknown[],
  count: () => Promise<number>,
): Promise<number> | number {
  const endsHere = length < limit && (length > 0 || offset === 0);
  return endsHere ? offset + length : count();
}
