import { createChangeRule } from "./count-rule.ts";

/** Limits the replaced resources: those that the plan deletes and creates again. */
export const replacements = createChangeRule(
  { parts: ["modules", "types"], rows: ["replaced"] },
  ({ replaced }) => replaced,
);
