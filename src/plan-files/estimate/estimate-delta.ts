import { computePercentChange, type Decimal, minus, plus, sum } from "../../kernel/money.ts";

/** A monthly cost before and after, and its change; null: not stated, which does not mean zero. */
export interface EstimateDelta {
  readonly before: Decimal | null;
  readonly after: Decimal | null;
  readonly change: Decimal | null;
}

/** Computes a missing amount from the other two. Stated amounts stay unchanged. */
export function completeDelta({ before, after, change }: EstimateDelta): EstimateDelta {
  return {
    before: before ?? (after !== null && change !== null ? minus(after, change) : null),
    after: after ?? (before !== null && change !== null ? plus(before, change) : null),
    change: change ?? (before !== null && after !== null ? minus(after, before) : null),
  };
}

/** Adds each of the three amounts separately; a sum is null when one part does not state the amount. */
export function sumEstimateDeltas(parts: readonly EstimateDelta[]): EstimateDelta {
  return {
    before: sumStated(parts.map(({ before }) => before)),
    after: sumStated(parts.map(({ after }) => after)),
    change: sumStated(parts.map(({ change }) => change)),
  };
}

/**
 * Adds amounts as the estimator does: a usage-based cost without usage is not stated and adds nothing to a
 * total.
 */
export function sumAsEstimated(parts: readonly (Decimal | null)[]): Decimal {
  return sum(parts.filter((part) => part !== null));
}

/**
 * Formats the four members of the platform's cost shape, exact, with at least two decimals. An amount that is
 * not stated stays null.
 */
export function formatFigures(figures: EstimateDelta) {
  const { before, after } = figures;
  const percent = before === null || after === null ? null : computePercentChange(before, after);
  return {
    previous_monthly_cost: formatAmount(before),
    current_monthly_cost: formatAmount(after),
    diff_monthly_cost: formatAmount(figures.change),
    percentage_change_monthly_cost: percent === null ? null : Number(percent),
  };
}

/** Formats the same amounts under the member names of a stage's totals. */
export function formatTotals(figures: EstimateDelta) {
  const costs = formatFigures(figures);
  return {
    past_total_monthly_cost: costs.previous_monthly_cost,
    total_monthly_cost: costs.current_monthly_cost,
    diff_total_monthly_cost: costs.diff_monthly_cost,
    percentage_change_total_monthly_cost: costs.percentage_change_monthly_cost,
  };
}

function sumStated(values: readonly (Decimal | null)[]): Decimal | null {
  return values.includes(null) ? null : sumAsEstimated(values);
}

function formatAmount(value: Decimal | null): string | null {
  if (value === null) return null;
  const [whole, decimals = ""] = value.split(".");
  return `${whole}.${decimals.padEnd(2, "0")}`;
}
