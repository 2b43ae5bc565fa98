import { DAY_MS } from "../../kernel/clock.ts";
import { parseInstant } from "../../kernel/instant.ts";
import { absolute, compare, type Decimal, minus, sum } from "../../kernel/money.ts";
import { getUnitMetric } from "../../platform/contract/unit-metrics.ts";
import type { CostAfterMerge, UnitCostAfterMerge } from "../../policy/model/evaluation.ts";
import { formatLaneKey } from "../../queue/names.ts";
import { type AppliedStage, compareParts } from "../../report/accuracy.ts";
import type { Saving, UnitCost } from "../../report/model/context.ts";
import type { StageCost } from "../../report/model/facts.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";
import { getFactValue } from "../../report/stages.ts";
import {
  findPendingComparison,
  listMergedStages,
  type MergedStageRow,
  markCompared,
} from "../../store/after-merge/merged-pulls.ts";
import { findComment } from "../../store/comments.ts";
import { setAfterMerge } from "../../store/evaluations.ts";
import { canSeeProject, computeContextGrant, toGrantee } from "../facts/grants.ts";
import { toDecimal } from "../facts/platform-facts.ts";
import { formatSecond, isWhole, isWorkspaceCovered, type Metric } from "../facts/unit-costs.ts";
import { type CurrentHead, canShowFigures, findHeadEvaluation, type JobDeps } from "../run/deps.ts";
import {
  readApplyPipelines,
  readExecutionCost,
  readExecutionModules,
  readExecutionsAfterMerge,
} from "./workspace-executions.ts";

/**
 * Compares a merged pull request's estimate with the actual cost, once, when the comparison is due. Returns
 * when it is due, in ms since 1970; null: it is done, or never due. An unknown cost is left out. A second
 * call updates the comment and adds none. `onCompared` is called with what is known, perhaps twice.
 */
export async function compareWithEstimate(
  current: CurrentHead,
  onCompared: (found: CostAfterMerge) => Promise<void>,
): Promise<number | null> {
  const { deps, key } = current;
  const lane = formatLaneKey({ kind: "pull", ...key });
  const pending = await findPendingComparison(deps.db, key);
  if (pending === null) return null;
  if (deps.clock.now() < pending.compareMs) return pending.compareMs;
  const days = Math.round((pending.compareMs - pending.mergedMs) / DAY_MS);
  const found = (await findComment(deps.db, key)) === null ? null : await computeAfterMerge(current, days);
  if (found !== null) {
    await setAfterMerge(deps.db, key, { ...found, now: new Date(deps.clock.now()) });
    await deps.queue.enqueueComment(lane);
    await onCompared(found.afterMerge);
  }
  await markCompared(deps.db, key, new Date(deps.clock.now()));
  return null;
}

async function computeAfterMerge(current: CurrentHead, days: number) {
  const { deps, key, head } = current;
  // A repository may have become public since its comment was written.
  if (!canShowFigures(deps.operator, head.repository)) return null;
  const stages = await listMergedStages(deps.db, key);
  const [read, units] = await Promise.all([
    Promise.all(stages.map((stage) => compareStage(current, stage))),
    compareUnits(current, stages),
  ]);
  const compared = read.filter((stage) => stage !== null);
  if (compared.length === 0 && units.length === 0) return null;
  const byCurrency = Map.groupBy(compared, ({ currency }) => currency);
  const totals = [...byCurrency].map(([currency, own]) => ({
    currency,
    before: sum(own.map(({ before }) => before)),
    estimated: sum(own.map(({ estimated }) => estimated)),
    actual: sum(own.map(({ actual }) => actual)),
  }));
  const afterMerge: CostAfterMerge = {
    ...{ days, compared: compared.length, workspaces: stages.length },
    ...{ totals, units },
  };
  return { afterMerge, parts: compared.flatMap(({ parts }) => parts) };
}

async function compareStage(current: CurrentHead, stage: MergedStageRow) {
  const { deps, head } = current;
  const { currency, before, after } = stage;
  if (currency === null || before === null || after === null) return null;
  const isVisible = await canSeeProject(deps, head.repository, stage);
  const applied = isVisible ? await readAppliedStage(deps, stage) : null;
  if (applied === null) return null;
  const estimates = findHeadEvaluation(current)?.evaluation.report.stages ?? [];
  const estimate = estimates.find((one) => buildStageKey(one) === buildStageKey(stage));
  const parts = estimate === undefined ? [] : compareParts(estimate, applied);
  return { currency, before, estimated: after, actual: applied.amount, parts };
}

/**
 * Returns the monthly cost of a workspace as applied after a merge and before the next one; null: unknown. An
 * execution of a pipeline that only applies states the cost after it. Any other execution states the cost
 * before it; that cost counts when it differs from the cost before the merge.
 */
async function readAppliedStage(
  { platform }: Pick<JobDeps, "platform">,
  stage: MergedStageRow,
): Promise<AppliedStage | null> {
  const executions = await readExecutionsAfterMerge({ platform }, stage);
  if (executions.length === 0) return null;
  const applying = await readApplyPipelines({ platform }, stage);
  for (const execution of executions) {
    const cost = await readExecutionCost({ platform }, execution);
    if (cost?.currency !== stage.currency) continue;
    const side = applying.has(execution.pipeline ?? "") ? "after" : "before";
    const { [side]: amount, currency, groups: types, listed } = cost;
    if (side === "before" && !hasMoved(amount, stage)) continue;
    if (amount === null) return null;
    const modules = await readExecutionModules({ platform }, execution);
    const unchanged = listed?.flatMap(({ type, cost: own }) =>
      own === undefined ? [] : [{ type, cost: own }],
    );
    return { currency, side, amount, modules, types, ...(unchanged && { unchanged }) };
  }
  return null;
}

