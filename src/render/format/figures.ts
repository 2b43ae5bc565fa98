import { compare, ZERO } from "../../kernel/money.ts";
import type { Report, TotalReport } from "../../report/model/report.ts";
import { createMoneyStyle, type MoneyStyle } from "./money.ts";

/** The total of one currency, and the format of its amounts. */
export interface CurrencyFigures {
  readonly currency: string;
  readonly style: MoneyStyle;
  readonly total: TotalReport;
}

/** Returns one entry per currency, in the order of the report's totals. */
export const listCurrencyFigures = (report: Report): readonly CurrencyFigures[] =>
  report.totals.map((total) => ({
    currency: total.currency,
    style: createMoneyStyle(total.currency),
    total,
  }));

/** Whether the cost of this evaluation is known and does not change. */
export const isCostUnchanged = (totals: readonly TotalReport[]): boolean =>
  totals.every(({ change }) => change !== null && compare(change, ZERO) === 0);
