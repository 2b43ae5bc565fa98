import { changeRule } from "./count-rule.ts";

/** Resources that the plan deletes and creates again. */
export const replacements = changeRule(
  { parts: ["modules", "types"], rows: ["replaced"] },
  ({ replaced }) => replaced,
);
