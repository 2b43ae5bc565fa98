import type { Decimal } from "../../kernel/money.ts";
import type { MergedStageRow } from "../../store/after-merge/merged-pulls.ts";
import type { JobDeps } from "../run/deps.ts";
import { readApplyPipelines, readExecutionCost, readExecutionsAfterMerge } from "./workspace-executions.ts";

/**
 * What a workspace costs per month as it was applied after a merge and before the next one; null: that cannot be told. A run of the
 * pipeline that applies, and does nothing else, says what it left behind. Any other run says what it found, which counts
 * once that is not any more what there was before the merge.
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

/** Whether a run found something else than there was before the merge, or the merge was not to change anything. */
const hasMoved = (found: Decimal | null, { change, before }: MergedStageRow): boolean =>
  found !== null && (change === "0" || found !== before);
