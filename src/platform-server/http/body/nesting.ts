/**
 * Largest nesting depth of lists and objects in a caller's data: deeper than any real data, and far below the
 * depth at which serialising it overflows the stack.
 */
export const MAX_NESTING = 100;

export const TOO_NESTED = `is nested more than ${MAX_NESTING} levels deep`;
export const TOO_MANY_VALUES = "has too many lists, objects and members for its size";

/** Whether lists and objects are nested deeper than `levels`. */
export function isNestedDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isNestedDeeperThan(member, levels - 1));
}
