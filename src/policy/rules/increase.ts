import { createMoneyRule } from "./money-rule.ts";

/** By how much more is paid; a decrease never exceeds it. */
export const increase = createMoneyRule({
  pers: ["pull-request", "stage", "module", "resource-type"],
  amount: "change",
  read: ({ change }) => change,
});
