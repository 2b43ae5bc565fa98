import { compare, type Decimal, sum, sumKnown, ZERO } from "../../kernel/money.ts";
import type { UnknownReason } from "../../report/model/facts.ts";
import type { Report, StageReport } from "../../report/model/report.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";
import type { BudgetUse, WorkspaceCost } from "../model/context.ts";
import type { UndecidedReason } from "../model/finding.ts";
import { isWorkspaceInScope } from "../scope/scope.ts";
import {
  findReportUsageDoubt,
  listAfterDoubts,
  listReportGaps,
  selectUniqueReasons,
  unknown,
} from "./doubts.ts";
import type { MeasureInput, Measurement, RuleKind } from "./rule-kind.ts";

/**
 * Limits the monthly cost of a scope after this pull request and every other open pull request that may be
 * merged. Stages of this pull request count with their cost after it, other workspaces with their last known
 * cost, other pull requests with their increase. A decrease by another pull request does not count, because
 * it may never be merged.
 */
export const budget: RuleKind<"budget"> = {
  granularities: ["pull-request"],
  parts: [],
  read: (report, input) => [measureBudget(report, input)],
};

function measureBudget(report: Report, input: MeasureInput<"budget">): Measurement {
  const { currency } = input.limit.amount;
  const { budgetUse } = input.context;
  const others = budgetUse === null ? NO_BUDGET_USE : narrowBudgetUse(budgetUse, input, report);
  const own = selectUniqueReasons([
    ...listReportGaps(report),
    ...report.stages.flatMap((stage) => listStageDoubts(stage, currency)),
    ...findReportUsageDoubt(report),
  ]);
  const rise = sumKnown(report.stages.map(({ change }) => change));
  // A change that is known not to raise the cost cannot exceed a budget, whatever the other pull requests do.
  const stays = own.length === 0 && rise !== null && compare(rise, ZERO) <= 0;
  const trend = stays ? ({ isRaised: false } as const) : {};
  const because = selectUniqueReasons([
    ...own,
    ...listForeignCosts([...others.workspaces, ...others.pulls], currency),
    ...(budgetUse === null ? [unknown(deriveUnreadReason(input.context))] : []),
    ...(others.unknown.length > 0 ? [unknown("not_estimated")] : []),
  ]);
  if (because.length > 0) return { subject: null, value: null, because, ...trend };
  const amount = sum([
    ...report.stages.map(({ after }) => after ?? ZERO),
    ...others.workspaces.map((workspace) => workspace.amount),
    sumAdditions(others.pulls),
  ]);
  const value = { kind: "money", amount, currency } as const;
  return { subject: null, value, because: [], ...trend };
}

function deriveUnreadReason({ local, oneShot }: MeasureInput["context"]): UnknownReason {
  if (local) return "local_preview";
  return oneShot ? "no_history" : "not_read";
}

const NO_BUDGET_USE: BudgetUse = { workspaces: [], pulls: [], unknown: [] };

function narrowBudgetUse(
  { workspaces, pulls, unknown: missing }: BudgetUse,
  input: MeasureInput,
  { stages }: Report,
): BudgetUse {
  const touched = new Set(stages.map(buildStageKey));
  const isIn = (stage: Parameters<MeasureInput["names"]["getName"]>[0]): boolean =>
    isWorkspaceInScope(input.scope, { workspace: stage.workspace, name: input.names.getName(stage) });
  return {
    workspaces: workspaces.filter((workspace) => !touched.has(buildStageKey(workspace)) && isIn(workspace)),
    pulls: pulls.filter(isIn),
    unknown: missing.filter(isIn),
  };
}

/** The sum of the increases of the other pull requests. */
function sumAdditions(pulls: BudgetUse["pulls"]): Decimal {
  const sums = [...Map.groupBy(pulls, ({ number }) => number).values()].map((own) =>
    sum(own.map(({ amount }) => amount)),
  );
  return sum(sums.filter((added) => compare(added, ZERO) > 0));
}

function listStageDoubts(stage: StageReport, currency: string): readonly UndecidedReason[] {
  const because = listAfterDoubts(stage);
  if (because.length > 0) return because;
  return compareCurrency(stage.currency ?? "", currency);
}

const listForeignCosts = (costs: readonly WorkspaceCost[], currency: string): readonly UndecidedReason[] =>
  costs.flatMap((cost) => (cost.amount === ZERO ? [] : compareCurrency(cost.currency, currency)));

const compareCurrency = (found: string, expected: string): readonly UndecidedReason[] =>
  found === expected ? [] : [{ kind: "other_currency", found, expected }];
