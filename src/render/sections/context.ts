import type { ContextName, GovernanceCounts, OpenAnomalies } from "../../report/model/context.ts";
import type { Fact, UnknownReason } from "../../report/model/facts.ts";
import type { Report } from "../../report/model/report.ts";
import { factValue } from "../../report/stages/stages.ts";
import { formatMoney } from "../format/money.ts";
import { formatDay } from "../format/time.ts";
import { type Inline, name } from "../markup/escape.ts";
import { formatFactAge, worthTelling } from "./fact-age.ts";
import { promptsView } from "./prompts.ts";
import { lifetimeViews, scheduleViews } from "./schedules.ts";
import type { Section, Subject } from "./section.ts";
import { unitCostViews } from "./unit-costs.ts";

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

const ANOMALIES = 3;
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
export function contextSection({ evaluation: { report, pull } }: Subject): Section {
  return {
    template: "context",
    rows: 0,
    keep: false,
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
    anomalies: mapFact(anomalies, (value) => anomaliesView(value, figures), formatFactAge(anomalies)),
    governance: mapFact(governance, governanceView, formatFactAge(governance)),
    prompts: promptsView(factValue(prompts) ?? [], formatFactAge(prompts)),
    units: figures ? unitCostViews(factValue(unitCosts) ?? [], formatFactAge(unitCosts)) : [],
    lifetimes: lifetimeViews(report, figures),
    schedules: scheduleViews(report, schedules),
    unknown: listUnknown(report),
  };
}

const mapFact = <T, V>(fact: Fact<T>, view: (value: T) => V, age: Inline | null) => {
  const value = factValue(fact);
  return value === null ? null : { ...view(value), age };
};

function anomaliesView(
  { count, impact, items }: OpenAnomalies,
  figures: boolean,
): Omit<AnomaliesView, "age"> {
  return {
    count,
    impact: impact === null || !figures ? null : formatMoney(impact),
    items: items.slice(0, ANOMALIES).map(({ resource, perspective, spend }) => ({
      resource: name(resource),
      perspective: perspective === null ? null : name(perspective),
      spend: spend === null || !figures ? null : formatMoney(spend),
    })),
  };
}

function governanceView({ day, failed, total }: GovernanceCounts): Omit<GovernanceView, "age"> {
  return { day: formatDay(day), failed, total };
}

function listUnknown({
  context,
}: Report): readonly { readonly name: ContextName; readonly reason: UnknownReason }[] {
  return NAMES.flatMap((own) => {
    const reason = worthTelling<unknown>(context[own]);
    return reason === null ? [] : [{ name: own, reason }];
  });
}
