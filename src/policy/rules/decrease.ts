import { negate } from "../../kernel/money.ts";
import { createMoneyRule } from "./money-rule.ts";

/** Limits a decrease of the cost: a sudden saving is often a mistake. An increase never exceeds it. */
export const decrease = createMoneyRule({
  granularities: ["pull-request", "stage", "module", "resource-type"],
  amount: "change",
  hasDecreaseLimit: true,
  read: ({ change }) => negate(change),
});
