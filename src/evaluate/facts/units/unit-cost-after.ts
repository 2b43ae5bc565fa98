import { compare, type Decimal, scale, sum, ZERO } from "../../../kernel/money.ts";
import type { StageFacts } from "../../../report/model/facts.ts";
import { isIntroduced } from "../../../report/usage/usage-counts.ts";
import type { CoveredWorkspaces } from "../../run/operator-rules.ts";

/** What merging does, as far as it was read. */
export interface MergeEffect {
  readonly stages: readonly StageFacts[];
  /** True: something about it may not be seen here, so that more may change than the stages tell. */
  readonly hidden: boolean;
  readonly currency: string;
}

/**
 * A cost per unit grows as the cost of its workspaces grows while the units stay. Told only where the operator says which
 * workspaces the metric covers, and merging touches none of them, or all of them with costs that are known; null otherwise.
 */
export function computeValueAfter(
  unitCost: Decimal,
  grant: CoveredWorkspaces,
  merged: MergeEffect,
): Decimal | null {
  const { stages, hidden } = merged;
  const { workspaces } = grant;
  if (workspaces === null || hidden || stages.some(isUnread)) return null;
  const covered = stages.filter((stage) => isWorkspaceCovered(grant, stage));
  if (covered.length === 0) return unitCost;
  const names = new Set(covered.map(({ workspace }) => workspace));
  if (names.size < new Set(workspaces).size || covered.length > names.size) return null;
  const costs = covered.flatMap((stage) => selectKnownCost(stage, merged.currency));
  const before = sum(costs.map((cost) => cost.before));
  if (costs.length < covered.length || compare(before, ZERO) <= 0) return null;
  return scale(unitCost, sum(costs.map((cost) => cost.after)), before);
}

/** An execution of which not even the workspaces are known. */
const isUnread = ({ stageExecutionId }: StageFacts): boolean => stageExecutionId === "";

/** Whether a metric is a cost per unit of this workspace too. */
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
