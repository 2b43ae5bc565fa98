import { createMoneyRule } from "./money-rule.ts";

/** What is paid afterwards. Not per resource type: there only changed resources are listed. */
export const total = createMoneyRule({
  pers: ["pull-request", "stage", "module"],
  amount: "after",
  read: ({ after }) => after,
});
