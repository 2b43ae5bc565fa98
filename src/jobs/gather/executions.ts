import { type Execution, listExecutions } from "../../platform/contract/executions.ts";
import type { Failure } from "../../platform/errors.ts";
import type { JobDeps } from "../deps.ts";
import type { Candidate } from "./claims.ts";

/** One stage run of a candidate, as the platform records it. */
export interface StageRun {
  readonly candidate: Candidate;
  readonly workspace: string;
  readonly stageExecutionId: string;
  readonly status: "succeeded" | "failed" | "pending" | "unknown";
  /** ms since 1970; null: not stated. */
  readonly createdMs: number | null;
}

export type ExecutionRead =
  | { readonly state: "read"; readonly candidate: Candidate; readonly runs: readonly StageRun[] }
  | { readonly state: "unread"; readonly candidate: Candidate; readonly failure: Failure };

/** The platform gives at most so many stage runs of one execution. */
const LIMIT = 1_000;

/**
 * Reads which stages an execution has and how far they are. An execution without any is not a provisioning one; a platform
 * that does not know the project at all has not been asked.
 */
export async function readExecution(deps: JobDeps, candidate: Candidate): Promise<ExecutionRead> {
  const { org, project, executionId } = candidate;
  const answer = await deps.platform.call(listExecutions, {
    params: { org, project },
    query: { pipeline_execution_id: executionId, limit: LIMIT },
  });
  if (!answer.ok) return { state: "unread", candidate, failure: answer.failure };
  // A platform that does not know the filter answers with other executions too.
  const own = answer.value.filter(({ pipeline_execution_id }) => pipeline_execution_id === executionId);
  return { state: "read", candidate, runs: own.map((execution) => toRun(candidate, execution)) };
}

const STATUS: Readonly<Record<string, StageRun["status"]>> = {
  none: "pending",
  success: "succeeded",
  failure: "failed",
};

const toRun = (candidate: Candidate, execution: Execution): StageRun => ({
  candidate,
  workspace: execution.workspace,
  stageExecutionId: execution.pipeline_stage_id,
  status: STATUS[execution.status] ?? "unknown",
  createdMs: execution.created,
});

/** Of all runs in one workspace: the one that counts, and the executions it replaces. */
export interface Winner {
  readonly run: StageRun;
  readonly superseded: readonly string[];
}

/**
 * One winner per org, project and workspace: the newest ended run, or a pending one that is newer still. A run that is only
 * claimed never takes the place of a proven one, nor one that is only assumed that of one which is tied to the commit.
 * Superseded executions are named and never summed.
 */
export function pickNewest(runs: readonly StageRun[]): readonly Winner[] {
  const byWorkspace = Map.groupBy(runs, ({ candidate, workspace }) =>
    JSON.stringify([candidate.org, candidate.project, workspace]),
  );
  return [...byWorkspace.values()].flatMap((group) => {
    const [run, ...older] = [...group].sort(byProofThenAge);
    if (run === undefined) return [];
    const others = older
      .map(({ candidate }) => candidate.executionId)
      .filter((id) => id !== run.candidate.executionId);
    return [{ run, superseded: [...new Set(others)] }];
  });
}

const byProofThenAge = (a: StageRun, b: StageRun): number =>
  strengthOf(b) - strengthOf(a) || (b.createdMs ?? 0) - (a.createdMs ?? 0);

function strengthOf({ candidate: { proven, source } }: StageRun): number {
  if (!proven) return 0;
  return source === "assumed" ? 1 : 2;
}
