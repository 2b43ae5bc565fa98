import { compare, type Decimal, type Money, minus, plus } from "../kernel/money.ts";
import { assembleReport } from "./build.ts";
import { addStagesBefore, joinStages } from "./join-stages.ts";
import type {
  ContextFacts,
  GovernanceCounts,
  GovernancePrompt,
  OpenAnomalies,
  Savings,
  Schedule,
  UnitCost,
} from "./model/context.ts";
import type { Fact } from "./model/facts.ts";
import type { Report, ReportedRow, StageReport } from "./model/report.ts";
import { buildStageKey } from "./model/stage-label.ts";
import { isTouched } from "./resources.ts";

/**
 * Joins several pull requests into one report with every stage once: of the reports that touch it, else the last one. Where several
 * touch it, their plans must change different parts of it (see `listChangedParts`). A report without an execution adds nothing.
 */
export function joinReports(all: readonly Report[]): Report {
  const reports = all.filter(hasExecutions);
  const found = reports.flatMap(({ stages }, index) =>
    stages.map((stage) => ({ index, stage, key: buildStageKey(stage) })),
  );
  const owned = [...Map.groupBy(found, ({ key }) => key).values()].map((own) => {
    const touched = own.filter(({ stage }) => isTouched(stage));
    return touched.length > 0 ? touched : own.slice(-1);
  });
  const owners = new Set(owned.flat().map(({ index, key }) => `${index} ${key}`));
  const own = <T extends { readonly stage: string }>(parts: readonly T[], index: number): readonly T[] =>
    parts.filter(({ stage }) => owners.has(`${index} ${stage}`));
  return assembleReport({
    stages: owned.flatMap((one) => joinStages(one.map(({ stage }) => stage))),
    resources: reports.flatMap(({ resources }, index) => own(resources, index)),
    rows: withoutSameDrift(reports.flatMap(({ rows }, index) => own(rows, index))),
    refused: reports.flatMap(({ refused }) => refused),
    context: joinContexts(reports.map(({ context }) => context)),
  });
}

/** Returns the report as it is after other changes of its stages, which are part of what is paid before and afterwards. */
export function addChangesBefore(
  report: Report,
  listOthers: (stage: StageReport) => readonly StageReport[],
): Report {
  return assembleReport({
    ...report,
    stages: report.stages.map((stage) => {
      const others = listOthers(stage);
      return others.length === 0 ? stage : addStagesBefore(stage, others);
    }),
  });
}

/** Several plans of one workspace see the same drift. */
function withoutSameDrift(rows: readonly ReportedRow[]): readonly ReportedRow[] {
  const drifted = rows.filter(({ change }) => change === "drifted");
  const first = new Map(drifted.toReversed().map((row) => [`${row.stage} ${row.address}`, row]));
  return rows.filter((row) => row.change !== "drifted" || first.get(`${row.stage} ${row.address}`) === row);
}

/** Whether a report is about any execution. */
export const hasExecutions = ({ stages, refused }: Report): boolean => stages.length + refused.length > 0;

/** Joins the context facts of several pull requests: a joined fact is known only where each of them is known. */
export function joinContexts(contexts: readonly ContextFacts[]): ContextFacts {
  const join = <T>(read: (context: ContextFacts) => Fact<T>, joinValues: (values: readonly T[]) => T) =>
    joinFacts(contexts.map(read), joinValues);
  return {
    schedules: joinScheduleFacts(contexts.map(({ schedules }) => schedules)),
    savings: join(({ savings }) => savings, joinSavings),
    anomalies: join(({ anomalies }) => anomalies, selectWorstAnomalies),
    governance: join(({ governance }) => governance, selectWorstGovernance),
    unitCosts: join(({ unitCosts }) => unitCosts, joinUnitCosts),
    prompts: join(({ prompts }) => prompts, joinPrompts),
  };
}

function joinFacts<T>(facts: readonly Fact<T>[], join: (values: readonly T[]) => T): Fact<T> {
  const values: T[] = [];
  for (const fact of facts) {
    if (fact.state !== "known") return fact;
    values.push(fact.value);
  }
  if (values.length === 0) return { state: "unknown", reason: "not_read" };
  return { state: "known", value: join(values) };
}

/** Joins schedules; a project without a schedule does not affect the others. */
function joinScheduleFacts(facts: readonly ContextFacts["schedules"][]): ContextFacts["schedules"] {
  const presentFacts = facts.filter(({ state }) => state !== "absent");
  return facts.length > 0 && presentFacts.length === 0
    ? { state: "absent" }
    : joinFacts(presentFacts, joinSchedules);
}

const joinSchedules = (all: readonly (readonly Schedule[])[]): readonly Schedule[] => {
  const byPlace = new Map(
    all.flat().map((schedule) => {
      const { org, project, provisioner } = schedule;
      return [JSON.stringify([org, project, provisioner]), schedule];
    }),
  );
  return [...byPlace.values()];
};

function joinSavings(all: readonly Savings[]): Savings {
  const totals = new Map<string, Decimal>();
  for (const { amount, currency } of all.flatMap((savings) => savings.totals)) {
    const before = totals.get(currency);
    totals.set(currency, before === undefined ? amount : plus(before, amount));
  }
  return {
    totals: [...totals].map(([currency, amount]): Money => ({ amount, currency })),
    items: all.flatMap(({ items }) => items).sort((a, b) => compare(b.monthly.amount, a.monthly.amount)),
    unmatched: all.reduce((sum, { unmatched }) => sum + unmatched, 0),
  };
}

/**
 * Anomalies and evaluations belong to the repository, not to a pull request: the worst reading is used for
 * all of them.
 */
const selectWorstAnomalies = (all: readonly OpenAnomalies[]): OpenAnomalies =>
  all.reduce((worst, one) => (one.count >= worst.count ? one : worst));

const selectWorstGovernance = (all: readonly GovernanceCounts[]): GovernanceCounts =>
  all.reduce((worst, one) => (one.failed >= worst.failed ? one : worst));

/** Each suggested rule once, for all types that any pull request touches. */
function joinPrompts(all: readonly (readonly GovernancePrompt[])[]): readonly GovernancePrompt[] {
  const byRule = Map.groupBy(all.flat(), ({ resource, description }) =>
    JSON.stringify([resource, description]),
  );
  return [...byRule.values()].flatMap((prompts) => {
    const [first] = prompts;
    return first === undefined
      ? []
      : [{ ...first, types: [...new Set(prompts.flatMap(({ types }) => types))].sort() }];
  });
}

/** Adds the change of each pull request to the current cost of a unit. Null where they disagree on the current cost. */
function joinUnitCosts(all: readonly (readonly UnitCost[])[]): readonly UnitCost[] {
  const byMetric = Map.groupBy(all.flat(), ({ metric, perspective }) =>
    JSON.stringify([metric, perspective]),
  );
  return [...byMetric.values()].flatMap((costs) => {
    const last = costs.at(-1);
    return last === undefined
      ? []
      : [{ ...last, after: costs.length === all.length ? computeCombinedAfter(costs, last) : null }];
  });
}

function computeCombinedAfter(costs: readonly UnitCost[], { before, currency }: UnitCost): Decimal | null {
  let after = before;
  for (const cost of costs) {
    if (after === null || cost.before === null || cost.after === null) return null;
    if (cost.currency !== currency || before === null || compare(cost.before, before) !== 0) return null;
    after = plus(after, minus(cost.after, cost.before));
  }
  return after;
}
