import { minus, sum, sumKnown } from "../../kernel/money.ts";
import { listMissedSavings, type Savings } from "../../report/model/context.ts";
import type { UnknownReason } from "../../report/model/facts.ts";
import type { Report, StageReport } from "../../report/model/report.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";
import { findUnpricedDoubt } from "../../report/stages.ts";
import { isRounding, isStatedInFull } from "../../report/totals.ts";
import { findUsageDoubt } from "../../report/usage.ts";
import type { EvaluationContext } from "../model/context.ts";
import type { UndecidedReason } from "../model/finding.ts";
import type { FactName } from "../model/policy.ts";
import { type CompiledCondition, compileCondition } from "../when/compile.ts";
import { CostExceededError, type CostMeter } from "../when/cost-meter.ts";
import type { ConditionValues } from "../when/values.ts";
import {
  findInvocationsDoubt,
  findReportUsageDoubt,
  listFactDoubts,
  listLineDoubts,
  listReportGaps,
  listRowGaps,
  PARTIAL,
  selectUniqueReasons,
  unknown,
} from "./doubts.ts";
import { createUndecided, type MeasureInput, type Measurement } from "./measurement.ts";

/** Evaluates a custom condition: the rule is violated where it is true. */
export function measureCondition(
  report: Report,
  { limit: { expression, needs }, context, conditions, attributes }: MeasureInput<"when">,
): readonly Measurement[] {
  const because = selectUniqueReasons(
    needs.flatMap((need) => [
      ...listReportGaps(report),
      ...MISSING_FACT_CHECKS[need](report, context, attributes),
    ]),
  );
  if (because.length > 0) return [createUndecided(because)];
  const read = conditions.evaluate(expression, (meter): Measurement => {
    const compiled = compileCondition(expression);
    if (!compiled.ok) return createFailed(compiled.message);
    const { condition } = compiled;
    if (condition.hasNestedLoops && findLargestLength(report, context) > MAX_NESTED)
      return createUndecided([unknown("too_large")]);
    try {
      return evaluateCondition(condition, conditions.getValues(report, context, attributes), meter);
    } catch (error) {
      return createFailed(describeFailure(error));
    }
  });
  return ["problem" in read ? createFailed(read.problem) : read];
}

/** Largest number of elements for nested loops: above it, nearly every nested loop exceeds the step limit. */
const MAX_NESTED = 1_000;

const findLargestLength = (
  { stages, modules, resources, rows }: Report,
  { paths }: EvaluationContext,
): number => Math.max(...[stages, modules, resources, rows, paths].map(({ length }) => length));

const createFailed = (problem: string): Measurement =>
  createUndecided([{ kind: "condition_failed", problem }]);

function evaluateCondition(
  condition: CompiledCondition,
  values: ConditionValues,
  meter: CostMeter,
): Measurement {
  const isTrue = condition.isTrue(values, meter);
  const found = isTrue ? findItems(condition, values, meter) : [];
  const count = condition.hasCount && found !== null ? found.length : null;
  return {
    subject: null,
    value: { kind: "condition", isTrue, count },
    because: [],
    items: found ?? [],
  };
}

/** Lists the matching elements. A search that stopped at its first match may fail on a later element; the rule is violated nevertheless. */
function findItems(
  condition: CompiledCondition,
  values: ConditionValues,
  meter: CostMeter,
): readonly string[] | null {
  try {
    return condition.listMatches(values, meter);
  } catch (error) {
    if (error instanceof CostExceededError) throw error;
    return null;
  }
}

/** The message of the CEL library, without the source line after it. */
function describeFailure(error: unknown): string {
  const { summary, message, code } = error as {
    readonly summary?: string;
    readonly message?: string;
    readonly code?: unknown;
  }; // an error of the language or of ours
  const words = (summary ?? message ?? "it could not be evaluated").split("\n", 1)[0] ?? "";
  return code === "no_such_key"
    ? `${words}; ask first whether it is there, as in has(r.tags.team) && r.tags.team == "web"`
    : words;
}

/** Why a fact that an expression needs is unknown; empty: it is known. */
type MissingFactCheck = (
  report: Report,
  context: EvaluationContext,
  attributes: MeasureInput["attributes"],
) => readonly UndecidedReason[];

