import { computePercentChange, type Decimal, ZERO } from "../../kernel/money.ts";
import type { UnitCost } from "../../report/model/context.ts";
import type { Fact, UnknownReason } from "../../report/model/facts.ts";
import type { Report } from "../../report/model/report.ts";
import { getFactValue } from "../../report/stages.ts";
import { formatName, formatSentence, parseLinkTarget } from "../escape.ts";
import {
  createDistinctStyle,
  createUnitStyle,
  formatDay,
  formatDuration,
  formatMoney,
  formatPercent,
  formatUtcDay,
} from "../format.ts";
import { createWorkspaceLabels, formatFactAge, type Section, type SectionSource } from "./section.ts";

const MAX_ANOMALIES = 3;
const MAX_PROMPTS = 3;
const MAX_TYPES = 2;
const MAX_LIFETIMES = 5;
const MAX_SCHEDULES = 5;
/** Largest number of units that are shown. */
export const MAX_UNITS = 5;

/**
 * The section about the context of the pull request. Facts that were not requested or are not granted are
 * omitted.
 */
export const buildContextSection = ({ evaluation: { report, pull } }: SectionSource): Section => ({
  template: "context",
  view: () => {
    const view = buildContextView(report, pull.figures);
    const isEmpty = (part: unknown) => part === null || (Array.isArray(part) && part.length === 0);
    return Object.values(view).every(isEmpty) ? null : view;
  },
});

const buildContextView = (report: Report, figures: boolean) => ({
  anomalies: buildAnomaliesView(report, figures),
  governance: mapFact(report.context.governance, ({ day, failed, total }) => ({
    ...{ day: formatDay(day), failed, total },
  })),
  prompts: buildPromptsView(report),
  units: figures ? buildUnitCostViews(report) : [],
  lifetimes: buildLifetimeViews(report, figures),
  schedules: buildScheduleViews(report),
  unknown: listUnknown(report),
});

const mapFact = <T, V extends object>(fact: Fact<T>, view: (value: T) => V) => {
  const value = getFactValue(fact);
  return value === null ? null : { ...view(value), age: formatFactAge(fact) };
};

const buildAnomaliesView = ({ context }: Report, figures: boolean) =>
  mapFact(context.anomalies, ({ count, impact, page, items }) => ({
    count,
    impact: impact === null || !figures ? null : formatMoney(impact),
    page: page === undefined ? null : parseLinkTarget(page),
    more: count - Math.min(MAX_ANOMALIES, items.length),
    items: items.slice(0, MAX_ANOMALIES).map(({ resource, perspective, spend, sinceMs, criticality }) => ({
      resource: formatName(resource),
      perspective: perspective === null ? null : formatName(perspective),
      spend: spend === null || !figures ? null : formatMoney(spend),
      criticality: criticality === undefined ? null : formatSentence(criticality.toLowerCase()),
      since: sinceMs === undefined ? null : formatUtcDay(sinceMs),
    })),
  }));

/** The rules that governance suggests for touched resource types; null: none. */
function buildPromptsView({ context }: Report) {
  const prompts = getFactValue(context.prompts) ?? [];
  if (prompts.length === 0) return null;
  const items = prompts.slice(0, MAX_PROMPTS).map(({ description, types }) => ({
    description: formatName(description),
    types: types.slice(0, MAX_TYPES).map((type) => ({ type: formatName(type) })),
  }));
  return {
    count: prompts.length,
    items,
    more: prompts.length - items.length,
    age: formatFactAge(context.prompts),
  };
}

/** The cost of one unit now and after merging; different amounts are displayed differently. */
const buildUnitCostViews = ({ context: { unitCosts } }: Report) =>
  (getFactValue(unitCosts) ?? [])
    .filter(({ before, after }) => before !== null || after !== null)
    .slice(0, MAX_UNITS)
    .map((unit) => ({ ...buildUnitCostView(unit), age: formatFactAge(unitCosts) }));

/** `perspective`: the one whose bill the unit cost is derived from; null: none. */
function buildUnitCostView({ name, perspective, before, after, currency, asOf }: UnitCost) {
  const amounts = [before, after].filter((amount) => amount !== null);
  const style = (perspective === null ? createUnitStyle : createDistinctStyle)(currency, amounts);
  const write = (amount: Decimal | null) => (amount === null ? null : style.amount(amount));
  const percent = before === null || after === null ? null : computePercentChange(before, after);
  return {
    unit: formatName(name),
    perspective: perspective === null ? null : formatName(perspective),
    before: write(before),
    after: write(after),
    percent: percent === null || percent === ZERO ? null : formatPercent(percent),
    asOf: asOf === null ? null : formatDay(asOf),
  };
}

/** The cost of stages that are destroyed automatically, until their destruction. */
function buildLifetimeViews(report: Report, figures: boolean) {
  const stage = createWorkspaceLabels(report, formatName);
  return report.lifetimes.slice(0, MAX_LIFETIMES).map(({ workspace, currency, lifetimeMs, amount }) => ({
    stage: stage(workspace),
    lifetime: formatDuration(lifetimeMs),
    amount: figures ? formatMoney({ amount, currency }) : null,
    age: formatFactAge(report.context.schedules),
  }));
}

/** The intervals of drift detection, and the days on which what a project creates is destroyed. */
const buildScheduleViews = ({ stages, context: { schedules } }: Report) =>
  (getFactValue(schedules) ?? [])
    .filter(({ org, project }) => stages.some((stage) => stage.org === org && stage.project === project))
    .filter(({ driftEveryMs, lifetime }) => driftEveryMs !== null || (lifetime?.onDate ?? null) !== null)
    .slice(0, MAX_SCHEDULES)
    .map(({ org, project, driftEveryMs, lifetime }) => ({
      project: formatName(`${org}/${project}`),
      drift: driftEveryMs === null ? null : formatDuration(driftEveryMs),
      onDate: lifetime?.onDate == null ? null : formatDay(lifetime.onDate),
      age: formatFactAge(schedules),
    }));

const UNREPORTED_REASONS: ReadonlySet<UnknownReason> = new Set(["not_granted", "not_read", "local_preview"]);

function listUnknown({ context }: Report) {
  const names = ["savings", "anomalies", "governance", "prompts", "unitCosts", "schedules"] as const;
  return names.flatMap((name) => {
    const fact: Fact<unknown> = context[name];
    return fact.state !== "unknown" || UNREPORTED_REASONS.has(fact.reason)
      ? []
      : [{ name, reason: fact.reason }];
  });
}
