import type { PullKey } from "../../kernel/ids.ts";
import type { BudgetUse } from "../../policy/model/context.ts";
import type { LoadedPolicy } from "../../policy/model/loaded-policy.ts";
import type { Report } from "../../report/model/report.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";
import { readBudgetUse } from "../../store/after-merge/budget-use.ts";
import { type PlanBaseline, recordPlans } from "../../store/after-merge/workspace-costs.ts";
import type { JobDeps } from "../run/deps.ts";
import { buildBudgetUse } from "./budget-use.ts";

/**
 * The amounts that count towards budgets; `version` identifies them when a decision that depends on them is
 * saved.
 */
export interface VersionedBudgetUse {
  readonly use: BudgetUse;
  readonly version: number;
}

/**
 * Reads the budget use; null: no budget is in force, or it is unknown because other pull requests are. `sinceMs`: when the head was first seen, in ms since
 * 1970.
 */
export async function readBudget(
  { db, isOneShot }: Pick<JobDeps, "db" | "isOneShot">,
  { key, policy, report, sinceMs }: { key: PullKey; policy: LoadedPolicy; report: Report; sinceMs: number },
): Promise<VersionedBudgetUse | null> {
  if (policy.state !== "found" || isOneShot) return null;
  if (!policy.policy.rules.some(({ limit }) => limit.kind === "budget")) return null;
  const planned = report.stages.map((stage) => [buildStageKey(stage), stage.createdMs ?? sinceMs] as const);
  const oldest = Math.min(...planned.map(([, ms]) => ms), Number.MAX_SAFE_INTEGER);
  const storedUse = await readBudgetUse(db, key.repositoryId, new Date(Math.min(oldest, MAX_DATE_MS)));
  return {
    use: buildBudgetUse(storedUse, { number: key.number, plannedMs: new Map(planned) }),
    version: storedUse.version,
  };
}

/** The latest time that every database stores, in ms since 1970: 9999-12-31. */
const MAX_DATE_MS = 253_402_214_400_000;

/**
 * Saves the costs of the workspaces before this pull request, from its plans. True: the budget use changed.
 */
export function savePlans(
  { db }: Pick<JobDeps, "db">,
  { key, report, sinceMs }: { key: PullKey; report: Report; sinceMs: number },
): Promise<boolean> {
  const plans = report.stages.flatMap((stage): readonly PlanBaseline[] => {
    const { org, project, workspace, state, currency, before, createdMs } = stage;
    if (state !== "known" || currency === null || before === null) return [];
    return [{ org, project, workspace, currency, before, plannedMs: createdMs ?? sinceMs }];
  });
  return recordPlans(db, key.repositoryId, plans);
}
