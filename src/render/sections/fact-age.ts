import type { Fact, UnknownReason } from "../../report/model/facts.ts";
import { duration } from "../format/time.ts";
import type { Inline } from "../markup/escape.ts";

/** How old a fact is that could not be read again; null: it is as of now. */
export const formatFactAge = <T>(fact: Fact<T>): Inline | null =>
  fact.state === "stale" ? duration(fact.ageMs) : null;

const SILENT: ReadonlySet<UnknownReason> = new Set(["not_granted", "not_read", "local_preview"]);

/** Why a fact is not known, where a reader should hear of it: of what was never asked for, or not granted, nobody should. */
export function worthTelling<T>(fact: Fact<T>): UnknownReason | null {
  if (fact.state !== "unknown") return null;
  return SILENT.has(fact.reason) ? null : fact.reason;
}
