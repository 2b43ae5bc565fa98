import type {
  ContextName,
  GovernanceCounts,
  GovernancePrompt,
  OpenAnomalies,
  Schedule,
} from "../../report/model/context.ts";
import type { Fact, UnknownReason } from "../../report/model/facts.ts";
import type { Report } from "../../report/model/report.ts";
import { getFactValue } from "../../report/stages.ts";
import { formatName, type Inline } from "../escape.ts";
import { formatDay, formatDuration, formatMoney } from "../format.ts";
import type { Section, Subject } from "./section.ts";
import { createWorkspaceLabels, findReportableReason, formatFactAge } from "./section.ts";
import { buildUnitCostViews } from "./unit-costs.ts";

interface AnomaliesView {
  readonly count: number;
  readonly impact: Inline | null;
  readonly items: readonly {
    readonly resource: Inline;
    readonly perspective: Inline | null;
    readonly spend: Inline | null;
  }[];
  readonly age: Inline | null;
}

interface GovernanceView {
  readonly day: Inline;
  readonly failed: number;
  readonly total: number;
  readonly age: Inline | null;
}

const MAX_ANOMALIES = 3;
const NAMES: readonly ContextName[] = [
  "savings",
  "anomalies",
  "governance",
  "prompts",
  "unitCosts",
  "schedules",
];

/**
 * The section about the context of the pull request. Facts that were not requested or are not granted are
 * omitted.
 */
export function buildContextSection({ evaluation: { report, pull } }: Subject): Section {
  return {
    template: "context",
    rows: 0,
    isRequired: false,
    view: () => {
      const view = buildContextView(report, pull.figures);
      return Object.values(view).every((part) => part === null || (Array.isArray(part) && part.length === 0))
        ? null
        : view;
    },
  };
}

function buildContextView(report: Report, figures: boolean) {
  const { anomalies, governance, unitCosts, schedules, prompts } = report.context;
  return {
    anomalies: mapFact(anomalies, (value) => buildAnomaliesView(value, figures), formatFactAge(anomalies)),
    governance: mapFact(governance, buildGovernanceView, formatFactAge(governance)),
    prompts: buildPromptsView(getFactValue(prompts) ?? [], formatFactAge(prompts)),
    units: figures ? buildUnitCostViews(getFactValue(unitCosts) ?? [], formatFactAge(unitCosts)) : [],
    lifetimes: buildLifetimeViews(report, figures),
    schedules: buildScheduleViews(report, schedules),
    unknown: listUnknown(report),
  };
}

const mapFact = <T, V>(fact: Fact<T>, view: (value: T) => V, age: Inline | null) => {
  const value = getFactValue(fact);
  return value === null ? null : { ...view(value), age };
};

function buildAnomaliesView(
  { count, impact, items }: OpenAnomalies,
  figures: boolean,
): Omit<AnomaliesView, "age"> {
  return {
    count,
    impact: impact === null || !figures ? null : formatMoney(impact),
    items: items.slice(0, MAX_ANOMALIES).map(({ resource, perspective, spend }) => ({
      resource: formatName(resource),
      perspective: perspective === null ? null : formatName(perspective),
      spend: spend === null || !figures ? null : formatMoney(spend),
    })),
  };
}

function buildGovernanceView({ day, failed, total }: GovernanceCounts): Omit<GovernanceView, "age"> {
  return { day: formatDay(day), failed, total };
}

function listUnknown({
  context,
}: Report): readonly { readonly name: ContextName; readonly reason: UnknownReason }[] {
  return NAMES.flatMap((own) => {
    const reason = findReportableReason<unknown>(context[own]);
    return reason === null ? [] : [{ name: own, reason }];
  });
}

interface PromptsView {
  readonly count: number;
  readonly items: readonly {
    readonly description: Inline;
    readonly types: readonly { readonly type: Inline }[];
  }[];
  readonly more: number;
  readonly age: Inline | null;
}

const MAX_PROMPTS = 3;
const MAX_TYPES = 2;

/** The rules that governance suggests for touched resource types; null: none. */
function buildPromptsView(prompts: readonly GovernancePrompt[], age: Inline | null): PromptsView | null {
  if (prompts.length === 0) return null;
  const items = prompts.slice(0, MAX_PROMPTS).map(({ description, types }) => ({
    description: formatName(description),
    types: types.slice(0, MAX_TYPES).map((type) => ({ type: formatName(type) })),
  }));
  return { count: prompts.length, items, more: prompts.length - items.length, age };
}

interface LifetimeView {
  readonly stage: Inline | null;
  readonly lifetime: Inline;
  readonly amount: Inline | null;
  readonly age: Inline | null;
}

interface ScheduleView {
  readonly project: Inline;
  readonly drift: Inline | null;
  /** The day on which created resources are destroyed. */
  readonly onDate: Inline | null;
  readonly age: Inline | null;
}

const MAX_LIFETIMES = 5;
const MAX_SCHEDULES = 5;

/** The cost of stages that are destroyed automatically, until their destruction. */
function buildLifetimeViews(report: Report, figures: boolean): readonly LifetimeView[] {
  const stage = createWorkspaceLabels(report);
  return report.lifetimes.slice(0, MAX_LIFETIMES).map(({ workspace, currency, lifetimeMs, amount }) => {
    const label = stage(workspace);
    return {
      stage: label === null ? null : formatName(label),
      lifetime: formatDuration(lifetimeMs),
      amount: figures ? formatMoney({ amount, currency }) : null,
      age: formatFactAge(report.context.schedules),
    };
  });
}

/** The intervals of drift detection, and the lifetimes of a project's workspaces. */
function buildScheduleViews(
  { stages }: Report,
  schedules: Fact<readonly Schedule[]>,
): readonly ScheduleView[] {
  const touched = (getFactValue(schedules) ?? []).filter(({ org, project }) =>
    stages.some((stage) => stage.org === org && stage.project === project),
  );
  return touched
    .filter(({ driftEveryMs, lifetime }) => driftEveryMs !== null || (lifetime?.onDate ?? null) !== null)
    .slice(0, MAX_SCHEDULES)
    .map(({ org, project, driftEveryMs, lifetime }) => ({
      project: formatName(`${org}/${project}`),
      drift: driftEveryMs === null ? null : formatDuration(driftEveryMs),
      onDate: lifetime?.onDate == null ? null : formatDay(lifetime.onDate),
      age: formatFactAge(schedules),
    }));
}
