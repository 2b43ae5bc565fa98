/** JSON text with the keys of each object in order: equal for equal values, also when a database returned their keys in another order. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sortKeys(value));

/** A copy with sorted keys. A replacer of `JSON.stringify` that sorts them takes half as long again. */
function sortKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("toJSON" in value && typeof value.toJSON === "function") return sortKeys(value.toJSON());
  if (Array.isArray(value)) return value.map(sortKeys);
  const sorted = Object.entries(value).sort(compareKeys);
  return Object.fromEntries(sorted.map(([key, member]) => [key, sortKeys(member)]));
}

const compareKeys = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : 1;
