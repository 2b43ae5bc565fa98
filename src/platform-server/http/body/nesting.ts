/**
 * How deep lists and objects may lie in one another in what a caller sends: deeper than anybody writes, and far from where
 * writing them out again ends the stack.
 */
export const MAX_NESTING = 100;

export const TOO_NESTED = `is nested more than ${MAX_NESTING} levels deep`;
export const TOO_MANY_PARTS = "has too many lists, objects and members for its size";

/** Whether lists and objects lie deeper in one another than `levels`. */
export function isNestedDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isNestedDeeperThan(member, levels - 1));
}
