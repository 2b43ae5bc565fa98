import { compare, type Decimal, sum, ZERO } from "../../kernel/money.ts";
import type { Report, StageReport } from "../../report/model/report.ts";
import { stageKey } from "../../report/model/stage-label.ts";
import type { BudgetUse, WorkspaceCost } from "../model/context.ts";
import type { UndecidedReason } from "../model/finding.ts";
import { workspaceIsIn } from "../scope/scope.ts";
import { listLineDoubts, listReportGaps, unique, unknown } from "./doubts.ts";
import type { MeasureInput, Measurement, RuleKind } from "./rule-kind.ts";
import { findReportUsageDoubt } from "./usage-doubt.ts";

/**
 * Limits the monthly cost of a scope after this pull request and every other open pull request that may be
 * merged. Stages of this pull request count with their cost after it, other workspaces with their last known
 * cost, other pull requests with their increase. A decrease by another pull request does not count, because
 * it may never be merged.
 */
export const budget: RuleKind<"budget"> = {
  pers: ["pull-request"],
  parts: [],
  read: (report, look) => [measureBudget(report, look)],
};

function measureBudget(report: Report, look: MeasureInput<"budget">): Measurement {
  const { currency } = look.limit.amount;
  const { budgetUse } = look.context;
  const others = budgetUse === null ? NO_USE : inScope(budgetUse, look, report);
  const own = unique([
    ...listReportGaps(report),
    ...report.stages.flatMap((stage) => listStageDoubts(stage, currency)),
    ...findReportUsageDoubt(report),
  ]);
  const rise = sum(report.stages.map(({ change }) => change ?? ZERO));
  // A change that is known not to raise the cost cannot exceed a budget, whatever the other pull requests do.
  const raises = own.length === 0 && compare(rise, ZERO) <= 0 ? ({ raises: false } as const) : {};
  const because = unique([
    ...own,
    ...strangers([...others.workspaces, ...others.pulls], currency),
    ...(budgetUse === null ? [unknown(look.context.local ? "local_preview" : "not_read")] : []),
    ...(others.unknown.length > 0 ? [unknown("not_estimated")] : []),
  ]);
  if (because.length > 0) return { subject: null, value: null, because, ...raises };
  const amount = sum([
    ...report.stages.map(({ after }) => after ?? ZERO),
    ...others.workspaces.map((workspace) => workspace.amount),
    addedBy(others.pulls),
  ]);
  const value = { kind: "money", amount, currency, rough: Number(amount) } as const;
  return { subject: null, value, because: [], ...raises };
}

const NO_USE: BudgetUse = { workspaces: [], pulls: [], unknown: [] };

function inScope(
  { workspaces, pulls, unknown: missing }: BudgetUse,
  look: MeasureInput,
  { stages }: Report,
): BudgetUse {
  const touched = new Set(stages.map(stageKey));
  const isIn = (stage: Parameters<MeasureInput["names"]["nameOf"]>[0]): boolean =>
    workspaceIsIn(look.scope, { workspace: stage.workspace, name: look.names.nameOf(stage) });
  return {
    workspaces: workspaces.filter((workspace) => !touched.has(stageKey(workspace)) && isIn(workspace)),
    pulls: pulls.filter(isIn),
    unknown: missing.filter(isIn),
  };
}

/** The sum of the increases of the other pull requests. */
function addedBy(pulls: BudgetUse["pulls"]): Decimal {
  const sums = [...Map.groupBy(pulls, ({ number }) => number).values()].map((own) =>
    sum(own.map(({ amount }) => amount)),
  );
  return sum(sums.filter((added) => compare(added, ZERO) > 0));
}

function listStageDoubts(stage: StageReport, currency: string): readonly UndecidedReason[] {
  const because = listLineDoubts(stage);
  if (because.length > 0) return because;
  return otherCurrency(stage.currency ?? "", currency);
}

const strangers = (costs: readonly WorkspaceCost[], currency: string): readonly UndecidedReason[] =>
  costs.flatMap((cost) => (cost.amount === ZERO ? [] : otherCurrency(cost.currency, currency)));

const otherCurrency = (found: string, expected: string): readonly UndecidedReason[] =>
  found === expected ? [] : [{ kind: "other_currency", found, expected }];
