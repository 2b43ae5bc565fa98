import type { Fact, UnknownReason } from "../../report/model/facts.ts";
import { duration } from "../format/time.ts";
import type { Inline } from "../markup/escape.ts";

/** The age of a stale fact; null: the fact is current. */
export const formatFactAge = <T>(fact: Fact<T>): Inline | null =>
  fact.state === "stale" ? duration(fact.ageMs) : null;

const SILENT: ReadonlySet<UnknownReason> = new Set(["not_granted", "not_read", "local_preview"]);

/**
 * Why a fact is unknown, if the reason is shown. Facts that were never requested or are not granted are not
 * mentioned.
 */
export function worthTelling<T>(fact: Fact<T>): UnknownReason | null {
  if (fact.state !== "unknown") return null;
  return SILENT.has(fact.reason) ? null : fact.reason;
}
