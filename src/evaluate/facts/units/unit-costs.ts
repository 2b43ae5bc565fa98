import type { PlatformClient } from "../../../platform/client.ts";
import { getUnitMetric } from "../../../platform/contract/unit-metrics.ts";
import type { UnitCost } from "../../../report/model/context.ts";
import type { Fact, UnknownReason } from "../../../report/model/facts.ts";
import type { ContextGrant, UnitMetricGrant } from "../../run/operator-rules.ts";
import { toUnknownReason, unknown } from "../platform/platform-facts.ts";
import { NOT_FOUND_CODE, readPerspectiveUnits } from "./perspective-units.ts";
import { computeValueAfter, type MergeEffect } from "./unit-cost-after.ts";
import { buildRange, findNewestValue } from "./unit-series.ts";

interface UnitCostQuery {
  readonly grant: Pick<ContextGrant, "unitMetrics" | "measuredPerspectives">;
  readonly merged: () => Promise<MergeEffect>;
  readonly currency: string;
  readonly nowMs: number;
}

/**
 * Reads the cost per unit before and after the merge, for each metric that the repository may see, and for
 * those derived from the bills of its perspectives. Absent: there are none.
 */
export async function readUnitCosts(
  platform: PlatformClient,
  query: UnitCostQuery,
): Promise<Fact<readonly UnitCost[]>> {
  const { unitMetrics, measuredPerspectives } = query.grant;
  const [named, found] = await Promise.all([
    Promise.all(unitMetrics.map((metric) => readUnitCost(platform, metric, query))),
    readPerspectiveUnits(platform, { ...query, measuredPerspectives }),
  ]);
  const read = [...named, ...found];
  const failed = read.find((one) => typeof one === "string");
  if (failed !== undefined) return unknown(failed);
  const costs = read.filter((one) => typeof one === "object" && one !== null);
  return costs.length === 0 ? { state: "absent" } : { state: "known", value: costs };
}

/** Reads one metric. Null: it does not exist. A text: the reason why it is unknown. */
async function readUnitCost(
  platform: PlatformClient,
  grant: UnitMetricGrant,
  { merged, currency, nowMs }: UnitCostQuery,
): Promise<UnitCost | UnknownReason | null> {
  const { metric } = grant;
  const answer = await platform.call(getUnitMetric, { query: buildRange(metric, nowMs) });
  if (!answer.ok) return answer.failure.code === NOT_FOUND_CODE ? null : toUnknownReason(answer.failure);
  const { data } = answer.value;
  if (data.metricIdentifier !== metric) return "malformed";
  const { before, asOf } = findNewestValue(data, nowMs);
  const after = before === null ? null : computeValueAfter(before, grant, await merged());
  return { metric, name: data.metricName, perspective: null, before, after, asOf, currency };
}
