import { createChangeRule } from "./count-rule.ts";

/** Everything that the plan does: each creation, change, deletion, import and removal from the state; a replacement is two. */
export const changes = createChangeRule(
  { parts: [], rows: ["deleted", "replaced", "removed", "imported", "added", "changed"] },
  ({ added, changed, deleted, imported, removed }) => added + changed + deleted + imported + removed,
);
