import { compare, type Decimal, negate, sum, sumKnown, ZERO } from "../../kernel/money.ts";
import type { UnknownReason } from "../../report/model/facts.ts";
import type { CostLine, Report, ResourceReport, StageReport } from "../../report/model/report.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";
import { isRounding } from "../../report/totals.ts";
import type { BudgetUse, Workspace, WorkspaceCost } from "../model/context.ts";
import type { CostDriver, UndecidedReason } from "../model/finding.ts";
import type { RuleGranularity } from "../model/policy.ts";
import { isWorkspaceInScope } from "../scope/scope.ts";
import {
  buildLineKey,
  buildPartKey,
  findReportUsageDoubt,
  groupUsageDoubts,
  listAfterDoubts,
  listLineDoubts,
  listReportGaps,
  PARTIAL,
  selectUniqueReasons,
  unknown,
} from "./doubts.ts";
import { createUndecided, type MeasureInput, type Measurement, type SubjectValue } from "./measurement.ts";

type CostKind = "increase" | "decrease" | "percent" | "total";

/**
 * Measures the monthly cost: one measurement per line, and one for missing lines. A total depends on the cost after the change, other
 * limits on the change; a rest of that amount without a subject makes the rule undecided.
 */
export function measureCosts(report: Report, input: MeasureInput<CostKind>): readonly Measurement[] {
  const { kind } = input.limit as { readonly kind: CostKind }; // the other kinds have measures of their own
  const amount = kind === "total" ? "after" : "change";
  const subjects = listSubjects(report, input);
  // A limit on a decrease depends on how far the amount may fall, not only on how far it may rise.
  const usage = groupUsageDoubts(report, input.per, kind === "decrease");
  const drivers: ReadonlyMap<string, readonly CostDriver[]> =
    kind === "decrease" ? new Map() : groupDrivers(report, input.per);
  const measurements = subjects.map(({ subject, line, key }): Measurement => {
    const doubts = amount === "after" ? listAfterDoubts(line) : listLineDoubts(line);
    const because = [...doubts, ...(usage.get(key) ?? [])];
    const value = because.length === 0 ? readValue(kind, line) : null;
    if (value === null)
      return { subject, value, because: because.length > 0 ? because : [unknown("not_stated")] };
    // A cost after the change exceeds a limit only if this change raises it. An unknown change may raise it.
    const stays = kind === "total" && line.change !== null && compare(line.change, ZERO) <= 0;
    const own = drivers.get(key) ?? [];
    return { subject, value, because: [], drivers: own, ...(stays && { isRaised: false }) };
  });
  const keys = new Set(subjects.map(({ key }) => key));
  const elsewhere = [...usage].flatMap(([key, doubts]) => (keys.has(key) ? [] : doubts));
  const missing = selectUniqueReasons([...listMissingReasons(report, input, amount), ...elsewhere]);
  return missing.length === 0 ? measurements : [...measurements, createUndecided(missing)];
}

/** The value of a line; null: it does not state the amounts that the rule reads. */
function readValue(kind: CostKind, { before, after, change, currency }: CostLine): SubjectValue | null {
  if (after === null || currency === null) return null;
  if (kind === "total") return { kind: "money", amount: after, currency };
  if (before === null || change === null) return null;
  if (kind === "percent") return { kind: "percent", before, change };
  // A decrease never exceeds a limit on an increase, nor an increase one on a decrease.
  return { kind: "money", amount: kind === "decrease" ? negate(change) : change, currency };
}

/** Most resources of a subject that a finding names because their cost rises. */
const MAX_DRIVERS = 5;

/** The resources with a known place whose cost rises most, by the keys of their lines; the report lists the largest changes first. */
function groupDrivers(report: Report, per: RuleGranularity): ReadonlyMap<string, readonly CostDriver[]> {
  const raising = report.resources.filter(
    ({ place, change }) => place !== undefined && change !== null && compare(change, ZERO) > 0,
  );
  const groups = Map.groupBy(raising, (one) => buildPartKey(one, per));
  const toDriver = ({ address, change, currency, place }: ResourceReport): readonly CostDriver[] =>
    place === undefined || change === null ? [] : [{ address, change, currency, place }];
  return new Map([...groups].map(([key, own]) => [key, own.slice(0, MAX_DRIVERS).flatMap(toDriver)]));
}

/** A cost line and its subject. */
interface CostSubject {
  /** See `buildLineKey`. */
  readonly key: string;
  readonly subject: string | null;
  readonly line: CostLine;
}

