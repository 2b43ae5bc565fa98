import { absolute, compare, type Decimal, decimal, minus } from "../../kernel/money.ts";
import { type EstimateDelta, sumAsEstimated } from "./estimate-delta.ts";
import type { Breakdown, Project } from "./estimate-parts.ts";

/** Two amounts of one currency with at most this difference are the same amount, rounded differently. */
const ROUNDING = decimal("0.01");

/** Whether two amounts differ by more than rounding; a missing amount differs from none. */
export function isDifferent(a: Decimal | null, b: Decimal | null): boolean {
  return a !== null && b !== null && compare(absolute(minus(a, b)), ROUNDING) > 0;
}

/** Whether the change is not the difference between before and after. */
export function isChangeContradictory({ before, after, change }: EstimateDelta): boolean {
  return before !== null && after !== null && isDifferent(change, minus(after, before));
}

/** Whether the listed resources of a project do not add up to its totals. */
export function hasContradictoryParts(project: Project): boolean {
  return (
    hasWrongTotal(project.breakdown) || hasWrongTotal(project.pastBreakdown) || hasWrongTotal(project.diff)
  );
}

function hasWrongTotal(breakdown: Breakdown | null | undefined): boolean {
  if (breakdown == null) return false;
  return isDifferent(
    breakdown.totalMonthlyCost,
    sumAsEstimated(breakdown.resources.map(({ monthlyCost }) => monthlyCost)),
  );
}
