/** A member of a value read from outside; undefined: it is no mapping, or has none of that name of its own. */
export function memberOf(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<PropertyKey, unknown>>)[key]; // an object that has it
}
