import type { RefusedExecution } from "../model/facts.ts";
import { largestFirst } from "../model/order.ts";
import type { StageReport, TotalReport } from "../model/report.ts";
import { sumUsage } from "../usage/usage-counts.ts";
import { type CostConfidence, worstOf } from "./cost-state.ts";
import { sumOf } from "./sums.ts";

/**
 * One total per currency over all stages. A stage whose cost is not known may cost anything in any currency, so it takes
 * the amounts from every total; an execution that may not be shown leaves every total partial.
 */
export function totalsOf(
  stages: readonly StageReport[],
  refused: readonly RefusedExecution[],
): readonly TotalReport[] {
  const unknown = stages.filter(({ currency }) => currency === null);
  const currencies = new Set(stages.flatMap(({ currency }) => currency ?? []));
  const totals = [...currencies].map((currency): TotalReport => {
    const parts = [...stages.filter((stage) => stage.currency === currency), ...unknown];
    return {
      ...amountsOf(parts),
      currency,
      usage: sumUsage(parts),
      ...worstOf([...parts, ...unseen(refused)]),
    };
  });
  return largestFirst(totals, ({ currency }) => currency);
}

/** A single stage keeps the percentage that its source states. */
function amountsOf(parts: readonly StageReport[]) {
  const [first, ...others] = parts;
  if (first === undefined || others.length > 0) return sumOf(parts);
  const { previous, current, change, percent } = first;
  return { previous, current, change, percent };
}

/** What the sums leave out because this repository may not see it. Executions of other accounts are not this pull request's. */
export function unseen(refused: readonly RefusedExecution[]): readonly CostConfidence[] {
  return refused.some(({ reason }) => reason === "not_granted")
    ? [{ state: "partial", because: ["not_granted"] }]
    : [];
}
