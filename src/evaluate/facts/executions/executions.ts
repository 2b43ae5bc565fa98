import type { Failure } from "../../../platform/errors.ts";
import type { JobDeps } from "../../run/deps.ts";
import type { OperatorRules } from "../../run/operator-rules.ts";
import { cacheReads } from "./cache-reads.ts";
import type { ExecutionCandidate } from "./claims.ts";
import { findById, findExecution } from "./find-execution.ts";
import type { KnownStage } from "./named-stages.ts";

/** One stage of a candidate, as the platform records it. */
export interface StageExecution {
  readonly candidate: ExecutionCandidate;
  readonly workspace: string;
  readonly stageExecutionId: string;
  readonly status: "succeeded" | "failed" | "pending" | "unknown";
  /** In ms since 1970; null: not stated. */
  readonly createdMs: number | null;
}

/**
 * `absent`: the platform lists no stage of it. `provisions`: false when the operator states that its pipeline
 * never provisions.
 */
export type ExecutionRead =
  | {
      readonly state: "read";
      readonly candidate: ExecutionCandidate;
      readonly stages: readonly StageExecution[];
    }
  | { readonly state: "unread"; readonly candidate: ExecutionCandidate; readonly failure: Failure }
  | { readonly state: "absent"; readonly candidate: ExecutionCandidate; readonly canProvision: boolean };

/** Returns the identity of an execution within the platform account. */
export const identifyExecution = ({
  org,
  project,
  executionId,
}: Pick<ExecutionCandidate, "org" | "project" | "executionId">): string =>
  JSON.stringify([org, project, executionId]);

/** Reads the stages of these executions and their status. */
export function readExecutions(
  { platform, operator }: Pick<JobDeps, "platform" | "operator">,
  candidates: readonly ExecutionCandidate[],
): Promise<readonly ExecutionRead[]> {
  const once = cacheReads(platform);
  return Promise.all(
    candidates.map(async (candidate): Promise<ExecutionRead> => {
      const provisions = !isOfOtherPipeline(operator, candidate);
      const find = operator.embedded || !provisions ? findById : findExecution;
      const found = await find(once, candidate);
      if (found.state === "absent") return { state: "absent", candidate, canProvision: provisions };
      if (found.state === "failed") return { state: "unread", candidate, failure: found.failure };
      return {
        state: "read",
        candidate,
        stages: found.stages.map((stage) => toStageExecution(candidate, stage)),
      };
    }),
  );
}

/** Whether the operator states that the pipeline of a candidate provisions nothing. */
export const isOfOtherPipeline = (
  { otherPipelines }: OperatorRules,
  { org, project, trace }: ExecutionCandidate,
): boolean =>
  otherPipelines.some(
    (other) =>
      other.org === org &&
      (other.project === undefined || other.project === project) &&
      trace.pipeline !== null &&
      other.isMatch(trace.pipeline),
  );

const STATUS: Readonly<Record<string, StageExecution["status"]>> = {
  none: "pending",
  success: "succeeded",
  failure: "failed",
};

/** Returns a stage of a candidate as the platform records it. */
export const toStageExecution = (candidate: ExecutionCandidate, stage: KnownStage): StageExecution => ({
  candidate,
  workspace: stage.workspace,
  stageExecutionId: stage.pipeline_stage_id,
  status: STATUS[stage.status] ?? "unknown",
  createdMs: stage.created,
});

/** The stage that counts for one workspace, and the executions that it replaces. */
export interface SelectedStage {
  readonly stage: StageExecution;
  readonly superseded: readonly string[];
}

/**
 * Returns one stage per org, project and workspace: the newest that ended, or a newer pending one. A stage
 * that is only claimed never replaces a proven one, and an assumed stage never replaces one that is linked to
 * the commit. Superseded executions are listed and never added to a sum.
 */
export function selectNewestStages(runs: readonly StageExecution[]): readonly SelectedStage[] {
  const byWorkspace = Map.groupBy(runs, ({ candidate, workspace }) =>
    JSON.stringify([candidate.org, candidate.project, workspace]),
  );
  return [...byWorkspace.values()].flatMap((group) => {
    const [stage, ...older] = [...group].sort(byProofThenAge);
    if (stage === undefined) return [];
    const others = older
      .map(({ candidate }) => candidate.executionId)
      .filter((id) => id !== stage.candidate.executionId);
    return [{ stage, superseded: [...new Set(others)] }];
  });
}

const byProofThenAge = (a: StageExecution, b: StageExecution): number =>
  rankProof(b) - rankProof(a) || (b.createdMs ?? 0) - (a.createdMs ?? 0);

function rankProof({ candidate: { proven, source } }: StageExecution): number {
  if (!proven) return 0;
  return source === "assumed" ? 1 : 2;
}
