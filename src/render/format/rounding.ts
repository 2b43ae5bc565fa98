import { compare, minus, sum } from "../../kernel/money.ts";
import { isRounding } from "../../report/cost/sums.ts";
import type { Figure } from "./money.ts";

/**
 * Whether displayed amounts do not add up to their displayed total because of rounding. Contradicting exact
 * amounts are not explained by rounding.
 */
export function isRoundingVisible(parts: readonly Figure[], total: Figure): boolean {
  const roundedSum = sum(parts.map((part) => part.shown));
  return (
    compare(roundedSum, total.shown) !== 0 &&
    isRounding(minus(sum(parts.map(({ exact }) => exact)), total.exact))
  );
}
