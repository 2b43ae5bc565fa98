import type { HeadState } from "../../github/head/head-state.ts";
import type { PullKey } from "../../kernel/ids.ts";
import type { UnitAfterMerge } from "../../policy/model/evaluation.ts";
import type { UnitCost } from "../../report/model/context.ts";
import { factValue } from "../../report/stages/stages.ts";
import type { MergedStageRow } from "../../store/after-merge/merged-pulls.ts";
import { findEvaluation } from "../../store/evaluations.ts";
import { contextGrantOf } from "../facts/context/grant.ts";
import { covers } from "../facts/units/unit-cost-after.ts";
import type { JobDeps } from "../run/deps.ts";
import { actualUnitCost } from "./actual-unit-cost.ts";
import { askerOf } from "./may-see.ts";

interface MergedPull {
  readonly key: PullKey;
  readonly head: HeadState;
  readonly stages: readonly MergedStageRow[];
}

type Deps = Pick<JobDeps, "db" | "platform" | "operator" | "clock">;

/**
 * What one unit costs since a merge beside what was estimated, of each metric that the repository may still see and whose
 * workspaces the pull request touched. What is not known on either side is left out.
 */
export async function compareUnits(deps: Deps, merged: MergedPull): Promise<readonly UnitAfterMerge[]> {
  const estimated = await estimatedUnits(deps, merged);
  const { unitMetrics } = contextGrantOf(deps.operator, askerOf(merged.head.repository));
  const read = estimated.map(async (unit): Promise<readonly UnitAfterMerge[]> => {
    const grants = unitMetrics.filter(({ metric }) => metric === unit.metric);
    const { before, after } = unit;
    if (before === null || after === null) return [];
    const touched = merged.stages.filter((stage) => grants.some((grant) => covers(grant, stage)));
    const found = touched.length === 0 ? null : await actualUnitCost(deps, unit.metric, touched);
    return found === null ? [] : [{ ...unit, before, after, ...found }];
  });
  return (await Promise.all(read)).flat();
}

/** What was said of the head that was merged, in the currency that the platform still speaks. What is derived from a perspective's bill is not read again. */
async function estimatedUnits(
  { db, operator }: Deps,
  { key, head }: MergedPull,
): Promise<readonly UnitCost[]> {
  const kept = await findEvaluation(db, key);
  if (kept === null || kept.evaluation.pull.headSha !== head.pull.headSha) return [];
  const units = factValue(kept.evaluation.report.context.unitCosts) ?? [];
  return units.filter(
    ({ currency, perspective }) => currency === operator.costCurrency && perspective === null,
  );
}
