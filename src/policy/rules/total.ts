import { moneyRule } from "./money-rule.ts";

/** What is paid afterwards. Not per resource type: there only changed resources are listed. */
export const total = moneyRule({
  pers: ["pull-request", "stage", "module"],
  amount: "current",
  read: ({ current }) => current,
});
