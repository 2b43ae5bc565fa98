import { type Decimal, minus, percentChange, plus, sum } from "../../kernel/money.ts";

/** What something costs per month before and after; null: not stated, which is not zero. */
export interface EstimateDelta {
  readonly previous: Decimal | null;
  readonly current: Decimal | null;
  readonly change: Decimal | null;
}

/** The figures as stated; of a missing one is made what the other two leave no choice about. */
export function completed({ previous, current, change }: EstimateDelta): EstimateDelta {
  return {
    previous: previous ?? (current !== null && change !== null ? minus(current, change) : null),
    current: current ?? (previous !== null && change !== null ? plus(previous, change) : null),
    change: change ?? (previous !== null && current !== null ? minus(current, previous) : null),
  };
}

/** Sums figure by figure, each null as soon as one part does not state it. */
export function sumFigures(parts: readonly EstimateDelta[]): EstimateDelta {
  return {
    previous: sumStated(parts.map(({ previous }) => previous)),
    current: sumStated(parts.map(({ current }) => current)),
    change: sumStated(parts.map(({ change }) => change)),
  };
}

/** Sums as the estimator does: what depends on usage that nobody stated has no cost yet, and adds nothing to a total. */
export function sumAsEstimated(parts: readonly (Decimal | null)[]): Decimal {
  return sum(parts.filter((part) => part !== null));
}

/** The four members of the platform's cost shape, exact, with at least two decimals. Not stated stays null. */
export function formatFigures(figures: EstimateDelta) {
  const { previous, current } = figures;
  return {
    previous_monthly_cost: written(previous),
    current_monthly_cost: written(current),
    diff_monthly_cost: written(figures.change),
    percentage_change_monthly_cost:
      previous === null || current === null ? null : percentChange(previous, current),
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
