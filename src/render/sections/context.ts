import type { ContextName, GovernanceCounts, OpenAnomalies } from "../../report/model/context.ts";
import type { Fact, UnknownReason } from "../../report/model/facts.ts";
import type { Report } from "../../report/model/report.ts";
import { getFactValue } from "../../report/stages/stages.ts";
import { formatMoney } from "../format/money.ts";
import { formatDay } from "../format/time.ts";
import { formatName, type Inline } from "../markup/escape.ts";
import { findReportableReason, formatFactAge } from "./fact-age.ts";
import { buildPromptsView } from "./prompts.ts";
import { buildLifetimeViews, buildScheduleViews } from "./schedules.ts";
import type { Section, Subject } from "./section.ts";
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
