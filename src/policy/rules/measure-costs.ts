import { fromMonthParts, startAt, toMonthParts, toSpanEnd } from "../../kernel/fiscal-periods.ts";
import { toIsoDay } from "../../kernel/instant.ts";
import { compare, type Decimal, negate, sum, sumKnown, ZERO } from "../../kernel/money.ts";
import type { TagReading } from "../../kernel/resource-tags.ts";
import type { UnknownReason } from "../../report/model/facts.ts";
import type { CostLine, Report, ResourceReport, StageReport, TagReport } from "../../report/model/report.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";
import { buildTagReports, findUndivided, listTagSides } from "../../report/tags.ts";
import { isRounding } from "../../report/totals.ts";
import type { BudgetUse, Workspace, WorkspaceCost } from "../model/context.ts";
import { type CostDriver, formatTagSubject, type UndecidedReason } from "../model/finding.ts";
import { listScopeTags, type Scope } from "../model/policy.ts";
import { createTagMatcher, hasPatterns, isWorkspaceInScope } from "../scope/scope.ts";
import {
  buildLineKey,
  findReportUsageDoubt,
  groupByLine,
  groupUsageDoubts,
  type LineDivision,
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
  const usage = groupUsageDoubts(report, input, kind === "decrease");
  const drivers: ReadonlyMap<string, readonly CostDriver[]> =
    kind === "decrease" ? new Map() : groupDrivers(report, input);
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
  const missing = selectUniqueReasons([
    ...listMissingReasons(report, input, amount),
    ...listTagDoubts(report, input),
    ...elsewhere,
  ]);
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
function groupDrivers(report: Report, by: LineDivision): ReadonlyMap<string, readonly CostDriver[]> {
  const raising = report.resources.filter(
    ({ place, change }) => place !== undefined && change !== null && compare(change, ZERO) > 0,
  );
  const groups = groupByLine(raising, by);
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

function listSubjects(report: Report, input: MeasureInput<CostKind>): readonly CostSubject[] {
  const { per, names } = input;
  switch (per) {
    case "tag":
      return listTagLines(report, input).flatMap(({ kind, value, ...line }) => {
        if (kind !== "value" && kind !== "untagged") return [];
        const subject = formatTagSubject(value);
        return [{ subject, line, key: buildLineKey(line.currency, subject) }];
      });
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

/**
 * The cost by the rule's tag. What a source cannot price is in no total either; what stays with its tags does not matter to a limit
 * on an increase or a decrease.
 */
function listTagLines(report: Report, { limit, perTag = "" }: MeasureInput<CostKind>): readonly TagReport[] {
  const isChange = limit.kind === "increase" || limit.kind === "decrease";
  const stages = report.stages.map((stage) => {
    const unchanged = stage.unchanged?.filter(
      ({ cost, tags }) => cost !== null && (!isChange || listTagSides(tags).length > 1),
    );
    return { ...stage, ...(unchanged && { unchanged }) };
  });
  return buildTagReports({ ...report, stages }, perTag);
}

/** Why some cost may belong to any value of the rule's tag; of each stage alone, so that nothing cancels out. */
function listTagDoubts(
  report: Report,
  { per, perTag = "", limit: { kind } }: MeasureInput<CostKind>,
): readonly UndecidedReason[] {
  if (per !== "tag") return [];
  const amounts = {
    total: ["after"],
    percent: ["before", "change"],
    increase: ["change"],
    decrease: ["change"],
  } as const;
  return report.stages.flatMap((stage) =>
    amounts[kind as CostKind].flatMap((of) => {
      const undivided = stage.currency === null ? null : findUndivided(report, stage, { keys: [perTag], of });
      if (undivided === null) return [];
      return undivided === "rest" ? [PARTIAL] : [unknown("tags_unknown")];
    }),
  );
}

/** Why subjects may be missing from the lines, or amounts may be missing from all lines. */
function listMissingReasons(
  report: Report,
  { per, scope }: MeasureInput<CostKind>,
  amount: "after" | "change",
): readonly UndecidedReason[] {
  const gaps = [...listReportGaps(report), ...(amount === "after" ? listWholeDoubts(report, scope) : [])];
  if (per === "stage") return gaps;
  const doubted = report.stages.flatMap(amount === "after" ? listAfterDoubts : listLineDoubts);
  if (per === "pull-request") return report.totals.length > 0 ? gaps : [...gaps, ...doubted];
  if (per === "tag") return [...gaps, ...doubted];
  const lines = per === "module" ? report.modules : report.resourceTypes;
  const rests = lines.filter((line) => line.unattributed && !isRounding(line[amount]));
  const unknownParts = per === "module" ? report.modulesBecause.map(unknown) : [];
  const undivided = report.stages.filter((stage) => isUndivided(stage, per));
  return [...gaps, ...doubted, ...unknownParts, ...[...rests, ...undivided].map(() => PARTIAL)];
}

/** Why the cost afterwards of a part of the stages is unknown. */
function listWholeDoubts({ stages }: Report, scope: Scope | null): readonly UndecidedReason[] {
  if (stages.every(({ narrowed }) => narrowed?.amountsAreWhole !== false)) return [];
  return scope !== null && hasPatterns("tags", scope) ? [PARTIAL, unknown("tags_unknown")] : [PARTIAL];
}

/** Whether the cost of a stage is known, but not its division by `per`. */
const isUndivided = (stage: StageReport, per: "module" | "resource-type"): boolean => {
  const { currency, modules, modulesBecause, types } = stage;
  return (
    currency !== null && (per === "module" ? modules === null && modulesBecause === null : types === null)
  );
};

/**
 * Measures the cost of a scope after this pull request and every other open pull request that may be merged. A decrease by another open
 * pull request does not count, because it may never be merged.
 *
 * Per month, stages of this pull request count with their cost after it, other workspaces with their last known cost, other pull requests
 * with their increase. In a period, what was merged in it counts from its merge to the period's end, and this and other open pull requests
 * with what they would change from today on.
 */
export function measureBudget(report: Report, input: MeasureInput<"budget">): readonly Measurement[] {
  const { scope, limit } = input;
  const { currency } = limit.amount;
  const others = selectBudgetUse(report, input);
  const own = selectUniqueReasons([
    ...listReportGaps(report),
    ...report.stages.flatMap((stage) => listStageDoubts(stage, limit)),
    ...findReportUsageDoubt(report),
  ]);
  const rise = sumKnown(report.stages.map(({ change }) => change));
  // A change that is known not to raise the cost cannot exceed a budget, whatever the other pull requests do.
  const stays = own.length === 0 && rise !== null && compare(rise, ZERO) <= 0;
  const trend = stays ? ({ isRaised: false } as const) : {};
  const because = selectUniqueReasons([
    ...own,
    ...(limit.period === undefined ? listWholeDoubts(report, scope) : []),
    ...(others?.undivided ?? []),
    ...listForeignCosts([...(others?.costs ?? []), ...(others?.pulls ?? [])], currency),
    ...(others === null ? [unknown(deriveUnreadReason(input.context))] : []),
    ...((others?.unknown.length ?? 0) > 0 ? [unknown("not_estimated")] : []),
  ]);
  if (others === null || because.length > 0) return [{ ...createUndecided(because), ...trend }];
  const costs = others.costs.map((cost) => cost.amount);
  const added = sumAdditions(others.pulls);
  const amount =
    others.rest === undefined
      ? sum([...report.stages.map(({ after }) => after ?? ZERO), ...costs, added])
      : fromMonthParts(sum([...costs, toMonthParts(sum([rise ?? ZERO, added]), others.rest)]));
  const drivers = groupDrivers(report, { per: "pull-request" }).get(buildLineKey(currency)) ?? [];
  return [{ subject: null, value: { kind: "money", amount, currency }, because: [], drivers, ...trend }];
}

function deriveUnreadReason({ local, oneShot }: MeasureInput["context"]): UnknownReason {
  if (local) return "local_preview";
  return oneShot ? "no_history" : "not_read";
}

/**
 * What counts in the scope beside the pull request itself. `costs`: per month what other workspaces cost; in a period what was merged in it
 * costs, in month parts. `rest`: from today to the end of the period. Null: it was not read, or for a period that is over.
 */
function selectBudgetUse({ stages }: Report, { scope, names, limit, context }: MeasureInput<"budget">) {
  const { budgetUse, nowMs } = context;
  const period = budgetUse?.periods?.find((one) => one.unit === limit.period && nowMs < toSpanEnd(one));
  if (budgetUse === null || (limit.period !== undefined && period === undefined)) return null;
  const touched = new Set(stages.map(buildStageKey));
  const isIn = (stage: Workspace): boolean =>
    isWorkspaceInScope(scope, { workspace: stage.workspace, name: names.getName(stage) });
  const others = budgetUse.workspaces.filter((workspace) => !touched.has(buildStageKey(workspace)));
  const counted = narrowToTags((period?.merged ?? others).filter(isIn), scope);
  const pulls = narrowToTags(
    budgetUse.pulls.filter((pull) => isIn(pull) && (period === undefined || pull.isMerged !== true)),
    scope,
  );
  return {
    costs: counted.costs,
    pulls: pulls.costs,
    unknown: (period ?? budgetUse).unknown.filter(isIn),
    // Why costs are not known by the tags of the scope.
    undivided: selectUniqueReasons([...counted.undivided, ...pulls.undivided]),
    rest: period && startAt(period, toIsoDay(nowMs)),
  };
}

/** Takes of each cost what has the tags of a scope. */
function narrowToTags<Cost extends WorkspaceCost>(
  costs: readonly Cost[],
  scope: Scope | null,
): { readonly costs: readonly Cost[]; readonly undivided: readonly UndecidedReason[] } {
  const keys = listScopeTags(scope);
  const [key] = keys;
  if (scope === null || key === undefined) return { costs, undivided: [] };
  const match = createTagMatcher(scope);
  const isKnown = ({ divided }: WorkspaceCost) => keys.every((one) => divided?.keys.includes(one) === true);
  const names = [...new Set(costs.filter((cost) => !isKnown(cost)).map(({ workspace }) => workspace))];
  return {
    costs: costs.flatMap((cost) => {
      const { divided } = cost;
      if (divided === undefined || !isKnown(cost)) return [];
      const read = (values: readonly (string | null)[], own: string): TagReading => {
        const value = values[divided.keys.indexOf(own)] ?? null;
        return value === null ? { state: "missing" } : { state: "value", value };
      };
      const parts = divided.parts.filter(({ values }) => match((own) => read(values, own)) === "yes");
      return [{ ...cost, amount: sum(parts.map(({ amount }) => amount)) }];
    }),
    undivided: names.length === 0 ? [] : [{ kind: "workspace_tags", key, names }],
  };
}

/** The sum of the increases of the other pull requests. */
function sumAdditions(pulls: BudgetUse["pulls"]): Decimal {
  const sums = [...Map.groupBy(pulls, ({ number }) => number).values()].map((own) =>
    sum(own.map(({ amount }) => amount)),
  );
  return sum(sums.filter((added) => compare(added, ZERO) > 0));
}

/** A budget of each month depends on the cost afterwards, one for a period on the change. */
function listStageDoubts(
  stage: StageReport,
  { amount: { currency }, period }: MeasureInput<"budget">["limit"],
): readonly UndecidedReason[] {
  const because = period === undefined ? listAfterDoubts(stage) : listLineDoubts(stage);
  if (because.length > 0) return because;
  if (period !== undefined && stage.change === null) return [unknown("not_stated")];
  return period !== undefined && stage.change === ZERO ? [] : compareCurrency(stage.currency ?? "", currency);
}

const listForeignCosts = (costs: readonly WorkspaceCost[], currency: string): readonly UndecidedReason[] =>
  costs.flatMap((cost) => (cost.amount === ZERO ? [] : compareCurrency(cost.currency, currency)));

const compareCurrency = (found: string, expected: string): readonly UndecidedReason[] =>
  found === expected ? [] : [{ kind: "other_currency", found, expected }];
