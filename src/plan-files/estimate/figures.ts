import { type Decimal, minus, percentChange, plus, sum } from "../../kernel/money.ts";

/** What something costs per month before and after; null: not stated, which is not zero. */
export interface EstimateDelta {
  readonly before: Decimal | null;
  readonly after: Decimal | null;
  readonly change: Decimal | null;
}

/** The figures as stated; of a missing one is made what the other two leave no choice about. */
export function completed({ before, after, change }: EstimateDelta): EstimateDelta {
  return {
    before: before ?? (after !== null && change !== null ? minus(after, change) : null),
    after: after ?? (before !== null && change !== null ? plus(before, change) : null),
    change: change ?? (before !== null && after !== null ? minus(after, before) : null),
  };
}

/** Sums figure by figure, each null as soon as one part does not state it. */
export function sumFigures(parts: readonly EstimateDelta[]): EstimateDelta {
  return {
    before: sumStated(parts.map(({ before }) => before)),
    after: sumStated(parts.map(({ after }) => after)),
    change: sumStated(parts.map(({ change }) => change)),
  };
}

/** Sums as the estimator does: what depends on usage that nobody stated has no cost yet, and adds nothing to a total. */
export function sumAsEstimated(parts: readonly (Decimal | null)[]): Decimal {
  return sum(parts.filter((part) => part !== null));
}

/** The four members of the platform's cost shape, exact, with at least two decimals. Not stated stays null. */
export function formatFigures(figures: EstimateDelta) {
  const { before, after } = figures;
  return {
    previous_monthly_cost: written(before),
    current_monthly_cost: written(after),
    diff_monthly_cost: written(figures.change),
    percentage_change_monthly_cost: before === null || after === null ? null : percentChange(before, after),
  };
}

/** The same under the names that a stage's totals have. */
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

function written(value: Decimal | null): string | null {
  if (value === null) return null;
  const [whole, decimals = ""] = value.split(".");
  return `${whole}.${decimals.padEnd(2, "0")}`;
}
