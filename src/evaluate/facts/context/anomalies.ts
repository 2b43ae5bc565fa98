import type { PlatformClient } from "../../../platform/client.ts";
import { anomalies } from "../../../platform/contract/anomalies.ts";
import type { OpenAnomalies } from "../../../report/model/context.ts";
import type { Fact } from "../../../report/model/facts.ts";
import { callWithRetry } from "../platform/call-with-retry.ts";
import { toDecimal } from "../platform/decimal.ts";
import { toUnknownReason, unknown } from "../platform/platform-facts.ts";

/** Most anomalies that are listed; all are counted. */
const MAX_NAMES = 5;

/** Reads the open anomalies of these perspectives. The platform's amounts have no currency of their own. */
export async function readAnomalies(
  platform: PlatformClient,
  perspectives: readonly string[],
  currency: string,
): Promise<Fact<OpenAnomalies>> {
  const filter = {
    perspectiveIds: [...perspectives],
    status: ["ACTIVE" as const],
    filterType: "Anomaly" as const,
  };
  const largest = { orderBy: [{ field: "ANOMALOUS_SPEND" as const, order: "DESCENDING" as const }] };
  const ask = (shaped: object) => ({ body: { anomalyFilterPropertiesDTO: { ...filter, ...shaped } } });
  const [summary, list] = await Promise.all([
    callWithRetry(platform, anomalies.getAnomalySummary, ask({})),
    callWithRetry(platform, anomalies.listAnomalies, ask({ ...largest, limit: MAX_NAMES })),
  ]);
  if (!summary.ok) return unknown(toUnknownReason(summary.failure));
  if (!list.ok) return unknown(toUnknownReason(list.failure));
  const { count, costImpact } = summary.value.data;
  // A service that ignores the filter returns perspectives that were not granted.
  const granted = new Set(perspectives);
  if (list.value.data.some(({ perspectiveId }) => perspectiveId === null || !granted.has(perspectiveId)))
    return unknown("malformed");
  const money = (value: number | null) => {
    const amount = toDecimal(value);
    return amount === null ? null : { amount, currency };
  };
  const items = list.value.data.flatMap(({ id, resourceName, perspectiveName, anomalousSpend }) =>
    id === null
      ? []
      : [{ id, resource: resourceName ?? id, perspective: perspectiveName, spend: money(anomalousSpend) }],
  );
  return { state: "known", value: { count, impact: money(costImpact), items } };
}
