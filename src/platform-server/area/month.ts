import type { PerspectiveFilter } from "../../platform/contract/shapes/perspective-filter.ts";

export type NamedMonth = NonNullable<PerspectiveFilter["timeRangeTypeFilter"]>;

/** First and last millisecond of a calendar month in UTC, in ms since 1970. */
export function monthRange(month: NamedMonth, nowMs: number): { readonly from: number; readonly to: number } {
  const now = new Date(nowMs);
  const index = now.getUTCMonth() - (month === "LAST_MONTH" ? 1 : 0);
  const start = (plus: number) => Date.UTC(now.getUTCFullYear(), index + plus);
  return { from: start(0), to: start(1) - 1 };
}
