/** Largest nesting depth of lists and objects in a caller's data: deeper than any real data, and far below where serialising overflows the stack. */
export const MAX_NESTING = 100;

export const TOO_NESTED = `is nested more than ${MAX_NESTING} levels deep`;
export const TOO_MANY_VALUES = "has too many lists, objects and members for its size";

export function isNestedDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isNestedDeeperThan(member, levels - 1));
}

/** Whether a text of the value contains U+0000, which the database cannot store. */
export function hasNul(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\u0000");
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, member]) => hasNul(key) || hasNul(member));
}
