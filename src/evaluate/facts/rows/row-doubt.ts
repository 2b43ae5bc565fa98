import type { StageFacts, UnknownReason } from "../../../report/model/facts.ts";

/** Why it is not known what a stage touches; null: it is. */
export function findDoubt({ proven, status, rows }: StageFacts): UnknownReason | null {
  if (!proven) return "unproven";
  if (status === "failed") return "execution_failed";
  if (status === "pending") return "execution_pending";
  if (rows.state !== "known") return rows.state === "unknown" ? rows.reason : "not_stated";
  return rows.value.omitted + rows.value.unread > 0 ? "too_large" : null;
}
