import { changeRule } from "./count-rule.ts";

/** Everything that the plan does: each creation, change, deletion, import and removal from the state; a replacement is two. */
export const changes = changeRule(
  ({ added, changed, deleted, imported, removed }) => added + changed + deleted + imported + removed,
);
