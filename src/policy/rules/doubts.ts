import { listUnseenDoubts } from "../../report/cost/totals.ts";
import type { UnknownReason } from "../../report/model/facts.ts";
import type { CostLine, Report, StageReport } from "../../report/model/report.ts";
import type { UndecidedReason } from "../model/finding.ts";

export const unknown = (reason: UnknownReason): UndecidedReason => ({ kind: "unknown", reason });

/** Why an amount cannot be evaluated; empty: it can. */
export function listLineDoubts({
  state,
  because,
}: Pick<CostLine, "state" | "because">): readonly UndecidedReason[] {
  switch (state) {
    case "known":
      return [];
    case "unknown":
      return because.length === 0 ? [unknown("not_read")] : because.map(unknown);
    case "partial":
      if (isOnlyUncompared(because)) return [unknown("not_compared")];
      return [{ kind: "partial" }, ...because.filter((reason) => reason !== "partly_estimated").map(unknown)];
    case "inconsistent":
      return [{ kind: "inconsistent" }, ...because.map(unknown)];
  }
}

/** Why the cost afterwards cannot be evaluated: a line that is compared with nothing states it all the same. */
export const listAfterDoubts = (line: CostLine): readonly UndecidedReason[] =>
  line.state === "partial" && line.after !== null && isOnlyUncompared(line.because)
    ? []
    : listLineDoubts(line);

const isOnlyUncompared = (because: readonly UnknownReason[]): boolean =>
  because.length > 0 && because.every((reason) => reason === "not_compared");

/**
 * Why the data about the whole pull request is incomplete: nothing was read, or some of it may not be shown
 * here.
 */
export function listReportGaps({ stages, refused }: Report): readonly UndecidedReason[] {
  const reasons = listUnseenDoubts(refused).flatMap(({ because }) => because.map(unknown));
  return stages.length === 0 && reasons.length === 0 ? [unknown("not_read")] : reasons;
}

/** Why the actions that a stage invokes are unknown; null: they are known. Those that are not listed may be in any part. */
export function findInvocationsDoubt(stage: StageReport): UnknownReason | null {
  const { countsBecause, planNotes, narrowed } = stage;
  if (countsBecause !== null || planNotes === undefined) return countsBecause ?? "not_stated";
  return narrowed !== null && planNotes.invocations.more > 0 ? "too_large" : null;
}

/** The reasons without duplicates. */
export function selectUniqueReasons(because: readonly UndecidedReason[]): readonly UndecidedReason[] {
  return [...new Map(because.map((reason) => [JSON.stringify(reason), reason])).values()];
}
