import { compare, type Decimal, ZERO } from "../../kernel/money.ts";
import { anomalies } from "../../platform/contract/anomalies.ts";
import type { EndpointOutput } from "../../platform/contract/endpoint.ts";
import type { ResourceReport } from "../../report/model/report.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";
import { listMergedStages, type MergedStageRow } from "../../store/after-merge/merged-pulls.ts";
import { formatDecision } from "../../store/evaluations.ts";
import { computeContextGrant, toGrantee } from "../facts/grants.ts";
import { toDecimal, UnreadError } from "../facts/platform-facts.ts";
import type { StageRef } from "../facts/read-rows.ts";
import { readCloudIds } from "../facts/savings.ts";
import { type CurrentHead, findHeadEvaluation } from "../run/deps.ts";
import { createPlatformError, findNextCheck, isTransient, listApplies } from "./mark-applied.ts";

/**
 * Marks on the platform, as expected, the open anomalies that an increase explains which the policy allowed and an apply carried
 * out. `isChecked`: the pull request was merged with a check that passed. Anomalies with any feedback stay as they are, so that a
 * repetition changes nothing. Returns when to search again, in ms since 1970; null: never.
 *
 * @throws TollgateError `platform_failed`, retryable
 */
export async function markExpected(current: CurrentHead, isChecked: boolean): Promise<number | null> {
  const { deps, key, head } = current;
  if (!deps.operator.markExpectedAnomalies || !isChecked || head.pull.mergeSha === null) return null;
  const { perspectives } = computeContextGrant(deps.operator, toGrantee(head.repository));
  const raised = perspectives.length === 0 ? [] : listAllowedIncreases(current);
  if (raised.length === 0) return null;
  const merged = await listMergedStages(deps.db, key);
  const stages = merged.filter((stage) => raised.some((resource) => resource.stage === buildStageKey(stage)));
  if (stages.length === 0) return null;
  const increases = await findIncreases(current, stages, raised);
  for (const { id, perspectiveName } of await listExplained(current, perspectives, increases)) {
    const query = { anomalyId: id, feedback: "TRUE_EXPECTED_ANOMALY" } as const;
    const answer = await deps.platform.call(anomalies.updateAnomalyFeedback, { query });
    if (!answer.ok && isTransient(answer.failure)) throw createPlatformError(answer.failure);
    const about = { ...key, anomaly: id, perspective: perspectiveName };
    if (answer.ok) deps.log.info(about, "an anomaly was marked as expected");
    else deps.log.warn({ ...about, failure: answer.failure.kind }, "the platform did not take a feedback");
  }
  return findNextCheck(stages, deps.clock.now());
}

/** Returns the resources whose cost rises, in the currency of anomalies; empty: no policy allowed them. An override is not the policy's. */
function listAllowedIncreases(current: CurrentHead): readonly ResourceReport[] {
  const last = findHeadEvaluation(current)?.evaluation;
  const isAllowed =
    last?.situation.kind === "evaluated" &&
    last.override === undefined &&
    ["success", "neutral"].includes(formatDecision(last.check));
  if (!isAllowed) return [];
  return last.report.resources.filter(
    ({ change, currency }) =>
      change !== null && compare(change, ZERO) > 0 && currency === current.deps.operator.costCurrency,
  );
}

/** A resource in the cloud whose cost an apply raised. */
interface Increase {
  /** Per month, as estimated. */
  readonly change: Decimal;
  /** Start of the apply, and of the next merge into the workspace (infinite: there is none), in ms since 1970. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Returns the increases by the names under which anomalies may state their resource; a name that several resources have is left out. */
async function findIncreases(
  current: CurrentHead,
  stages: readonly MergedStageRow[],
  raised: readonly ResourceReport[],
): Promise<ReadonlyMap<string, Increase>> {
  const read = (await listApplies(current, stages)).map(async ({ stage, applied }) => {
    const { org, project, pipeline_execution_id, pipeline_stage_id, created: fromMs } = applied;
    const own = raised.filter((resource) => resource.stage === buildStageKey(stage));
    const untilMs = stage.nextMs ?? Number.POSITIVE_INFINITY;
    const ids = await readKnownIds(current, { org, project, pipeline_execution_id, pipeline_stage_id });
    return [...ids].flatMap(([address, { resourceId }]) => {
      const change = own.find((resource) => resource.address === address)?.change ?? null;
      const increase = change === null || fromMs === null ? null : { change, fromMs, untilMs };
      const names = new Set([resourceId, resourceId.split(/[/:]/).at(-1) ?? ""]);
      return [...names].map((name) => ({ name, increase }));
    });
  });
  const byName = Map.groupBy((await Promise.all(read)).flat(), ({ name }) => name);
  return new Map(
    [...byName].flatMap(([name, [first, ...others]]) =>
      first?.increase == null || others.length > 0 ? [] : [[name, first.increase] as const],
    ),
  );
}

/** Returns the cloud ids of what a stage manages, by address; empty: they cannot be read. */
async function readKnownIds({ deps }: CurrentHead, ref: StageRef): ReturnType<typeof readCloudIds> {
  try {
    return await readCloudIds(deps.platform, ref);
  } catch (error) {
    if (error instanceof UnreadError) return new Map();
    throw error;
  }
}

type Anomaly = EndpointOutput<typeof anomalies.listAnomalies>["data"][number];

/** Most anomalies that are read. */
const MAX_ANOMALIES = 500;

/** Returns the open anomalies without feedback that began after an apply and cost no more than it was to cost. */
async function listExplained(
  { deps }: CurrentHead,
  perspectives: readonly string[],
  increases: ReadonlyMap<string, Increase>,
): Promise<readonly (Anomaly & { readonly id: string })[]> {
  if (increases.size === 0) return [];
  const filter = { perspectiveIds: [...perspectives], status: ["ACTIVE" as const], limit: MAX_ANOMALIES };
  const body = { anomalyFilterPropertiesDTO: { ...filter, filterType: "Anomaly" as const } };
  const answer = await deps.platform.call(anomalies.listAnomalies, { body });
  if (!answer.ok && isTransient(answer.failure)) throw createPlatformError(answer.failure);
  return (answer.ok ? answer.value.data : []).flatMap((anomaly) => {
    const { id, time, resourceName, perspectiveId, status, userFeedback } = anomaly;
    const increase = increases.get(resourceName ?? "");
    const spend = toDecimal(anomaly.anomalousSpend);
    const isOpen = status === "ACTIVE" && (userFeedback === null || userFeedback === "NOT_RESPONDED");
    // A service that ignores the filter returns perspectives that were not granted.
    if (id === null || !isOpen || !perspectives.includes(perspectiveId ?? "")) return [];
    if (increase === undefined || time === null || spend === null) return [];
    const isExplained = compare(spend, increase.change) <= 0;
    return isExplained && time >= increase.fromMs && time < increase.untilMs ? [{ ...anomaly, id }] : [];
  });
}
