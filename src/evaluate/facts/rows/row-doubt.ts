import type { StageFacts, UnknownReason } from "../../../report/model/facts.ts";

/** Returns why the changed resources of a stage are unknown; null: they are known. */
export function findDoubt({ proven, status, rows }: StageFacts): UnknownReason | null {
  if (!proven) return "unproven";
  if (status === "failed") return "execution_failed";
  if (status === "pending") return "execution_pending";
  if (rows.state !== "known") return rows.state === "unknown" ? rows.reason : "not_stated";
  return rows.value.omitted + rows.value.unread > 0 ? "too_large" : null;
}
