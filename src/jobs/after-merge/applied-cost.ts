import type { Decimal } from "../../kernel/money.ts";
import { listStageCosts } from "../../platform/contract/cost-changes.ts";
import { type Execution, listExecutions } from "../../platform/contract/executions.ts";
import { listDefaultPipelines } from "../../platform/contract/settings.ts";
import { factValue } from "../../report/stages.ts";
import type { KeptMergedStage } from "../../store/merged-pulls.ts";
import type { JobDeps } from "../deps.ts";
import { costFact } from "../gather/platform-facts.ts";

/** Runs of one workspace that are looked at, newest first. */
const RUNS = 20;

/**
 * What a workspace costs per month as it was applied after a merge and before the next one; null: that cannot be told. A run of the
 * pipeline that applies, and does nothing else, says what it left behind. Any other run says what it found, which counts
 * once that is not any more what there was before the merge.
 */
export async function appliedCost(
  { platform }: Pick<JobDeps, "platform">,
  stage: KeptMergedStage,
): Promise<Decimal | null> {
  const runs = await runsSince({ platform }, stage);
  if (runs.length === 0) return null;
  const applying = await applyingPipelines({ platform }, stage);
  for (const run of runs) {
    const cost = await costOfRun({ platform }, run);
    if (cost?.currency !== stage.currency) continue;
    if (applying.has(run.pipeline ?? "")) return cost.current;
    if (hasMoved(cost.previous, stage)) return cost.previous;
  }
  return null;
}

/** Successful runs of the workspace, newest first. */
async function runsSince(
  { platform }: Pick<JobDeps, "platform">,
  stage: KeptMergedStage,
): Promise<readonly Execution[]> {
  const { org, project, workspace, mergedMs, nextMs } = stage;
  const range = { start_time: mergedMs, ...(nextMs === null ? {} : { end_time: nextMs }) };
  const answer = await platform.call(listExecutions, {
    params: { org, project },
    query: { workspace, status: ["success"], limit: RUNS, ...range },
  });
  return answer.ok ? answer.value.filter((run) => isOf(run, stage)).sort(newestFirst) : [];
}

const newestFirst = (a: Execution, b: Execution): number => (b.created ?? 0) - (a.created ?? 0);

/** Whether a run found something else than there was before the merge, or the merge was not to change anything. */
const hasMoved = (found: Decimal | null, { change, previous }: KeptMergedStage): boolean =>
  found !== null && (change === "0" || found !== previous);

/** A platform that does not know a filter answers with other runs too. */
function isOf(run: Execution, { workspace, mergedMs, nextMs }: KeptMergedStage): boolean {
  if (run.workspace !== workspace || run.status !== "success" || run.created === null) return false;
  return run.created > mergedMs && (nextMs === null || run.created < nextMs);
}

/** Pipelines that the project names for applying and for no other operation. */
async function applyingPipelines(
  { platform }: Pick<JobDeps, "platform">,
  { org, project, workspace }: KeptMergedStage,
): Promise<ReadonlySet<string>> {
  const answer = await platform.call(listDefaultPipelines, {
    params: { org, project },
    query: { workspace: "" },
  });
  if (!answer.ok) return new Set();
  const named = answer.value.filter((entry) => entry.workspace === "" || entry.workspace === workspace);
  const others = new Set(
    answer.value.flatMap(({ operation, pipeline }) => (operation === "apply" ? [] : [pipeline])),
  );
  return new Set(
    named.flatMap(({ operation, pipeline }) =>
      operation === "apply" && !others.has(pipeline) ? [pipeline] : [],
    ),
  );
}

async function costOfRun({ platform }: Pick<JobDeps, "platform">, run: Execution) {
  const { org, project, pipeline_execution_id, pipeline_stage_id, workspace } = run;
  const answer = await platform.call(listStageCosts, { params: { org, project, pipeline_execution_id } });
  if (!answer.ok) return null;
  const own = answer.value.find(
    (cost) => cost.workspace_id === workspace && cost.stage_execution_id === pipeline_stage_id,
  );
  const cost = factValue(costFact({ ...answer, value: own }));
  return cost === null || cost.completeness === "partial" ? null : cost;
}
