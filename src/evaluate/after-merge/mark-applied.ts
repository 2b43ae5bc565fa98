import type { HeadState } from "../../github/head/head-state.ts";
import type { Saving } from "../../report/model/context.ts";
import { factValue } from "../../report/stages/stages.ts";
import {
  type AppliedRecommendation,
  appliedOf,
  saveApplied,
} from "../../store/after-merge/applied-recommendations.ts";
import { type MergedStageRow, mergedStages } from "../../store/after-merge/merged-pulls.ts";
import type { StoredEvaluation } from "../../store/evaluations.ts";
import type { PullRun } from "../run/pull-run.ts";
import { applyOfMerge, readAppliedRun, runsOfMerge } from "./applied-run.ts";
import { isCarriedOut } from "./carried-out.ts";
import { maySee } from "./may-see.ts";
import { tellPlatform } from "./tell-platform.ts";

const MINUTE_MS = 60_000;
/** When an apply is looked for, in ms after the merge. */
const LOOKS_MS = [5, 30, 120, 360, 1_440, 2_880, 5_760, 10_080].map((minutes) => minutes * MINUTE_MS);

/**
 * Marks on the platform the recommendations that a merged pull request's apply carried out; a merge alone marks nothing. They
 * are saved before anything is sent. Returns when to look for the apply again, ms since 1970; null: never.
 */
export async function markApplied(
  run: PullRun,
  head: HeadState,
  evaluated: StoredEvaluation | null,
): Promise<number | null> {
  const { deps, key } = run;
  if (!deps.operator.markRecommendations || head.pull.mergeSha === null) return null;
  const savings = savingsOf(head, evaluated);
  if (savings.length === 0) return null;
  const stages = await mergedStages(deps.db, key);
  const found = await findCarriedOut(run, head, { savings, stages });
  await saveApplied(deps.db, key, { found, now: new Date(deps.clock.now()) });
  await tellPlatform(run, head, await appliedOf(deps.db, key));
  const done = new Set((await appliedOf(deps.db, key)).map(({ recommendation_id: id }) => id));
  if (savings.every(({ recommendationId }) => done.has(recommendationId))) return null;
  const mergedMs = Math.min(...stages.map((stage) => stage.mergedMs));
  return LOOKS_MS.map((after) => mergedMs + after).find((at) => at > deps.clock.now()) ?? null;
}

function savingsOf({ pull }: HeadState, evaluated: StoredEvaluation | null): readonly Saving[] {
  if (evaluated === null || evaluated.evaluation.pull.headSha !== pull.headSha) return [];
  return factValue(evaluated.evaluation.report.context.savings)?.items ?? [];
}

type AppliedCandidate = Omit<AppliedRecommendation, "repository_id" | "number" | "state" | "updated_at">;

async function findCarriedOut(
  run: PullRun,
  head: HeadState,
  { savings, stages }: { readonly savings: readonly Saving[]; readonly stages: readonly MergedStageRow[] },
): Promise<readonly AppliedCandidate[]> {
  const ofMerge = await runsOfMerge(run, head);
  if (ofMerge.size === 0) return [];
  const read = stages
    .filter(({ workspace }) => isOnly(stages, workspace))
    .map(async (stage): Promise<readonly AppliedCandidate[]> => {
      const own = savings.filter(({ workspace }) => workspace === stage.workspace);
      if (own.length === 0 || !(await maySee(run.deps, head.repository, stage))) return [];
      const applied = await applyOfMerge(run, stage, ofMerge);
      const done = applied === null ? null : await readAppliedRun(run, applied);
      if (applied === null || done === null) return [];
      const { org, project, pipeline_execution_id, pipeline_stage_id } = applied;
      const place = { org, project, pipeline_execution_id, pipeline_stage_id };
      return own
        .filter((saving) => isCarriedOut(saving, done))
        .map(({ recommendationId, monthly }) => ({
          recommendation_id: recommendationId,
          ...place,
          savings: monthly.amount,
        }));
    });
  return (await Promise.all(read)).flat();
}

/** A saving names its workspace alone: where two projects have one of that name, it is not certain which is meant. */
const isOnly = (stages: readonly MergedStageRow[], workspace: string): boolean =>
  stages.filter((stage) => stage.workspace === workspace).length === 1;
