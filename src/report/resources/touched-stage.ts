import { compare, ZERO } from "../../kernel/money.ts";
import type { StageReport } from "../model/report.ts";
import { hasUsageChange } from "../usage/usage-counts.ts";

/**
 * Whether a pull request changes a stage, or may change it. False only where the plan is known to change
 * nothing and the cost is known to stay. Drift that the plan does not touch does not count.
 */
export function isTouched(stage: StageReport): boolean {
  const { state, change, counts, countsBecause, usage, planNotes } = stage;
  if (hasUsageChange(usage) || (planNotes?.invocations.listed.length ?? 0) > 0) return true;
  if (state !== "known" || change === null || compare(change, ZERO) !== 0) return true;
  if (counts === null || countsBecause !== null) return true;
  return counts.added + counts.changed + counts.deleted + counts.imported + counts.removed > 0;
}
