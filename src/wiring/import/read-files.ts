import { checkAgainstPlan } from "../../plan-files/estimate/check-against-plan.ts";
import type { EstimateStage } from "../../plan-files/estimate/estimate.ts";
import { readEstimate } from "../../plan-files/estimate/read-estimate.ts";
import { readPlan } from "../../plan-files/plan/read-plan.ts";
import type { PlanSnapshot } from "../../plan-files/plan/snapshot.ts";
import type { InputFile } from "../preview/read-stages.ts";

/** The plan and the estimate of one workspace, as an import sends them. */
export interface WorkspaceFiles {
  readonly plan: PlanSnapshot | null;
  readonly estimate: EstimateStage | null;
  /** For the reader of the files. */
  readonly notes: readonly string[];
}

/**
 * Reads the files of one workspace; null: there is none. Throws `file_unreadable` or `file_not_recognised`.
 */
export async function readWorkspaceFiles(files: {
  readonly workspace: string;
  readonly plan: InputFile | null;
  readonly estimate: InputFile | null;
}): Promise<WorkspaceFiles> {
  const plan = files.plan === null ? null : await readPlan({ ...files.plan, elements: true });
  const read =
    files.estimate === null ? null : await readEstimate({ ...files.estimate, fallback: files.workspace });
  const whole = read?.whole ?? null;
  return {
    plan,
    estimate: whole !== null && plan !== null ? checkAgainstPlan(whole.withPlan(plan), plan) : whole,
    notes: [...(plan?.notes ?? []), ...(read?.notes ?? [])],
  };
}