function listSubjects(report: Report, { per, names }: MeasureInput<CostKind>): readonly CostSubject[] {
  switch (per) {
    case "pull-request":
      return report.totals.map((line) => ({ subject: null, line, key: buildLineKey(line.currency) }));
    case "stage":
      return report.stages.map((line) => ({
        subject: names.getLabel(line),
        line,
        key: buildLineKey(buildStageKey(line)),
      }));
    case "module":
      return report.modules
        .filter(({ unattributed }) => !unattributed)
        .map((line) => ({ subject: line.module, line, key: buildLineKey(line.currency, line.module) }));
    case "resource-type":
      return report.resourceTypes
        .filter(({ unattributed }) => !unattributed)
        .map((line) => ({ subject: line.type, line, key: buildLineKey(line.currency, line.type) }));
  }
}

/** Why subjects may be missing from the lines, or amounts may be missing from all lines. */
function listMissingReasons(
  report: Report,
  { per }: MeasureInput<CostKind>,
  amount: "after" | "change",
): readonly UndecidedReason[] {
  const unknownAmounts = report.stages.some(({ narrowed }) => narrowed?.amountsAreWhole === false);
  const gaps = [...listReportGaps(report), ...(amount === "after" && unknownAmounts ? [PARTIAL] : [])];
  if (per === "stage") return gaps;
  const doubted = report.stages.flatMap(amount === "after" ? listAfterDoubts : listLineDoubts);
  if (per === "pull-request") return report.totals.length > 0 ? gaps : [...gaps, ...doubted];
  const lines = per === "module" ? report.modules : report.resourceTypes;
  const rests = lines.filter((line) => line.unattributed && !isRounding(line[amount]));
  const unknownParts = per === "module" ? report.modulesBecause.map(unknown) : [];
  const undivided = report.stages.filter((stage) => isUndivided(stage, per));
  return [...gaps, ...doubted, ...unknownParts, ...[...rests, ...undivided].map(() => PARTIAL)];
}

/** Whether the cost of a stage is known, but not its division by `per`. */
const isUndivided = (stage: StageReport, per: "module" | "resource-type"): boolean => {
  const { currency, modules, modulesBecause, types } = stage;
  return (
    currency !== null && (per === "module" ? modules === null && modulesBecause === null : types === null)
  );
};

/**
 * Measures the monthly cost of a scope after this pull request and every other open pull request that may be
 * merged. Stages of this pull request count with their cost after it, other workspaces with their last known
 * cost, other pull requests with their increase. A decrease by another pull request does not count, because
 * it may never be merged.
 */
export function measureBudget(report: Report, input: MeasureInput<"budget">): readonly Measurement[] {
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
  if (because.length > 0) return [{ ...createUndecided(because), ...trend }];
  const amount = sum([
    ...report.stages.map(({ after }) => after ?? ZERO),
    ...others.workspaces.map((workspace) => workspace.amount),
    sumAdditions(others.pulls),
  ]);
  const drivers = groupDrivers(report, "pull-request").get(buildLineKey(currency)) ?? [];
  return [{ subject: null, value: { kind: "money", amount, currency }, because: [], drivers, ...trend }];
}

function deriveUnreadReason({ local, oneShot }: MeasureInput["context"]): UnknownReason {
  if (local) return "local_preview";
  return oneShot ? "no_history" : "not_read";
}

const NO_BUDGET_USE: BudgetUse = { workspaces: [], pulls: [], unknown: [] };

function narrowBudgetUse(
  { workspaces, pulls, unknown: missing }: BudgetUse,
  { scope, names }: MeasureInput<"budget">,
  { stages }: Report,
): BudgetUse {
  const touched = new Set(stages.map(buildStageKey));
  const isIn = (stage: Workspace): boolean =>
    isWorkspaceInScope(scope, { workspace: stage.workspace, name: names.getName(stage) });
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
  return because.length > 0 ? because : compareCurrency(stage.currency ?? "", currency);
}

const listForeignCosts = (costs: readonly WorkspaceCost[], currency: string): readonly UndecidedReason[] =>
  costs.flatMap((cost) => (cost.amount === ZERO ? [] : compareCurrency(cost.currency, currency)));

const compareCurrency = (found: string, expected: string): readonly UndecidedReason[] =>
  found === expected ? [] : [{ kind: "other_currency", found, expected }];
