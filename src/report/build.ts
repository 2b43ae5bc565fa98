import { HOUR_MS } from "../kernel/clock.ts";
import { type Decimal, decimal, minus, sum, times, ZERO } from "../kernel/money.ts";
import type { Lifetime, PullFacts, Schedule } from "./model/context.ts";
import type {
  DriftSplit,
  LifetimeCost,
  ModuleReport,
  Report,
  ReportedRow,
  ResourceReport,
  ResourceTypeReport,
  StageReport,
} from "./model/report.ts";
import { buildStageKey } from "./model/stage-label.ts";
import { type CostPart, rollUpParts } from "./parts.ts";
import { buildReportedRows, buildResourceReports } from "./resources.ts";
import {
  buildStageReports,
  findUnpricedDoubt,
  getFactValue,
  type StageName,
  sumCounts,
  sumUnpriced,
} from "./stages.ts";
import { withTagCosts } from "./tags.ts";
import { combineConfidence, sumTotals } from "./totals.ts";
import { buildUsageReports, groupUsageByPart, sumUsage } from "./usage.ts";

/**
 * Builds the model of what a pull request costs and changes from its facts. Figures that a source states are not recomputed. `tagKeys`:
 * the keys by which the policy divides the cost of resources that stay. `byTag`: the key whose costs the report states.
 */
export function buildReport(
  facts: PullFacts,
  {
    stages,
    tagKeys = [],
    byTag = null,
  }: {
    readonly stages: readonly StageName[];
    readonly tagKeys?: readonly string[];
    readonly byTag?: string | null;
  },
): Report {
  const report = assembleReport({
    stages: buildStageReports(facts.stages, stages, tagKeys),
    resources: buildResourceReports(facts.stages),
    rows: buildReportedRows(facts.stages),
    refused: facts.refused,
    context: facts.context,
    ...(facts.nothingToPlan && { nothingToPlan: facts.nothingToPlan }),
    ...(facts.moduleRanges && { moduleRanges: facts.moduleRanges }),
  });
  return byTag === null ? report : withTagCosts(report, byTag);
}

/** Builds the report with sums over these stages. */
export function assembleReport(
  parts: Pick<
    Report,
    "stages" | "resources" | "rows" | "refused" | "context" | "nothingToPlan" | "moduleRanges"
  >,
): Report {
  const { stages } = parts;
  const totals = sumTotals(stages, parts.refused);
  const usageBased = buildUsageReports(stages);
  return {
    ...parts,
    totals,
    usageBased,
    usage: sumUsage(stages),
    modules: buildModuleReports(stages, { totals, usageBased }),
    modulesBecause: [...new Set(stages.flatMap((stage) => stage.modulesBecause ?? []))],
    resourceTypes: buildResourceTypeReports(stages, { totals, usageBased }),
    drift: computeDriftSplits(parts),
    lifetimes: computeLifetimeCosts(parts),
    omittedRows: stages.reduce((sum, { omittedRows }) => sum + omittedRows, 0),
    changes: sumCounts(stages),
    changesAreComplete: stages.every(({ countsBecause }) => countsBecause === null),
    unpriced: sumUnpriced(stages),
    unpricedIsComplete: stages.every((stage) => findUnpricedDoubt(stage) === null),
  };
}

/** Splits the change of cost of each stage with drift: how much of it undoes or absorbs drift. */
function computeDriftSplits({
  stages,
  resources,
  rows,
}: Pick<Report, "stages" | "resources" | "rows">): readonly DriftSplit[] {
  return stages.flatMap((stage) => {
    const key = buildStageKey(stage);
    if (stage.currency === null || (stage.counts?.drifted ?? 0) === 0) return [];
    const isOwn = (part: { readonly stage: string }) => part.stage === key;
    const split = splitDrift(stage, rows.filter(isOwn), resources.filter(isOwn));
    return [{ stage: key, workspace: stage.workspace, currency: stage.currency, split }];
  });
}

