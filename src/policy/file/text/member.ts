/** A member of an external value; undefined: the value is no mapping, or has no own member of that name. */
export function readMember(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<PropertyKey, unknown>>)[key]; // an object that has it
}
