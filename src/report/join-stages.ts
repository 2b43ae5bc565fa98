import { plus, sumKnown, ZERO } from "../kernel/money.ts";
import type { CostDelta } from "./model/facts.ts";
import { findModulePath } from "./model/module-path.ts";
import type { Report, StageReport } from "./model/report.ts";
import { buildStageKey } from "./model/stage-label.ts";
import { sumCounts, sumUnpriced } from "./stages.ts";
import { combineConfidence, OTHER_CURRENCY, sumDeltas, withPercent } from "./totals.ts";
import { countStageUsage, isIntroduced } from "./usage.ts";

/**
 * Returns the parts of a stage that a plan changes: each module by its path (`module.web`), and in the root module each resource, without
 * its key. Null: they are not all known. Drift that the plan does not touch is no change.
 */
export function listChangedParts(report: Report, stage: StageReport): ReadonlySet<string> | null {
  const key = buildStageKey(stage);
  const { rowsBecause, omittedRows, unreadRows, planNotes } = stage;
  const invocations = planNotes?.invocations ?? { listed: [], more: 0 };
  if (rowsBecause !== null || omittedRows + unreadRows + invocations.more > 0) return null;
  const rows = report.rows.filter((row) => row.stage === key && row.change !== "drifted");
  const priced = report.resources.filter((one) => one.stage === key && one.change !== ZERO);
  const addresses = [
    ...rows.flatMap(({ address, previousAddress = address }) => [address, previousAddress]),
    ...[...priced, ...invocations.listed].map(({ address }) => address),
    ...(stage.usageBased?.resources ?? []).filter(isIntroduced).map(({ address }) => address),
  ];
  // A changed stage changes something, so without an address its parts are unknown.
  return addresses.length === 0 ? null : new Set(addresses.map(toPart));
}

const KEYS = /\["(?:[^"\\]|\\.)*"\]|\[[^\]"]*\]/g;

function toPart(address: string): string {
  const module = findModulePath(address);
  return module === null ? address.replaceAll(KEYS, "") : `module.${module.replaceAll(".", ".module.")}`;
}

/**
 * Joins stages of one workspace whose plans change different parts of it: the newest plan states what was there before, and all changes are
 * made to that. Unpriced resources are at most the sum. What each plan states of the whole workspace is unknown: the resources whose cost
 * stays, actions, and what the estimator found. Returns one stage, none of none.
 */
export function joinStages(stages: readonly StageReport[]): readonly StageReport[] {
  const all = stages.toSorted((a, b) => (b.createdMs ?? 0) - (a.createdMs ?? 0));
  const [newest] = all;
  if (newest === undefined || all.length === 1) return all;
  const { unchanged: _, planNotes: __, estimatorFindings: ___, usageBased: ____, ...stage } = newest;
  const joined = {
    ...stage,
    ...joinCosts(all),
    ...joinUsage(all),
    counts: joinCounts(all),
    countsBecause: findFirst(all, ({ countsBecause }) => countsBecause),
    modules: joinModules(all),
    modulesBecause: findFirst(all, ({ modulesBecause }) => modulesBecause),
    types: joinTypes(all),
    omittedRows: all.reduce((sum, { omittedRows }) => sum + omittedRows, 0),
    unreadRows: all.reduce((sum, { unreadRows }) => sum + unreadRows, 0),
    rowsBecause: findFirst(all, ({ rowsBecause }) => rowsBecause),
    unpriced: all.every(({ unpriced }) => unpriced !== null) ? sumUnpriced(all) : null,
    problems: [...new Set(all.flatMap(({ problems }) => problems))],
    notices: [...new Set(all.flatMap(({ notices }) => notices))],
  };
  return [joined];
}

/** Drift is the same in every plan that sees it. */
function joinCounts(all: readonly StageReport[]): StageReport["counts"] {
  const counts = sumCounts(all);
  return counts && { ...counts, drifted: Math.max(...all.map((stage) => stage.counts?.drifted ?? 0)) };
}

const findFirst = <T>(all: readonly StageReport[], read: (stage: StageReport) => T | null): T | null =>
  all.map(read).find((value) => value !== null) ?? null;

function joinCosts(all: readonly StageReport[]) {
  const isOneCurrency = new Set(all.map(({ currency }) => currency)).size === 1;
  return { ...addChanges(all), ...combineConfidence(isOneCurrency ? all : [...all, OTHER_CURRENCY]) };
}

/** The newest amount before, and what all changes make of it. `all`: the newest first. */
function addChanges(all: readonly CostDelta[]): CostDelta {
  const before = all[0]?.before ?? null;
  const change = sumKnown(all.map((one) => one.change));
  const after = before === null || change === null ? null : plus(before, change);
  return withPercent({ before, after, change, percent: null });
}

/** The stage as it is after the changes of others: they are part of the amounts before and after. */
export function addStagesBefore(stage: StageReport, others: readonly StageReport[]): StageReport {
  const shift = sumKnown(others.map(({ change }) => change));
  const add = (amount: StageReport["before"]) =>
    amount === null || shift === null ? null : plus(amount, shift);
  const [before, after] = [add(stage.before), add(stage.after)];
  const { state, because } = joinCosts([stage, ...others]);
  const amounts = withPercent({ before, after, change: stage.change, percent: null });
  return { ...stage, ...amounts, state, because };
}

function joinModules(all: readonly StageReport[]): StageReport["modules"] {
  if (all.some(({ modules }) => modules === null)) return null;
  const named = Map.groupBy(
    all.flatMap(({ modules }) => modules ?? []),
    ({ module, currency }) => JSON.stringify([module, currency]),
  );
  return [...named.values()].flatMap((own) =>
    own.slice(0, 1).map((first) => ({ ...first, ...addChanges(own) })),
  );
}

/** The amounts of a type are those of its changed resources, which no other plan changes. */
function joinTypes(all: readonly StageReport[]): StageReport["types"] {
  if (all.some(({ types }) => types === null)) return null;
  const named = Map.groupBy(
    all.flatMap(({ types }) => types ?? []),
    ({ type }) => type,
  );
  return [...named].map(([type, own]) => ({ type, ...sumDeltas(own) }));
}

function joinUsage(all: readonly StageReport[]): Pick<StageReport, "usageBased" | "usage"> {
  const stated = all.flatMap(({ usageBased }) => usageBased ?? []);
  const [first] = stated;
  if (first === undefined) return { usage: undefined };
  const resources = new Map(
    stated
      .flatMap((one) => one.resources)
      .sort((a, b) => Number(b.change === "unchanged") - Number(a.change === "unchanged"))
      .map((one) => [one.address, one]),
  );
  const usageBased = {
    resources: [...resources.values()],
    unnamed: stated.reduce((sum, { unnamed }) => sum + unnamed, 0),
    unnamedUnchanged: first.unnamedUnchanged,
    isStated: stated.length === all.length && stated.every(({ isStated }) => isStated),
  };
  return { usageBased, usage: countStageUsage(usageBased) };
}
