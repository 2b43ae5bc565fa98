/** Returns the value at a path; undefined when it does not exist. */
export function getAtPath(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, name) =>
      typeof found === "object" && found !== null && Object.hasOwn(found, name)
        ? (found as Readonly<Record<string, unknown>>)[name] // it has this member
        : undefined,
    value,
  );
}

/** Returns a copy of an object with another value at a path. */
export function withAt(value: unknown, path: readonly string[], member: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return member;
  const own = typeof value === "object" && value !== null ? value : {};
  return { ...own, [name]: withAt(getAtPath(own, [name]), rest, member) };
}
