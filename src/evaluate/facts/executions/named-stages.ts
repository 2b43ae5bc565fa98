import type { PlatformClient } from "../../../platform/client.ts";
import { listStageCosts } from "../../../platform/contract/cost-changes.ts";
import type { EndpointOutput } from "../../../platform/contract/endpoint.ts";
import { type Execution, getExecution } from "../../../platform/contract/executions.ts";
import type { Failure } from "../../../platform/errors.ts";
import type { ExecutionCandidate } from "./claims.ts";

/** A stage of an execution. An undocumented status: the platform did not return the stage's record. */
export type KnownStage = Pick<
  Execution,
  "pipeline_execution_id" | "pipeline_stage_id" | "workspace" | "status" | "created"
>;

export type NamedStages =
  | { readonly state: "read"; readonly stages: readonly KnownStage[] }
  | { readonly state: "failed"; readonly failure: Failure };

/** Most stages of one execution that are read one by one. */
const MAX_READ = 50;

/**
 * Reads the stages of an execution that statuses name by id, and those with a cost on the platform. A stage
 * with a cost and without a record exists; a stage that only a status names may provision nothing.
 */
export async function readNamedStages(
  platform: Pick<PlatformClient, "call">,
  { org, project, executionId, trace }: ExecutionCandidate,
): Promise<NamedStages> {
  const execution = { org, project, pipeline_execution_id: executionId };
  const costs = await platform.call(listStageCosts, { params: execution });
  if (!costs.ok && costs.failure.kind !== "not_found") return { state: "failed", failure: costs.failure };
  const workspaces = mapWorkspaces(costs.ok ? costs.value : []);
  const ids = [...new Set([...workspaces.keys(), ...trace.stageExecutionIds])].slice(0, MAX_READ);
  const answers = await Promise.all(
    ids.map((id) => platform.call(getExecution, { params: { ...execution, pipeline_stage_id: id } })),
  );
  const failed = answers.find((answer) => !answer.ok && answer.failure.kind !== "not_found");
  if (failed?.ok === false) return { state: "failed", failure: failed.failure };
  const recorded = answers.flatMap((answer) => (answer.ok ? [answer.value] : []));
  for (const { pipeline_stage_id: id } of recorded) workspaces.delete(id);
  const others = [...workspaces].map(([pipeline_stage_id, workspace]): KnownStage => {
    return { pipeline_execution_id: executionId, pipeline_stage_id, workspace, ...NO_RECORD };
  });
  return { state: "read", stages: [...recorded, ...others] };
}

/** Returns the workspaces by stage id, for the stages with a cost. */
function mapWorkspaces(costs: EndpointOutput<typeof listStageCosts>): Map<string, string> {
  const stated = costs.filter(({ stage_execution_id: id }) => id !== "");
  return new Map(stated.map((cost) => [cost.stage_execution_id, cost.workspace_id]));
}

const NO_RECORD = { status: "not recorded", created: null };
