import type { RefusedExecution } from "../model/facts.ts";
import { sortLargestFirst } from "../model/order.ts";
import type { StageReport, TotalReport } from "../model/report.ts";
import { sumUsage } from "../usage/usage-counts.ts";
import { type CostConfidence, combineConfidence } from "./cost-state.ts";
import { sumDeltas } from "./sums.ts";

/**
 * One total per currency over all stages. A stage of unknown cost may cost anything in any currency, so it makes the amounts of
 * every total unknown; an execution that may not be shown makes every total partial.
 */
export function sumTotals(
  stages: readonly StageReport[],
  refused: readonly RefusedExecution[],
): readonly TotalReport[] {
  const unknown = stages.filter(({ currency }) => currency === null);
  const currencies = new Set(stages.flatMap(({ currency }) => currency ?? []));
  const totals = [...currencies].map((currency): TotalReport => {
    const parts = [...stages.filter((stage) => stage.currency === currency), ...unknown];
    return {
      ...sumAmounts(parts),
      currency,
      usage: sumUsage(parts),
      ...combineConfidence([...parts, ...listUnseenDoubts(refused)]),
    };
  });
  return sortLargestFirst(totals, ({ currency }) => currency);
}

/** Sums the amounts; a single stage has the percentage that its source states. */
function sumAmounts(parts: readonly StageReport[]) {
  const [first, ...others] = parts;
  if (first === undefined || others.length > 0) return sumDeltas(parts);
  const { before, after, change, percent } = first;
  return { before, after, change, percent };
}

/** Doubts about sums that omit executions which this repository may not see. Executions of other accounts do not belong to this pull request. */
export function listUnseenDoubts(refused: readonly RefusedExecution[]): readonly CostConfidence[] {
  return refused.some(({ reason }) => reason === "not_granted")
    ? [{ state: "partial", because: ["not_granted"] }]
    : [];
}
