import { listModuleCosts, listStageCosts } from "../../platform/contract/cost-changes.ts";
import { type Execution, listExecutions } from "../../platform/contract/executions.ts";
import { listDefaultPipelines } from "../../platform/contract/settings.ts";
import type { ModuleCost, StageCost } from "../../report/model/facts.ts";
import { getFactValue } from "../../report/stages.ts";
import type { MergedStageRow } from "../../store/after-merge/merged-pulls.ts";
import { toCostFact, toModulesFact } from "../facts/platform-facts.ts";
import { findStageEntry } from "../facts/read-facts.ts";
import type { JobDeps } from "../run/deps.ts";

type PlatformDeps = Pick<JobDeps, "platform">;

/** Most executions of one workspace that are read. */
const MAX_EXECUTIONS = 20;

/** Returns the successful executions of the workspace, newest first. */
export async function readExecutionsAfterMerge(
  { platform }: PlatformDeps,
  stage: MergedStageRow,
): Promise<readonly Execution[]> {
  const { org, project, workspace, mergedMs, nextMs } = stage;
  const range = { start_time: mergedMs, ...(nextMs === null ? {} : { end_time: nextMs }) };
  const answer = await platform.call(listExecutions, {
    params: { org, project },
    query: { workspace, status: ["success"], limit: MAX_EXECUTIONS, ...range },
  });
  return answer.ok ? answer.value.filter((execution) => isOfStage(execution, stage)).sort(byNewest) : [];
}

const byNewest = (a: Execution, b: Execution): number => (b.created ?? 0) - (a.created ?? 0);

/** Whether the execution matches the filters: a platform that ignores a filter returns other executions too. */
function isOfStage(execution: Execution, { workspace, mergedMs, nextMs }: MergedStageRow): boolean {
  const { created, status } = execution;
  if (execution.workspace !== workspace || status !== "success" || created === null) return false;
  return created > mergedMs && (nextMs === null || created < nextMs);
}

/** The workspace of a project's default pipeline, which counts for each of its workspaces. */
const EACH_WORKSPACE = "";

/** Returns the pipelines that the project names for applying and for no other operation. */
export async function readApplyPipelines(
  { platform }: PlatformDeps,
  { org, project, workspace }: MergedStageRow,
): Promise<ReadonlySet<string>> {
  const answer = await platform.call(listDefaultPipelines, {
    params: { org, project },
    query: { workspace: EACH_WORKSPACE },
  });
  if (!answer.ok) return new Set();
  const others = new Set(
    answer.value.filter(({ operation }) => operation !== "apply").map(({ pipeline }) => pipeline),
  );
  const own = answer.value.filter((entry) => [EACH_WORKSPACE, workspace].includes(entry.workspace));
  return new Set(own.map(({ pipeline }) => pipeline).filter((pipeline) => !others.has(pipeline)));
}

/** Returns the cost that one execution's estimate states; null: there is no complete estimate. */
export async function readExecutionCost(
  { platform }: PlatformDeps,
  execution: Execution,
): Promise<StageCost | null> {
  const answer = await platform.call(listStageCosts, { params: execution });
  const cost = getFactValue(toCostFact(findStageEntry(answer, toStage(execution))));
  return cost === null || cost.completeness === "partial" ? null : cost;
}

/** Returns the costs per module that one execution's estimate states; null: it states none. */
export async function readExecutionModules(
  { platform }: PlatformDeps,
  execution: Execution,
): Promise<readonly ModuleCost[] | null> {
  const answer = await platform.call(listModuleCosts, { params: execution });
  return getFactValue(toModulesFact(findStageEntry(answer, toStage(execution))));
}

const toStage = ({ pipeline_stage_id, workspace }: Execution) => ({
  ...{ stageExecutionId: pipeline_stage_id, workspace },
});
