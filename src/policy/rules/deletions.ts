import { createChangeRule } from "./count-rule.ts";

/** Limits the resources that the plan deletes, replaced resources included. */
export const deletions = createChangeRule(
  { parts: ["modules", "types"], rows: ["deleted", "replaced"] },
  ({ deleted }) => deleted,
);
