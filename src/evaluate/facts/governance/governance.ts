import type { PlatformClient } from "../../../platform/client.ts";
import { governance } from "../../../platform/contract/governance.ts";
import type { GovernanceCounts } from "../../../report/model/context.ts";
import type { Fact } from "../../../report/model/facts.ts";
import type { ContextGrant } from "../../run/operator-rules.ts";
import { callWithRetry } from "../platform/call-with-retry.ts";
import { toUnknownReason, unknown } from "../platform/platform-facts.ts";

const DAY_MS = 86_400_000;
/** In ms. Evaluations since this time ago are read. */
const LOOK_BACK_MS = 30 * DAY_MS;
/** In ms. Evaluations of a day that ended longer ago are stale. */
const FRESH_MS = 2 * DAY_MS;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

interface GovernanceQuery {
  readonly clouds: ContextGrant["clouds"];
  readonly passing: ReadonlySet<string>;
  readonly nowMs: number;
}

/**
 * Reads the governance results of the newest day with evaluations. Absent: there were no evaluations in the
 * last 30 days.
 */
export async function readGovernance(
  platform: PlatformClient,
  { clouds, passing, nowMs }: GovernanceQuery,
): Promise<Fact<GovernanceCounts>> {
  const answer = await callWithRetry(platform, governance.countDailyEvaluations, {
    query: { cloudProvider: [...clouds] },
    body: [{ operator: "AFTER", timestamp: nowMs - LOOK_BACK_MS }],
  });
  if (!answer.ok) return unknown(toUnknownReason(answer.failure));
  const days = Object.entries(answer.value.data);
  if (days.some(([day]) => !DAY.test(day))) return unknown("malformed");
  const newest = days.reduce<(typeof days)[number] | null>(
    (best, entry) => (best === null || entry[0] > best[0] ? entry : best),
    null,
  );
  if (newest === null) return { state: "absent" };
  const [day, statuses] = newest;
  const value = countStatuses(day, statuses, passing);
  const ageMs = nowMs - (Date.parse(`${day}T00:00:00Z`) + DAY_MS);
  return ageMs > FRESH_MS ? { state: "stale", value, ageMs } : { state: "known", value };
}

function countStatuses(
  day: string,
  statuses: Readonly<Record<string, number>>,
  passing: ReadonlySet<string>,
): GovernanceCounts {
  const count = (which: readonly (readonly [string, number])[]) =>
    which.reduce((sum, [, evaluations]) => sum + evaluations, 0);
  const all = Object.entries(statuses);
  return { day, failed: count(all.filter(([status]) => !passing.has(status))), total: count(all), statuses };
}
