import type { PlanSnapshot } from "../plan/snapshot.ts";
import type { EstimateStage } from "./estimate.ts";

/** Resources that the estimator counts, with or without a price; those of other providers it never sees. */
const COUNTED = /^(aws|google|azurerm)_/;

/**
 * An estimate held against the plan of the same code. One that saw no resource, while the plan changes some that it counts,
 * is of something else, or of nothing: its zero is not known, and it is partial.
 */
export function checkAgainstPlan(stage: EstimateStage, { rows }: PlanSnapshot): EstimateStage {
  const { estimate } = stage.cost;
  if (stage.detected !== 0 || estimate === undefined) return stage;
  const missed = rows.planned_changes.filter(
    ({ change, type }) => change !== "unchanged" && COUNTED.test(type),
  );
  if (missed.length === 0) return stage;
  const problem = `the estimate saw no resources, and the plan changes ${missed.length}`;
  const problems = [...estimate.problems, problem];
  return { ...stage, cost: { ...stage.cost, estimate: { ...estimate, completeness: "partial", problems } } };
}
