import { checkAgainstPlan } from "../../plan-files/estimate/check-against-plan.ts";
import type { EstimateStage } from "../../plan-files/estimate/estimate.ts";
import { maskStage } from "../../plan-files/estimate/mask-stage.ts";
import type { PlanSnapshot } from "../../plan-files/plan/snapshot.ts";
import type { StageFacts } from "../../report/model/facts.ts";
import { about, changesOf, costsOf, inWorkspace } from "./stages.ts";

/** The files of one workspace, read. */
export interface WorkspaceFiles {
  readonly workspace: string;
  /** What its stage is called; null: as the policy says. */
  readonly stage: string | null;
  /** The whole estimate file as one stage. */
  readonly estimate: { readonly file: string; readonly stage: EstimateStage } | null;
  readonly plan: { readonly file: string; readonly snapshot: PlanSnapshot } | null;
}

/** One stage for each workspace, from its estimate and its plan. What neither tells is unknown. */
export function namedStages(all: readonly WorkspaceFiles[]): readonly StageFacts[] {
  const mask = (text: string) =>
    all.reduce((masked, { plan }) => plan?.snapshot.mask(masked) ?? masked, text);
  return all.map((files) => ({ ...stageOf(files), ...costsIn(files, mask), ...changesIn(files) }));
}

function stageOf({ workspace, estimate, plan }: WorkspaceFiles) {
  return inWorkspace(about((estimate ?? plan)?.file ?? "", plan?.snapshot), workspace);
}

function costsIn({ estimate, plan }: WorkspaceFiles, mask: (text: string) => string) {
  const unknown = { state: "unknown", reason: "not_estimated" } as const;
  if (estimate === null) return { cost: unknown, modules: unknown };
  const stage = plan === null ? estimate.stage : checkAgainstPlan(estimate.stage, plan.snapshot);
  return costsOf(maskStage(stage, mask));
}

function changesIn({ plan }: WorkspaceFiles) {
  const unknown = { state: "unknown", reason: "no_plan" } as const;
  return plan === null ? { counts: unknown, rows: unknown } : changesOf(plan.snapshot);
}
