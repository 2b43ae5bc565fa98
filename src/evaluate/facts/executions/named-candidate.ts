import type { NamedExecution } from "../../../queue/named-execution.ts";
import type { OperatorRules } from "../../run/operator-rules.ts";
import { type ExecutionCandidate, NO_TRACE, readClaims } from "./claims.ts";

/** Returns the candidate that a head with this status or check would have, by the same rules. */
export function readNamedCandidate(
  named: NamedExecution,
  operator: OperatorRules,
): ExecutionCandidate | null {
  if (named.by === "notification") {
    const { org, project, executionId } = named;
    return { org, project, executionId, source: "notification", proven: true, trace: NO_TRACE };
  }
  const { url, posterId } = named;
  const { candidates } =
    named.by === "status"
      ? readClaims(
          [{ ...ENDED_STATUS, targetUrl: url, creator: { id: posterId, login: "", type: "User" } }],
          [],
          operator,
        )
      : readClaims([], [{ ...ENDED_CHECK, detailsUrl: url, appId: posterId }], operator);
  return candidates[0] ?? null;
}

const ENDED_STATUS = { context: "", state: "success", description: null, createdMs: 0 } as const;
const ENDED_CHECK = {
  id: null,
  name: "",
  status: "completed",
  conclusion: "success",
  externalId: null,
  appSlug: null,
} as const;
