import type { Fact, UnknownReason } from "../../report/model/facts.ts";
import { formatDuration } from "../format/time.ts";
import type { Inline } from "../markup/escape.ts";

/** The age of a stale fact; null: the fact is current. */
export const formatFactAge = <T>(fact: Fact<T>): Inline | null =>
  fact.state === "stale" ? formatDuration(fact.ageMs) : null;

const UNREPORTED_REASONS: ReadonlySet<UnknownReason> = new Set(["not_granted", "not_read", "local_preview"]);

/**
 * Why a fact is unknown, if the reason is shown. Facts that were never requested or are not granted are not
 * mentioned.
 */
export function findReportableReason<T>(fact: Fact<T>): UnknownReason | null {
  if (fact.state !== "unknown") return null;
  return UNREPORTED_REASONS.has(fact.reason) ? null : fact.reason;
}
