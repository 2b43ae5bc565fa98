import type { Failure } from "../../../platform/errors.ts";
import type { JobDeps } from "../../run/deps.ts";
import type { OperatorRules } from "../../run/operator-rules.ts";
import type { Candidate } from "./claims.ts";
import { findById, findExecution } from "./find-execution.ts";
import type { KnownStage } from "./named-stages.ts";
import { remembering } from "./remembering.ts";

/** One stage run of a candidate, as the platform records it. */
export interface StageRun {
  readonly candidate: Candidate;
  readonly workspace: string;
  readonly stageExecutionId: string;
  readonly status: "succeeded" | "failed" | "pending" | "unknown";
  /** ms since 1970; null: not stated. */
  readonly createdMs: number | null;
}

/** `absent`: the platform lists no stage of it. `provisions`: false if the operator says that its pipeline never does. */
export type ExecutionRead =
  | { readonly state: "read"; readonly candidate: Candidate; readonly runs: readonly StageRun[] }
  | { readonly state: "unread"; readonly candidate: Candidate; readonly failure: Failure }
  | { readonly state: "absent"; readonly candidate: Candidate; readonly provisions: boolean };

/** Reads which stages these executions have and how far they are. */
export function readExecutions(
  { platform, operator }: Pick<JobDeps, "platform" | "operator">,
  candidates: readonly Candidate[],
): Promise<readonly ExecutionRead[]> {
  const once = remembering(platform);
  return Promise.all(
    candidates.map(async (candidate): Promise<ExecutionRead> => {
      const provisions = !isOfOtherPipeline(operator, candidate);
      const find = operator.embedded || !provisions ? findById : findExecution;
      const found = await find(once, candidate);
      if (found.state === "absent") return { state: "absent", candidate, provisions };
      if (found.state === "failed") return { state: "unread", candidate, failure: found.failure };
      return { state: "read", candidate, runs: found.stages.map((stage) => toRun(candidate, stage)) };
    }),
  );
}

const isOfOtherPipeline = ({ otherPipelines }: OperatorRules, { org, project, trace }: Candidate): boolean =>
  otherPipelines.some(
    (other) =>
      other.org === org &&
      (other.project === undefined || other.project === project) &&
      trace.pipeline !== null &&
      other.matches(trace.pipeline),
  );

const STATUS: Readonly<Record<string, StageRun["status"]>> = {
  none: "pending",
  success: "succeeded",
  failure: "failed",
};

const toRun = (candidate: Candidate, stage: KnownStage): StageRun => ({
  candidate,
  workspace: stage.workspace,
  stageExecutionId: stage.pipeline_stage_id,
  status: STATUS[stage.status] ?? "unknown",
  createdMs: stage.created,
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