const MISSING_FACT_CHECKS: { readonly [need in FactName]: MissingFactCheck } = {
  stages: ({ stages }) => stages.flatMap(listStageDoubts),
  cost: (report) => listCostDoubts(report),
  totals: ({ stages }) =>
    stages.flatMap(({ narrowed }) => (narrowed?.amountsAreWhole === false ? [PARTIAL] : [])),
  currency: ({ totals: [first, ...others] }) =>
    others.map(({ currency }) => ({
      kind: "other_currency",
      found: currency,
      expected: first?.currency ?? "",
    })),
  modules: (report) => [
    ...listCostDoubts(report),
    ...report.modulesBecause.map(unknown),
    ...report.stages.flatMap(({ modules, modulesBecause }) =>
      modules === null && modulesBecause === null ? [PARTIAL] : [],
    ),
    ...report.modules.filter((line) => line.unattributed && !isRounding(line.change)).map(() => PARTIAL),
  ],
  resources: (report) => [
    ...listCostDoubts(report),
    ...(report.resources.every(isStatedInFull) ? [] : [PARTIAL]),
    ...selectUnexplainedStages(report).map(() => PARTIAL),
  ],
  counts: ({ stages }) =>
    stages.flatMap(({ counts, countsBecause, narrowed, unreadRows }) => {
      if (counts === null || countsBecause !== null) return [unknown(countsBecause ?? "not_read")];
      // The parts of a stage are counted by its rows, and some rows are missing.
      const isCut = counts.replaced === null || (narrowed !== null && unreadRows > 0);
      return isCut ? [unknown("too_large")] : [];
    }),
  unchanged: ({ stages }) => stages.flatMap(({ narrowed }) => (narrowed === null ? [] : [PARTIAL])),
  rows: listRowGaps,
  // Unknown ones say so where a condition reads them.
  tags: () => [],
  attributes: (_report, _context, attributes) => listFactDoubts(attributes),
  invocations: ({ stages }) => [
    ...listDoubts(stages, findInvocationsDoubt),
    ...stages.flatMap(({ planNotes }) =>
      (planNotes?.invocations.more ?? 0) > 0 ? [unknown("too_large")] : [],
    ),
  ],
  unpriced: ({ stages }) => listDoubts(stages, findUnpricedDoubt),
  usage: ({ stages }) => listDoubts(stages, findUsageDoubt),
  usage_resources: ({ stages }) =>
    stages.flatMap(({ usageBased }) => ((usageBased?.unnamed ?? 0) > 0 ? [unknown("not_stated")] : [])),
  paths: (_, { pathsComplete, local }) =>
    pathsComplete ? [] : [unknown(local ? "local_preview" : "files_unlisted")],
  author: (_, { author, local }) =>
    author === null ? [unknown(local ? "local_preview" : "not_stated")] : [],
  labels: (_, { labels, local }) =>
    labels === null ? [unknown(local ? "local_preview" : "not_stated")] : [],
  savings: ({ context: { savings } }) =>
    savings.state === "known" && !areSavingsComplete(savings.value) ? [PARTIAL] : listFactDoubts(savings),
  anomalies: ({ context }) => listFactDoubts(context.anomalies),
  anomaly_cost: ({ context: { anomalies } }) =>
    anomalies.state === "known" && anomalies.value.count > 0 && anomalies.value.impact === null
      ? [unknown("not_stated")]
      : [],
  governance: ({ context }) => listFactDoubts(context.governance),
  unit_costs: ({ context: { unitCosts } }) =>
    unitCosts.state === "known" &&
    unitCosts.value.some(({ before, after }) => before === null || after === null)
      ? [unknown("not_stated")]
      : listFactDoubts(unitCosts),
  governance_prompts: ({ context }) => listFactDoubts(context.prompts),
  drift: ({ stages, drift }) => [
    ...stages.flatMap(({ counts, countsBecause }) =>
      counts === null || countsBecause !== null ? [unknown(countsBecause ?? "not_read")] : [],
    ),
    ...drift.flatMap(({ split }) => (split === null ? [PARTIAL] : [])),
  ],
  lifetimes: listMissingLifetimes,
};

const listCostDoubts = (report: Report): readonly UndecidedReason[] => [
  ...report.stages.flatMap(listLineDoubts),
  ...findReportUsageDoubt(report, true),
];

const listDoubts = (
  stages: readonly StageReport[],
  find: (stage: StageReport) => UnknownReason | null,
): readonly UndecidedReason[] => stages.flatMap((stage) => find(stage) ?? []).map(unknown);

/** Unknown where a project has several lifetimes, because the lifetime of a stage is then ambiguous. */
function listMissingLifetimes({
  stages,
  lifetimes,
  context: { schedules },
}: Report): readonly UndecidedReason[] {
  if (schedules.state === "absent") return [];
  if (schedules.state !== "known") return listFactDoubts(schedules);
  const stagesWithLifetime = new Set(lifetimes.map(({ stage }) => stage));
  const ends = (stage: StageReport): boolean =>
    schedules.value.some(
      ({ org, project, lifetime }) => lifetime !== null && org === stage.org && project === stage.project,
    );
  return stages
    .filter((stage) => ends(stage) && !stagesWithLifetime.has(buildStageKey(stage)))
    .map(() => unknown("not_stated"));
}

/** Whether the platform answered for every touched resource, and each saving is listed. */
const areSavingsComplete = ({ unmatched, totals, items }: Savings): boolean =>
  unmatched === 0 &&
  totals.every(({ amount, currency }) => {
    const listed = listMissedSavings({ items }).filter(({ monthly }) => monthly.currency === currency);
    return isRounding(minus(amount, sum(listed.map(({ monthly }) => monthly.amount))));
  });

/** Why a stage is uncertain: its binding to this pull request, its identity or its status is unknown. */
function listStageDoubts(stage: StageReport): readonly UndecidedReason[] {
  if (!stage.proven) return [unknown("unproven")];
  if (stage.isUnread === true) return [unknown(stage.because[0] ?? "not_read")];
  return stage.status === "unknown" ? [unknown("not_stated")] : [];
}

/** Stages whose listed resources do not explain their whole change. */
function selectUnexplainedStages({ stages, resources }: Report): readonly StageReport[] {
  const listedIn = Map.groupBy(resources, ({ stage }) => stage);
  return stages.filter((stage) => {
    const listed = sumKnown((listedIn.get(buildStageKey(stage)) ?? []).map(({ change }) => change));
    return stage.change === null || listed === null || !isRounding(minus(stage.change, listed));
  });
}
