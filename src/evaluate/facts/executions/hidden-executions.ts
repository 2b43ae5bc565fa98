import type { Binding } from "../../../store/bindings.ts";
import type { ExecutionCandidate } from "./claims.ts";
import { type ExecutionRead, identifyExecution } from "./executions.ts";

/** How long an execution whose status is hidden is waited for when the platform does not list it, in ms. */
const UNLISTED_MS = 5 * 60_000;

interface Sources {
  /** Of the head. */
  readonly bindings: readonly Binding[];
  /** What the head's statuses and checks name now. */
  readonly shown: readonly ExecutionCandidate[];
  readonly nowMs: number;
}

/**
 * Leaves out executions that ended before a stage began: the platform does not list them minutes after a status or check named them,
 * and the status or check names another one now. Otherwise nobody could ever make up for such an execution on the same head.
 */
export function leaveOutUnbegun(
  reads: readonly ExecutionRead[],
  { bindings, shown, nowMs }: Sources,
): readonly ExecutionRead[] {
  const hidden = new Set(
    bindings
      .filter(({ source }) => source === "status" || source === "check")
      .filter(({ created_at }) => nowMs - created_at.getTime() > UNLISTED_MS)
      .map(({ pipeline_execution_id: executionId, ...rest }) => identifyExecution({ ...rest, executionId })),
  );
  for (const candidate of shown) hidden.delete(identifyExecution(candidate));
  return reads.filter(
    ({ state, candidate }) => state !== "absent" || !hidden.has(identifyExecution(candidate)),
  );
}
