import { moneyRule } from "./money-rule.ts";

/** By how much more is paid; a decrease never exceeds it. */
export const increase = moneyRule({
  pers: ["pull-request", "stage", "module", "resource-type"],
  amount: "change",
  read: ({ change }) => change,
});
