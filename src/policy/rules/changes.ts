import { createChangeRule } from "./count-rule.ts";

/**
 * Limits all planned changes: each creation, update, deletion, import and removal from the state. A
 * replacement counts as two.
 */
export const changes = createChangeRule(
  { parts: [], rows: ["deleted", "replaced", "removed", "imported", "added", "changed"] },
  ({ added, changed, deleted, imported, removed }) => added + changed + deleted + imported + removed,
);
