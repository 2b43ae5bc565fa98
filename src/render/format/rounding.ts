import { compare, minus, sum } from "../../kernel/money.ts";
import { isRounding } from "../../report/cost/sums.ts";
import type { Figure } from "./money.ts";

/**
 * Whether amounts as they are shown do not add up to their total as it is shown, and rounding is the reason. Exact amounts that
 * contradict each other are not explained by it.
 */
export function roundsAway(parts: readonly Figure[], total: Figure): boolean {
  const shown = sum(parts.map((part) => part.shown));
  return (
    compare(shown, total.shown) !== 0 && isRounding(minus(sum(parts.map(({ exact }) => exact)), total.exact))
  );
}
