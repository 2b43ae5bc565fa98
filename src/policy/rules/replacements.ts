import { createChangeRule } from "./count-rule.ts";

/** Resources that the plan deletes and creates again. */
export const replacements = createChangeRule(
  { parts: ["modules", "types"], rows: ["replaced"] },
  ({ replaced }) => replaced,
);
