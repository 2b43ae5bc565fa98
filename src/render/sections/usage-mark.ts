import type { UsageCounts } from "../../report/model/report.ts";

/** What stands beside an amount for what is paid by use, and is in no amount: it comes on top, falls away, or both. */
type UsageMark = "plus" | "minus" | "both" | null;
export type UsageView = Readonly<Record<"before" | "after" | "change", UsageMark>>;

export const NO_MARKS: UsageView = { before: null, after: null, change: null };

/** The marks of a line of amounts. */
export function usageView(usage: UsageCounts | undefined): UsageView {
  if (usage === undefined) return NO_MARKS;
  const { before, after, introduced, deleted } = usage;
  const moves = introduced > 0 ? (deleted > 0 ? "both" : "plus") : deleted > 0 ? "minus" : null;
  return { before: before > 0 ? "plus" : null, after: after > 0 ? "plus" : null, change: moves };
}
