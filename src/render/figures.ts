import { compare, ZERO } from "../kernel/money.ts";
import type { Report, TotalReport } from "../report/report.ts";
import { type MoneyStyle, moneyStyle, placesToSee, usualPlaces } from "./format/money.ts";

/** How the amounts of one currency are written in one evaluation: the headline, the tables and the check agree on it. */
export interface CurrencyFigures {
  readonly currency: string;
  readonly places: number;
  readonly style: MoneyStyle;
  readonly total: TotalReport;
}

/** One per currency, in the order of the report's totals. The places suffice to see every stage's change. */
export function figuresOf(report: Report): readonly CurrencyFigures[] {
  return report.totals.map((total) => {
    const changes = report.stages
      .filter((stage) => stage.currency === total.currency)
      .map(({ change }) => change);
    const seen = [total.previous, total.change, total.current, ...changes];
    const places = placesToSee(seen, usualPlaces(total.currency));
    return { currency: total.currency, places, style: moneyStyle(total.currency, places), total };
  });
}

/** Whether the money of this evaluation is known and does not change. */
export const nothingChanges = (totals: readonly TotalReport[]): boolean =>
  totals.every(({ change }) => change !== null && compare(change, ZERO) === 0);
