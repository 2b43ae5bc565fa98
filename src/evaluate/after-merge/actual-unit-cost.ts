import { parseInstant } from "../../kernel/instant.ts";
import { getUnitMetric } from "../../platform/contract/unit-metrics.ts";
import type { UnitCostAfterMerge } from "../../policy/model/evaluation.ts";
import type { MergedStageRow } from "../../store/after-merge/merged-pulls.ts";
import { toDecimal } from "../facts/platform/decimal.ts";
import { formatSecond, isWhole, type Metric } from "../facts/units/unit-series.ts";
import type { JobDeps } from "../run/deps.ts";

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
