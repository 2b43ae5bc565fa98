import type { HeadState } from "../../github/head/head-state.ts";
import type { PullKey } from "../../kernel/ids.ts";
import type { UnitCostAfterMerge } from "../../policy/model/evaluation.ts";
import type { UnitCost } from "../../report/model/context.ts";
import { getFactValue } from "../../report/stages.ts";
import type { MergedStageRow } from "../../store/after-merge/merged-pulls.ts";
import { findEvaluation } from "../../store/evaluations.ts";
import { computeContextGrant } from "../facts/context/grant.ts";
import { isWorkspaceCovered } from "../facts/units/unit-cost-after.ts";
import type { JobDeps } from "../run/deps.ts";
import { readActualUnitCost } from "./actual-unit-cost.ts";
import { toGrantee } from "./can-see-project.ts";

interface MergedPull {
  readonly key: PullKey;
  readonly head: HeadState;
  readonly stages: readonly MergedStageRow[];
}

type UnitCostDeps = Pick<JobDeps, "db" | "platform" | "operator" | "clock">;

/**
 * Returns the cost per unit since a merge and its estimate, for each metric that the repository may still see
 * and whose workspaces the pull request changed. Metrics with an unknown value are left out.
 */
export async function compareUnits(
  deps: UnitCostDeps,
  merged: MergedPull,
): Promise<readonly UnitCostAfterMerge[]> {
  const estimated = await readEstimatedUnits(deps, merged);
  const { unitMetrics } = computeContextGrant(deps.operator, toGrantee(merged.head.repository));
  const read = estimated.map(async (unit): Promise<readonly UnitCostAfterMerge[]> => {
    const grants = unitMetrics.filter(({ metric }) => metric === unit.metric);
    const { before, after } = unit;
    if (before === null || after === null) return [];
    const touched = merged.stages.filter((stage) => grants.some((grant) => isWorkspaceCovered(grant, stage)));
    const found = touched.length === 0 ? null : await readActualUnitCost(deps, unit.metric, touched);
    return found === null ? [] : [{ ...unit, before, after, ...found }];
  });
  return (await Promise.all(read)).flat();
}

/**
 * Returns the estimated unit costs of the merged head, in the platform's current currency. Values derived
 * from a perspective's bill are not read again.
 */
async function readEstimatedUnits(
  { db, operator }: UnitCostDeps,
  { key, head }: MergedPull,
): Promise<readonly UnitCost[]> {
  const stored = await findEvaluation(db, key);
  if (stored === null || stored.evaluation.pull.headSha !== head.pull.headSha) return [];
  const units = getFactValue(stored.evaluation.report.context.unitCosts) ?? [];
  return units.filter(
    ({ currency, perspective }) => currency === operator.costCurrency && perspective === null,
  );
}
