import type { Decimal } from "../../kernel/money.ts";
import type { BudgetUse, WorkspaceCost } from "../../policy/model/context.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";
import type { StoredBudgetUse, StoredCost } from "../../store/after-merge/budget-use.ts";

/** The evaluated pull request: its number, and when the plan of each of its workspaces was made. */
export interface PullPlans {
  readonly number: number;
  /** By `stageKey`, in ms since 1970. */
  readonly plannedMs: ReadonlyMap<string, number>;
}

/**
 * Returns the amounts that count towards budgets in addition to the pull request's own stages: the other
 * workspaces, the changes of other open pull requests, and merges into its own workspaces after its plans
 * were made, which the plans do not include.
 */
export function buildBudgetUse(storedUse: StoredBudgetUse, { number, plannedMs }: PullPlans): BudgetUse {
  const workspaces = storedUse.workspaces.filter((workspace) => !plannedMs.has(buildStageKey(workspace)));
  const open = storedUse.claims.filter((claim) => claim.number !== number);
  const merged = storedUse.merged.filter((stage) => {
    const planned = plannedMs.get(buildStageKey(stage));
    return stage.number !== number && planned !== undefined && stage.mergedMs > planned;
  });
  const added = [...open, ...merged];
  return {
    workspaces: workspaces.flatMap(toKnownCost),
    pulls: added.flatMap((cost) => toKnownCost(cost).map((amount) => ({ ...amount, number: cost.number }))),
    unknown: [...workspaces, ...added]
      .filter((cost) => toKnownCost(cost).length === 0)
      .map(({ org, project, workspace }) => ({ org, project, workspace })),
  };
}

function toKnownCost({ org, project, workspace, currency, amount }: StoredCost): readonly WorkspaceCost[] {
  if (currency === null || amount === null) return [];
  return [{ org, project, workspace, currency, amount: amount as Decimal }]; // only a Decimal is ever written
}