/** Splits a stage only where every drifted resource is known, with its planned change and its cost. */
function splitDrift(
  stage: StageReport,
  rows: readonly ReportedRow[],
  resources: readonly ResourceReport[],
): DriftSplit["split"] {
  const drifted = new Set(rows.filter(({ change }) => change === "drifted").map(({ address }) => address));
  if (stage.state !== "known" || stage.change === null || stage.rowsBecause !== null) return null;
  if (drifted.size < (stage.counts?.drifted ?? 0)) return null;
  const larger = resources.filter(({ address, change }) => drifted.has(address) && change !== ZERO);
  const planned = new Set(rows.filter(isPlanned).map(({ address }) => address));
  const touched = larger.filter(({ address }) => planned.has(address));
  if (touched.length < larger.length && stage.unreadRows + stage.omittedRows > 0) return null;
  const amounts = touched.flatMap(({ change }) => change ?? []);
  if (amounts.length < touched.length) return null;
  const drift = sum(amounts);
  return { drift, own: minus(stage.change, drift) };
}

const isPlanned = ({ change }: ReportedRow): boolean => change !== "drifted" && change !== "moved";

/** A month in ms: 730 hours, as in monthly prices. */
const MONTH_MS = 730 * HOUR_MS;

/**
 * The cost of stages until their automatic destruction: the monthly cost times the lifetime. Omits projects
 * whose provisioners have different lifetimes, because it is unknown which one created a workspace, and
 * lifetimes with only a day, because the time of creation is unknown.
 */
function computeLifetimeCosts({
  stages,
  context,
}: Pick<Report, "stages" | "context">): readonly LifetimeCost[] {
  const schedules = getFactValue(context.schedules) ?? [];
  return stages.flatMap((stage) => {
    const lifetimeMs = findLifetime(stage, schedules);
    const { currency, after, state } = stage;
    if (lifetimeMs === null || currency === null || after === null || state !== "known") return [];
    const amount = computeCostFor(after, lifetimeMs);
    return [{ stage: buildStageKey(stage), workspace: stage.workspace, currency, lifetimeMs, amount }];
  });
}

function findLifetime({ org, project }: StageReport, schedules: readonly Schedule[]): number | null {
  const lifetimes = schedules
    .filter((schedule) => schedule.org === org && schedule.project === project)
    .flatMap(({ lifetime }) => (lifetime === null ? [] : [readDelay(lifetime)]));
  const [first = null, ...others] = lifetimes;
  return others.every((other) => other === first) ? first : null;
}

/** The delay of a lifetime, in ms; null where a day is given too, because the delay is then only an upper bound. */
const readDelay = ({ ms, onDate }: Lifetime): number | null => (onDate === null ? ms : null);

/** Exact to a millionth of a month (about three seconds). */
const computeCostFor = (monthly: Decimal, ms: number): Decimal =>
  times(monthly, decimal((ms / MONTH_MS).toFixed(6).replace(/\.?0+$/, "")));

type WholeCost = Pick<Report, "totals" | "usageBased">;

function buildModuleReports(
  stages: readonly StageReport[],
  { totals, usageBased }: WholeCost,
): readonly ModuleReport[] {
  const partLists = stages.flatMap((stage) => {
    const { modules, modulesBecause: because } = stage;
    if (modules === null) return [];
    const doubted = because === null ? [] : [{ state: "unknown", because: [because] } as const];
    const confidence = combineConfidence([stage, ...doubted]);
    return [modules.map(({ module, ...cost }): CostPart => ({ ...cost, name: module, stage: confidence }))];
  });
  const getUsage = groupUsageByPart(usageBased, ({ module }) => module);
  return rollUpParts(partLists, totals).map(({ name, ...line }) => ({
    ...line,
    module: name,
    usage: getUsage(name, line),
  }));
}

function buildResourceTypeReports(
  stages: readonly StageReport[],
  { totals, usageBased }: WholeCost,
): readonly ResourceTypeReport[] {
  const partLists = stages.flatMap((stage) => {
    const { types, currency } = stage;
    if (types === null || currency === null) return [];
    return [types.map(({ type, ...amounts }): CostPart => ({ ...amounts, name: type, currency, stage }))];
  });
  const getUsage = groupUsageByPart(usageBased, ({ type }) => type);
  return rollUpParts(partLists, totals).map(({ name, ...line }) => ({
    ...line,
    type: name,
    usage: getUsage(name, line),
  }));
}
