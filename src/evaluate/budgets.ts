import type { PullKey } from "../kernel/ids.ts";
import type { Decimal } from "../kernel/money.ts";
import type { BudgetUse, WorkspaceCost } from "../policy/model/context.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import { listBudgetTags } from "../policy/model/policy.ts";
import { type EnqueueDeps, enqueueLane } from "../queue/queue.ts";
import type { Report } from "../report/model/report.ts";
import { buildStageKey } from "../report/model/stage-label.ts";
import { divideAmount } from "../report/tags.ts";
import type { StoredBudgetUse, StoredCost } from "../store/after-merge/budget-use.ts";
import { listBudgetPulls, parseDivided, readBudgetUse } from "../store/after-merge/budget-use.ts";
import { type PlanBaseline, recordPlans } from "../store/after-merge/workspace-costs.ts";
import type { CurrentHead } from "./run/deps.ts";

/**
 * Reads the amounts that count towards budgets; `version` identifies them when a decision that depends on them is saved. Null: no budget
 * is in force, or they are unknown because other pull requests are.
 */
export async function readBudget(
  { deps, key, sinceMs }: CurrentHead,
  { policy, report }: { readonly policy: LoadedPolicy; readonly report: Report },
): Promise<{ readonly use: BudgetUse; readonly version: number } | null> {
  if (policy.state !== "found" || deps.isOneShot) return null;
  if (!policy.policy.rules.some(({ limit }) => limit.kind === "budget")) return null;
  const tagKeys = listBudgetTags(policy.policy);
  const planned = report.stages.map((stage) => [buildStageKey(stage), stage.createdMs ?? sinceMs] as const);
  const oldest = Math.min(...planned.map(([, ms]) => ms), Number.MAX_SAFE_INTEGER);
  const storedUse = await readBudgetUse(deps.db, key.repositoryId, new Date(Math.min(oldest, MAX_DATE_MS)));
  return {
    use: {
      ...buildBudgetUse(storedUse, { number: key.number, plannedMs: new Map(planned) }),
      ...(tagKeys.length > 0 && { tagKeys }),
    },
    version: storedUse.version,
  };
}

/** The latest time that every database stores, in ms since 1970: 9999-12-31. */
const MAX_DATE_MS = 253_402_214_400_000;

/**
 * Saves the costs of the workspaces before this pull request, from its plans. True: the budget use changed.
 */
export function savePlans(
  { deps, key, sinceMs }: CurrentHead,
  { policy, report }: { readonly policy: LoadedPolicy; readonly report: Report },
): Promise<boolean> {
  const keys = policy.state === "found" ? listBudgetTags(policy.policy) : [];
  const plans = report.stages.flatMap((stage): readonly PlanBaseline[] => {
    const { org, project, workspace, state, currency, before, createdMs } = stage;
    if (state !== "known" || currency === null || before === null) return [];
    const divided = divideAmount(report, stage, { keys, of: "before" });
    return [{ org, project, workspace, currency, before, divided, plannedMs: createdMs ?? sinceMs }];
  });
  return recordPlans(deps.db, key.repositoryId, plans);
}

/** The evaluated pull request: its number, and when the plan of each of its workspaces was made. */
interface PullPlans {
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

function toKnownCost(cost: StoredCost): readonly WorkspaceCost[] {
  const { org, project, workspace, currency, amount } = cost;
  if (currency === null || amount === null) return [];
  const divided = parseDivided(cost.divided);
  const known = { org, project, workspace, currency, amount: amount as Decimal }; // only a Decimal is ever written
  return [divided === null ? known : { ...known, divided }];
}

/** Lanes that are enqueued when a budget's use changes; the sweep enqueues the rest. */
const AT_ONCE = 500;

/**
 * Enqueues the other pull requests under a budget. The chain of evaluations ends: each evaluation uses the
 * current budget use, and enqueues others only if its own contribution changed.
 */
export async function enqueueBudgetPulls(
  deps: EnqueueDeps,
  { repositoryId, number }: PullKey,
): Promise<void> {
  for (const other of await listBudgetPulls(deps.db, repositoryId, AT_ONCE))
    if (other !== number) await enqueueLane(deps, { kind: "pull", repositoryId, number: other });
}
