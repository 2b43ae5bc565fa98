import type { UsageCounts } from "../../report/model/report.ts";

/**
 * The mark beside an amount for usage-based costs, which are in no amount: they are added, removed, or both.
 */
type UsageMark = "plus" | "minus" | "both" | null;
export type UsageView = Readonly<Record<"before" | "after" | "change", UsageMark>>;

export const NO_MARKS: UsageView = { before: null, after: null, change: null };

/** The usage marks of a line of amounts. */
export function buildUsageView(usage: UsageCounts | undefined): UsageView {
  if (usage === undefined) return NO_MARKS;
  const { before, after, introduced, deleted } = usage;
  const moves = introduced > 0 ? (deleted > 0 ? "both" : "plus") : deleted > 0 ? "minus" : null;
  return { before: before > 0 ? "plus" : null, after: after > 0 ? "plus" : null, change: moves };
}
