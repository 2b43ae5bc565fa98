import { type Decimal, plus, sum, ZERO } from "../../kernel/money.ts";
import type { Report, StageReport } from "../../report/report.ts";
import { stageKey } from "../../report/stage-label.ts";
import type { BudgetUse, WorkspaceCost } from "../context.ts";
import type { Undecided } from "../finding.ts";
import { workspaceIsIn } from "../scope/scope.ts";
import { becauseOf, gapsOf, unique, unknown } from "./because.ts";
import type { Look, Reading, RuleKind } from "./rule-kind.ts";

/**
 * What a scope costs per month once this pull request and every other open one that may be merged are in: stages that this
 * one touches as they will be, the other workspaces as they were last seen, and what the others add.
 */
export const budget: RuleKind<"budget"> = {
  pers: ["pull-request"],
  parts: [],
  read: (report, look) => [readingOf(report, look)],
};

function readingOf(report: Report, look: Look<"budget">): Reading {
  const { currency } = look.limit.amount;
  const use = look.context.budgetUse;
  const others = use === null ? [] : inScope(use, look, report);
  const because = unique([
    ...gapsOf(report),
    ...report.stages.flatMap((stage) => doubtsOf(stage, currency)),
    ...strangers(others, currency),
    ...(use === null ? [unknown("not_read")] : []),
  ]);
  if (because.length > 0) return { subject: null, value: null, because };
  const own = sum(report.stages.map(({ current }) => current ?? ZERO));
  const amount = plus(own, sum(others.map(({ amount: other }) => other)));
  return { subject: null, value: { kind: "money", amount, currency, rough: Number(amount) }, because: [] };
}

function inScope(
  { workspaces, pulls }: BudgetUse,
  { scope }: Look<"budget">,
  { stages }: Report,
): readonly WorkspaceCost[] {
  const touched = new Set(stages.map(stageKey));
  const untouched = workspaces.filter((workspace) => !touched.has(stageKey(workspace)));
  return [...untouched, ...pulls].filter((cost) => workspaceIsIn(scope, cost));
}

function doubtsOf(stage: StageReport, currency: string): readonly Undecided[] {
  const because = becauseOf(stage);
  if (because.length > 0) return because;
  return otherCurrency(stage.currency ?? "", currency);
}

const strangers = (
  costs: readonly { currency: string; amount: Decimal }[],
  currency: string,
): readonly Undecided[] =>
  costs.flatMap((cost) => (cost.amount === ZERO ? [] : otherCurrency(cost.currency, currency)));

const otherCurrency = (found: string, expected: string): readonly Undecided[] =>
  found === expected ? [] : [{ kind: "other_currency", found, expected }];
