import type { PlanSnapshot } from "../plan/snapshot.ts";
import type { EstimateStage } from "./estimate.ts";

/**
 * Matches resource types that the estimator counts, with or without a price. It ignores those of other
 * providers.
 */
const ESTIMATED_TYPES = /^(aws|google|azurerm)_/;

/**
 * Compares an estimate with the plan of the same code. When the estimate detected no resource and the plan
 * changes resources that the estimator counts, the estimate belongs to other code or is empty: its zero cost
 * is unknown, and it is partial.
 */
export function checkAgainstPlan(stage: EstimateStage, { rows }: PlanSnapshot): EstimateStage {
  const { estimate } = stage.cost;
  if (stage.detected !== 0 || estimate === undefined) return stage;
  const missed = rows.planned_changes.filter(
    ({ change, type }) => change !== "unchanged" && ESTIMATED_TYPES.test(type),
  );
  if (missed.length === 0) return stage;
  const problem = `the estimate saw no resources, and the plan changes ${missed.length}`;
  const problems = [...estimate.problems, problem];
  return { ...stage, cost: { ...stage.cost, estimate: { ...estimate, completeness: "partial", problems } } };
}
