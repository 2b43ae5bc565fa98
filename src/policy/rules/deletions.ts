import { createChangeRule } from "./count-rule.ts";

/** Resources that the plan deletes, those that it creates again included. */
export const deletions = createChangeRule(
  { parts: ["modules", "types"], rows: ["deleted", "replaced"] },
  ({ deleted }) => deleted,
);
