import type { PlatformClient } from "../../../platform/client.ts";
import { listStageCosts } from "../../../platform/contract/cost-changes.ts";
import type { EndpointOutput } from "../../../platform/contract/endpoint.ts";
import { type Execution, getExecution } from "../../../platform/contract/executions.ts";
import type { Failure } from "../../../platform/errors.ts";
import type { ExecutionCandidate } from "./claims.ts";

/** A stage of an execution; a status that no document knows: the platform did not hand out its record. */
export type KnownStage = Pick<
  Execution,
  "pipeline_execution_id" | "pipeline_stage_id" | "workspace" | "status" | "created"
>;

export type NamedStages =
  | { readonly state: "read"; readonly stages: readonly KnownStage[] }
  | { readonly state: "failed"; readonly failure: Failure };

/** Stages of one execution that are read one by one, at most. */
const MAX_READ = 50;

/**
 * Reads the stages of an execution that statuses name by id, and those that the platform states costs of. A stage that has
 * a cost and no record is there nevertheless; what a status names may be a stage that provisions nothing.
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

/** Workspaces by the id of their stage, of which costs are stated. */
function mapWorkspaces(costs: EndpointOutput<typeof listStageCosts>): Map<string, string> {
  const stated = costs.filter(({ stage_execution_id: id }) => id !== "");
  return new Map(stated.map((cost) => [cost.stage_execution_id, cost.workspace_id]));
}

const NO_RECORD = { status: "not recorded", created: null };
