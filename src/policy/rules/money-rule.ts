import type { Decimal } from "../../kernel/money.ts";
import type { RuleGranularity } from "../model/policy.ts";
import { type CostMeasure, type KnownLine, measureCosts } from "./measure-costs.ts";
import type { RuleKind } from "./rule-kind.ts";

export interface MoneyMeasure {
  readonly pers: readonly RuleGranularity[];
  readonly amount: CostMeasure["amount"];
  readonly falls?: boolean;
  read(line: KnownLine): Decimal;
}

/** Creates a limit on an amount of money. */
export function createMoneyRule({ pers, amount, falls = false, read }: MoneyMeasure): RuleKind {
  const value = (line: KnownLine) => {
    const measured = read(line);
    return { kind: "money", amount: measured, currency: line.currency, rough: Number(measured) } as const;
  };
  const parts = amount === "change" ? (["modules", "types"] as const) : (["modules"] as const);
  return { pers, parts, read: (report, look) => measureCosts(report, look, { amount, falls, value }) };
}