/** Whether an execution started from a cost other than the one before the merge, or the merge was not to change the cost. */
const hasMoved = (found: Decimal | null, { change, before }: MergedStageRow): boolean =>
  found !== null && (change === "0" || found !== before);

/**
 * Returns the cost per unit since a merge and its estimate, for each metric that the repository may still see
 * and whose workspaces the pull request changed. Metrics with an unknown value are left out.
 */
async function compareUnits(
  current: CurrentHead,
  stages: readonly MergedStageRow[],
): Promise<readonly UnitCostAfterMerge[]> {
  const { deps, head } = current;
  const { unitMetrics } = computeContextGrant(deps.operator, toGrantee(head.repository));
  const read = listEstimatedUnits(current).map(async (unit): Promise<readonly UnitCostAfterMerge[]> => {
    const grants = unitMetrics.filter(({ metric }) => metric === unit.metric);
    const { before, after } = unit;
    if (before === null || after === null) return [];
    const touched = stages.filter((stage) => grants.some((grant) => isWorkspaceCovered(grant, stage)));
    const found = touched.length === 0 ? null : await readActualUnitCost(deps, unit.metric, touched);
    return found === null ? [] : [{ ...unit, before, after, ...found }];
  });
  return (await Promise.all(read)).flat();
}

/**
 * Returns the estimated unit costs of the merged head, in the platform's current currency. Values derived
 * from a perspective's bill are not read again.
 */
function listEstimatedUnits(current: CurrentHead): readonly UnitCost[] {
  const last = findHeadEvaluation(current);
  const units = last === null ? [] : (getFactValue(last.evaluation.report.context.unitCosts) ?? []);
  const { costCurrency } = current.deps.operator;
  return units.filter(({ currency, perspective }) => currency === costCurrency && perspective === null);
}

/**
 * Returns the newest value of a complete day after the merge and before the next merge into one of these
 * workspaces; null: there is none, or it could not be read.
 */
export async function readActualUnitCost(
  { platform, clock }: Pick<JobDeps, "platform" | "clock">,
  metric: string,
  touched: readonly Pick<MergedStageRow, "mergedMs" | "nextMs">[],
): Promise<Pick<UnitCostAfterMerge, "actual" | "actualAsOf"> | null> {
  const mergedMs = Math.max(...touched.map((stage) => stage.mergedMs));
  const untilMs = Math.min(clock.now(), ...touched.flatMap(({ nextMs }) => nextMs ?? []));
  const range = { startTime: formatSecond(mergedMs), endTime: formatSecond(untilMs) };
  const query = { metricIdentifier: metric, timeTruncGroupBy: "DAY" as const, ...range };
  const answer = await platform.call(getUnitMetric, { query });
  if (!answer.ok || answer.value.data.metricIdentifier !== metric) return null;
  const newest = findNewestOwnValue(answer.value.data, { mergedMs, today: range.endTime.slice(0, 10) });
  const actual = toDecimal(newest?.value);
  return newest === undefined || actual === null ? null : { actual, actualAsOf: newest.usageTimeStamp };
}

/**
 * Returns the newest value that belongs to its own day. Where gaps repeat the value before, only a value that
 * differs from that of the day before is certain.
 */
function findNewestOwnValue(
  metric: Metric,
  { mergedMs, today }: { readonly mergedMs: number; readonly today: string },
) {
  const { handleEmptyValue, unitMetricRecords: values } = metric;
  return values.findLast((value, at) => {
    if (!(parseInstant(value.usageTimeStamp) > mergedMs) || !isWhole(metric, value, today)) return false;
    const before = values[at - 1];
    return handleEmptyValue !== "PREVIOUS_VALUE" || (before !== undefined && before.value !== value.value);
  });
}

/** The effect of one applied execution. */
export interface AppliedExecution {
  /** The kinds of its planned changes by address. */
  readonly changes: ReadonlyMap<string, ReadonlySet<string>>;
  /** Null: there is no reliable estimate. */
  readonly cost: StageCost | null;
}

/**
 * Whether an applied execution certainly carried out a recommendation: its resource was deleted and not created again, or it was changed
 * and its cost fell by at least the recommended saving. Any other change may have another reason.
 */
export function isCarriedOut({ address, monthly }: Saving, { changes, cost }: AppliedExecution): boolean {
  const done = changes.get(address);
  if (done === undefined) return false;
  if (done.has("deleted") && !done.has("added")) return true;
  if (!done.has("changed") && !done.has("added")) return false;
  const own = cost?.groups.flatMap(({ resources }) => resources).find((one) => one.address === address);
  if (own === undefined || own.before === null || own.after === null) return false;
  if (cost?.currency !== monthly.currency || compare(own.after, own.before) >= 0) return false;
  return compare(absolute(minus(own.after, own.before)), monthly.amount) >= 0;
}
