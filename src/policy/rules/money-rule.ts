import type { Decimal } from "../../kernel/money.ts";
import type { RuleGranularity } from "../model/policy.ts";
import { type KnownAfter, type KnownLine, measureCosts } from "./measure-costs.ts";
import type { RuleKind, SubjectValue } from "./rule-kind.ts";

/** An amount of money that a rule limits. */
export type MoneyMeasure = {
  readonly granularities: readonly RuleGranularity[];
} & (
  | { readonly amount: "change"; readonly hasDecreaseLimit?: boolean; read(line: KnownLine): Decimal }
  | { readonly amount: "after"; read(line: KnownAfter): Decimal }
);

/** Creates a limit on an amount of money. */
export function createMoneyRule(measure: MoneyMeasure): RuleKind {
  return {
    granularities: measure.granularities,
    parts: measure.amount === "change" ? ["modules", "types"] : ["modules"],
    read: (report, input) =>
      measure.amount === "change"
        ? measureCosts(report, input, {
            amount: "change",
            hasDecreaseLimit: measure.hasDecreaseLimit ?? false,
            value: (line) => toMoneyValue(measure.read(line), line),
          })
        : measureCosts(report, input, {
            amount: "after",
            hasDecreaseLimit: false,
            value: (line) => toMoneyValue(measure.read(line), line),
          }),
  };
}

const toMoneyValue = (amount: Decimal, { currency }: KnownAfter): SubjectValue => ({
  kind: "money",
  amount,
  currency,
});
