import { type DaySpan, startAt, toMonthParts } from "../kernel/fiscal-periods.ts";
import type { PullKey } from "../kernel/ids.ts";
import { toIsoDay } from "../kernel/instant.ts";
import { type Decimal, plus } from "../kernel/money.ts";
import type { BudgetUse, PeriodUse, WorkspaceCost } from "../policy/model/context.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import { type BudgetPeriod, findBudgetPeriods, listBudgetTags } from "../policy/model/policy.ts";
import { type EnqueueDeps, enqueueLane } from "../queue/queue.ts";
import type { Report } from "../report/model/report.ts";
import { buildStageKey } from "../report/model/stage-label.ts";
import { addDivided, divideAmount } from "../report/tags.ts";
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
  nowMs: number,
): Promise<{ readonly use: BudgetUse; readonly version: number } | null> {
  if (policy.state !== "found" || deps.isOneShot) return null;
  if (!policy.policy.rules.some(({ limit }) => limit.kind === "budget")) return null;
  const tagKeys = listBudgetTags(policy.policy);
  const planned = report.stages.map((stage) => [buildStageKey(stage), stage.createdMs ?? sinceMs] as const);
  const { fiscalYearStarts } = deps.operator;
  const periods = findBudgetPeriods(policy.policy.rules, toIsoDay(nowMs), fiscalYearStarts);
  const times = [...planned.map(([, ms]) => ms), ...periods.map(({ from }) => Date.parse(from) - 1)];
  const storedUse = await readBudgetUse(deps.db, key.repositoryId, new Date(Math.min(...times, MAX_DATE_MS)));
  return {
    use: {
      ...buildBudgetUse(storedUse, { number: key.number, plannedMs: new Map(planned) }),
      ...(tagKeys.length > 0 && { tagKeys }),
      ...(periods.length > 0 && {
        periods: periods.map((period) => buildPeriodUse(storedUse, period, key.number)),
      }),
    },
    version: storedUse.version,
  };
}

/** The latest time that every database stores, in ms since 1970: 9999-12-31. */
const MAX_DATE_MS = 253_402_214_400_000;

/** Saves the costs of the workspaces before this pull request, from its plans. True: the budget use changed. */
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
 * Returns the amounts that count towards budgets in addition to the pull request's own stages: the other workspaces, the changes of other
 * open pull requests, and merges into its own workspaces after its plans were made, which the plans do not include.
 */
export function buildBudgetUse(storedUse: StoredBudgetUse, { number, plannedMs }: PullPlans): BudgetUse {
  const workspaces = storedUse.workspaces.filter((workspace) => !plannedMs.has(buildStageKey(workspace)));
  const open = storedUse.claims.filter((claim) => claim.number !== number);
  const merged = storedUse.merged.filter((stage) => {
    const planned = plannedMs.get(buildStageKey(stage));
    return stage.number !== number && planned !== undefined && stage.mergedMs > planned;
  });
  const toAddition = (cost: StoredCost & Pick<PullPlans, "number">) =>
    toKnownCost(cost).map((known) => ({ ...known, number: cost.number }));
  return {
    workspaces: workspaces.flatMap(toKnownCost),
    pulls: [
      ...open.flatMap(toAddition),
      ...merged.flatMap(toAddition).map((pull) => ({ ...pull, isMerged: true as const })),
    ],
    unknown: listUnknown([...workspaces, ...open, ...merged]),
  };
}

const listUnknown = (costs: readonly StoredCost[]): BudgetUse["unknown"] =>
  costs
    .filter((cost) => toKnownCost(cost).length === 0)
    .map(({ org, project, workspace }) => ({ org, project, workspace }));

/**
 * Returns what counts towards the budgets of a period, in addition to the known changes of open pull requests. A change counts in the period
 * in which it was merged, from that day on.
 */
export function buildPeriodUse(
  { claims, merged }: StoredBudgetUse,
  period: BudgetPeriod,
  number: number,
): PeriodUse {
  const dated = merged.map(({ mergedMs, ...stage }) => ({ ...stage, day: toIsoDay(mergedMs) }));
  const own = dated.filter(({ day }) => period.from <= day && day <= period.to);
  const costs = own.flatMap(({ day, ...stage }) =>
    toKnownCost(stage).map((cost) => multiplyCost(cost, startAt(period, day))),
  );
  const groups = Map.groupBy(costs, (cost) => `${buildStageKey(cost)} ${cost.currency}`);
  return {
    ...period,
    merged: [...groups.values()].map((own) => own.reduce(addCosts)),
    unknown: listUnknown([...own, ...claims.filter((claim) => claim.number !== number)]),
  };
}

/** The cost in a span of days, in month parts. */
const multiplyCost = ({ amount, divided, ...place }: WorkspaceCost, span: DaySpan): WorkspaceCost => ({
  ...place,
  amount: toMonthParts(amount, span),
  ...(divided && {
    divided: {
      ...divided,
      parts: divided.parts.map((part) => ({ ...part, amount: toMonthParts(part.amount, span) })),
    },
  }),
});

/** The sum of two costs of one workspace in one currency. */
function addCosts({ divided: one, ...cost }: WorkspaceCost, other: WorkspaceCost): WorkspaceCost {
  const divided = addDivided([one ?? null, other.divided ?? null]);
  return { ...cost, amount: plus(cost.amount, other.amount), ...(divided && { divided }) };
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
