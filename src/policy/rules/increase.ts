import { createMoneyRule } from "./money-rule.ts";

/** Limits an increase of the cost; a decrease never exceeds it. */
export const increase = createMoneyRule({
  granularities: ["pull-request", "stage", "module", "resource-type"],
  amount: "change",
  read: ({ change }) => change,
});
