import type { Decimal } from "../../kernel/money.ts";
import type { MergedStageRow } from "../../store/after-merge/merged-pulls.ts";
import type { JobDeps } from "../run/deps.ts";
import { readApplyPipelines, readExecutionCost, readExecutionsAfterMerge } from "./workspace-executions.ts";

/**
 * Returns the monthly cost of a workspace as applied after a merge and before the next one; null: unknown. An
 * execution of a pipeline that only applies states the cost after it. Any other execution states the cost
 * before it; that cost counts when it differs from the cost before the merge.
 */
export async function readAppliedCost(
  { platform }: Pick<JobDeps, "platform">,
  stage: MergedStageRow,
): Promise<Decimal | null> {
  const runs = await readExecutionsAfterMerge({ platform }, stage);
  if (runs.length === 0) return null;
  const applying = await readApplyPipelines({ platform }, stage);
  for (const run of runs) {
    const cost = await readExecutionCost({ platform }, run);
    if (cost?.currency !== stage.currency) continue;
    if (applying.has(run.pipeline ?? "")) return cost.after;
    if (hasMoved(cost.before, stage)) return cost.before;
  }
  return null;
}

/**
 * Whether an execution started from a cost other than the one before the merge, or the merge was not to
 * change the cost.
 */
const hasMoved = (found: Decimal | null, { change, before }: MergedStageRow): boolean =>
  found !== null && (change === "0" || found !== before);
