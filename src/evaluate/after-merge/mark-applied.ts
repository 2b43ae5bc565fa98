import type { HeadState } from "../../github/head/head-state.ts";
import type { Saving } from "../../report/model/context.ts";
import { getFactValue } from "../../report/stages.ts";
import {
  type AppliedRecommendation,
  listAppliedRecommendations,
  saveAppliedRecommendations,
} from "../../store/after-merge/applied-recommendations.ts";
import { listMergedStages, type MergedStageRow } from "../../store/after-merge/merged-pulls.ts";
import type { StoredEvaluation } from "../../store/evaluations.ts";
import type { PullRun } from "../run/pull-run.ts";
import { isCarriedOut } from "./applied-execution.ts";
import { canSeeProject } from "./can-see-project.ts";
import { findApplyExecution, readAppliedExecution, readMergeExecutions } from "./merge-executions.ts";
import { reportAppliedRecommendations } from "./report-applied-recommendations.ts";

const MINUTE_MS = 60_000;
/** Times after the merge, in ms, at which an applied execution is searched. */
const CHECK_TIMES_MS = [5, 30, 120, 360, 1_440, 2_880, 5_760, 10_080].map((minutes) => minutes * MINUTE_MS);

/**
 * Marks on the platform the recommendations that a merged pull request's apply carried out; a merge alone
 * marks nothing. They are saved before any call. Returns when to search for the apply again, in ms since
 * 1970; null: never.
 */
export async function markApplied(
  run: PullRun,
  head: HeadState,
  evaluated: StoredEvaluation | null,
): Promise<number | null> {
  const { deps, key } = run;
  if (!deps.operator.markRecommendations || head.pull.mergeSha === null) return null;
  const savings = buildSavings(head, evaluated);
  if (savings.length === 0) return null;
  const stages = await listMergedStages(deps.db, key);
  const found = await findAppliedCandidates(run, head, { savings, stages });
  await saveAppliedRecommendations(deps.db, key, { found, now: new Date(deps.clock.now()) });
  await reportAppliedRecommendations(run, head, await listAppliedRecommendations(deps.db, key));
  const done = new Set(
    (await listAppliedRecommendations(deps.db, key)).map(({ recommendation_id: id }) => id),
  );
  if (savings.every(({ recommendationId }) => done.has(recommendationId))) return null;
  const mergedMs = Math.min(...stages.map((stage) => stage.mergedMs));
  return CHECK_TIMES_MS.map((after) => mergedMs + after).find((at) => at > deps.clock.now()) ?? null;
}

function buildSavings({ pull }: HeadState, evaluated: StoredEvaluation | null): readonly Saving[] {
  if (evaluated === null || evaluated.evaluation.pull.headSha !== pull.headSha) return [];
  return getFactValue(evaluated.evaluation.report.context.savings)?.items ?? [];
}

type AppliedCandidate = Omit<AppliedRecommendation, "repository_id" | "number" | "state" | "updated_at">;

async function findAppliedCandidates(
  run: PullRun,
  head: HeadState,
  { savings, stages }: { readonly savings: readonly Saving[]; readonly stages: readonly MergedStageRow[] },
): Promise<readonly AppliedCandidate[]> {
  const ofMerge = await readMergeExecutions(run, head);
  if (ofMerge.size === 0) return [];
  const read = stages
    .filter(({ workspace }) => isOnlyStage(stages, workspace))
    .map(async (stage): Promise<readonly AppliedCandidate[]> => {
      const own = savings.filter(({ workspace }) => workspace === stage.workspace);
      if (own.length === 0 || !(await canSeeProject(run.deps, head.repository, stage))) return [];
      const applied = await findApplyExecution(run, stage, ofMerge);
      const done = applied === null ? null : await readAppliedExecution(run, applied);
      if (applied === null || done === null) return [];
      const { org, project, pipeline_execution_id, pipeline_stage_id } = applied;
      const place = { org, project, pipeline_execution_id, pipeline_stage_id };
      return own
        .filter((saving) => isCarriedOut(saving, done))
        .map(({ recommendationId, monthly }) => ({
          recommendation_id: recommendationId,
          ...place,
          savings: monthly.amount,
          currency: monthly.currency,
        }));
    });
  return (await Promise.all(read)).flat();
}

/**
 * Whether only one stage has this workspace name. A saving states only the workspace, so with two projects
 * the match would be uncertain.
 */
const isOnlyStage = (stages: readonly MergedStageRow[], workspace: string): boolean =>
  stages.filter((stage) => stage.workspace === workspace).length === 1;
