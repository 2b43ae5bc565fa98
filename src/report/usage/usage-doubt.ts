import type { UnknownReason } from "../model/facts.ts";
import type { StageReport } from "../model/report.ts";

/**
 * Why the usage-based resources of a stage are unknown; null: they are known. A part that was not estimated
 * may contain any.
 */
export function findUsageDoubt({ state, because, usageBased }: StageReport): UnknownReason | null {
  if (state === "unknown") return because[0] ?? "not_read";
  const missing = because.find((reason) => reason === "not_estimated" || reason === "partly_estimated");
  if (missing !== undefined) return missing;
  return usageBased?.isStated === true ? null : "not_stated";
}
