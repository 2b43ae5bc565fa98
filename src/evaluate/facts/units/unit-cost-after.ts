import { compare, type Decimal, scale, sum, ZERO } from "../../../kernel/money.ts";
import type { StageFacts } from "../../../report/model/facts.ts";
import { isIntroduced } from "../../../report/usage.ts";
import type { CoveredWorkspaces } from "../../run/operator-rules.ts";

/** The known effect of a merge. */
export interface MergeEffect {
  readonly stages: readonly StageFacts[];
  /** True: a part of the effect may not be shown here, so that further stages may change. */
  readonly hasRefused: boolean;
  readonly currency: string;
}

/**
 * Computes a cost per unit after the merge: it changes in proportion to the cost of its workspaces, with a
 * constant number of units. Null unless the operator states which workspaces the metric covers, and the merge
 * changes none of them, or all of them with known costs.
 */
export function computeValueAfter(
  unitCost: Decimal,
  grant: CoveredWorkspaces,
  merged: MergeEffect,
): Decimal | null {
  const { stages, hasRefused } = merged;
  const { workspaces } = grant;
  if (workspaces === null || hasRefused || stages.some(isUnread)) return null;
  const covered = stages.filter((stage) => isWorkspaceCovered(grant, stage));
  if (covered.length === 0) return unitCost;
  const names = new Set(covered.map(({ workspace }) => workspace));
  if (names.size < new Set(workspaces).size || covered.length > names.size) return null;
  const costs = covered.flatMap((stage) => selectKnownCost(stage, merged.currency));
  const before = sum(costs.map((cost) => cost.before));
  if (costs.length < covered.length || compare(before, ZERO) <= 0) return null;
  return scale(unitCost, sum(costs.map((cost) => cost.after)), before);
}

/** Whether not even the workspaces of the execution are known. */
const isUnread = ({ stageExecutionId }: StageFacts): boolean => stageExecutionId === "";

/** Whether a metric covers this workspace. */
export const isWorkspaceCovered = (
  { org, project, workspaces }: CoveredWorkspaces,
  stage: Pick<StageFacts, "org" | "project" | "workspace">,
): boolean =>
  stage.org === org &&
  (project === undefined || stage.project === project) &&
  (workspaces ?? []).includes(stage.workspace);

function selectKnownCost({ proven, status, cost }: StageFacts, currency: string) {
  if (!proven || status !== "succeeded" || cost.state !== "known") return [];
  const { before, after, completeness, usage } = cost.value;
  if (before === null || after === null || usage?.resources.some(isIntroduced) === true) return [];
  return completeness === "partial" || cost.value.currency !== currency ? [] : [{ before, after }];
}
