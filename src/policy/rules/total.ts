import { createMoneyRule } from "./money-rule.ts";

/**
 * Limits the cost after the change. Not available per resource type, because groups list changed resources
 * only.
 */
export const total = createMoneyRule({
  granularities: ["pull-request", "stage", "module"],
  amount: "after",
  read: ({ after }) => after,
});
