import { checkAgainstPlan } from "../../plan-files/estimate/check-against-plan.ts";
import type { CodeRoots } from "../../plan-files/estimate/code-place.ts";
import type { EstimateStage } from "../../plan-files/estimate/estimate.ts";
import { readEstimate } from "../../plan-files/estimate/read-estimate.ts";
import { readPlan } from "../../plan-files/plan/read-plan.ts";
import type { PlanSnapshot } from "../../plan-files/plan/snapshot.ts";

export interface InputFile {
  /** Path as passed by the caller. */
  readonly file: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** An estimate, and the one of the state before, where it does not compare. */
export interface EstimateInput extends InputFile {
  readonly base?: InputFile;
  /** Absent: places in the code are not wanted. */
  readonly roots?: CodeRoots;
}

/** The files of one workspace; null: there is none. */
export interface WorkspaceInput {
  readonly workspace: string;
  readonly plan: InputFile | null;
  readonly estimate: EstimateInput | null;
}

/** The plan and the estimate of one workspace, read; null: there is none. */
export interface StageFiles {
  readonly plan: PlanSnapshot | null;
  /** Checked against the plan. */
  readonly estimate: EstimateStage | null;
}

/** Something that the reader of a file should know. */
export interface FileNote {
  readonly file: string;
  readonly note: string;
}

/** The whole estimate file is one stage. */
interface WorkspaceFiles extends StageFiles {
  readonly notes: readonly FileNote[];
}

/** Reads the files of one workspace. Throws `file_unreadable` or `file_not_recognised`. */
export async function readWorkspaceFiles({
  workspace,
  plan: planFile,
  estimate: estimateFile,
}: WorkspaceInput): Promise<WorkspaceFiles> {
  const plan = planFile && (await readPlan(planFile));
  const estimate = estimateFile && (await readEstimate({ ...estimateFile, fallback: workspace }));
  const label = (file: InputFile | null, notes: readonly string[] = []) =>
    notes.map((note) => ({ file: file?.file ?? "", note }));
  return {
    plan,
    estimate: estimate && applyPlan(estimate.whole, plan),
    notes: [...label(planFile, plan?.notes), ...label(estimateFile, estimate?.notes)],
  };
}

/** Returns an estimate with what the plan of the same code says of it; null: there is no plan. */
export const applyPlan = (estimate: EstimateStage, plan: PlanSnapshot | null): EstimateStage =>
  plan === null ? estimate : checkAgainstPlan(estimate.withPlan(plan), plan);
