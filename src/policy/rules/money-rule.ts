import type { Decimal } from "../../kernel/money.ts";
import type { RuleGranularity } from "../model/policy.ts";
import { type CostMeasure, type KnownLine, measureCosts } from "./measure-costs.ts";
import type { RuleKind } from "./rule-kind.ts";

export interface MoneyMeasure {
  readonly granularities: readonly RuleGranularity[];
  readonly amount: CostMeasure["amount"];
  readonly hasDecreaseLimit?: boolean;
  read(line: KnownLine): Decimal;
}

/** Creates a limit on an amount of money. */
export function createMoneyRule({
  granularities: pers,
  amount,
  hasDecreaseLimit: falls = false,
  read,
}: MoneyMeasure): RuleKind {
  const value = (line: KnownLine) => {
    const measured = read(line);
    return { kind: "money", amount: measured, currency: line.currency, rough: Number(measured) } as const;
  };
  const parts = amount === "change" ? (["modules", "types"] as const) : (["modules"] as const);
  return {
    granularities: pers,
    parts,
    read: (report, input) => measureCosts(report, input, { amount, hasDecreaseLimit: falls, value }),
  };
}
