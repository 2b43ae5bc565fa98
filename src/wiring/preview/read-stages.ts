import { TollgateError } from "../../kernel/errors.ts";
import { checkAgainstPlan } from "../../plan-files/estimate/check-against-plan.ts";
import type { EstimateStage } from "../../plan-files/estimate/estimate.ts";
import { maskStage } from "../../plan-files/estimate/mask-stage.ts";
import { readEstimate } from "../../plan-files/estimate/read-estimate.ts";
import { deriveFileLabel } from "../../plan-files/file-label.ts";
import { readPlan } from "../../plan-files/plan/read-plan.ts";
import { joinMasks, type PlanMask, type PlanSnapshot } from "../../plan-files/plan/snapshot.ts";
import type { StageFacts } from "../../report/model/facts.ts";
import type { LabelledEstimate, LabelledPlan } from "./plans.ts";
import {
  buildPreviewStages,
  buildStageIdentity,
  collectChanges,
  type PreviewStages,
  toCostFacts,
} from "./stages.ts";

export interface InputFile {
  /** Path as passed by the caller. */
  readonly file: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** The files of one workspace. */
export interface NamedStage {
  readonly workspace: string;
  /** What its stage is called; null: as the policy says. */
  readonly stage: string | null;
  readonly estimate: InputFile | null;
  readonly plan: InputFile | null;
}

export interface PreviewFiles {
  readonly estimates: readonly InputFile[];
  readonly plans: readonly InputFile[];
  /** Workspaces with their files; if there are any, there are no other files. */
  readonly named: readonly NamedStage[];
}

/** Reads the files, by workspace where workspaces are named. Returns the stages and notes for the reader. */
export async function readStages({ estimates, plans, named }: PreviewFiles): Promise<PreviewStages> {
  const notes: string[] = [];
  const addNotes = ({ file }: InputFile, fileNotes: readonly string[]): void => {
    notes.push(...fileNotes.map((note) => `${file}: ${note}`));
  };
  if (named.length > 0) {
    const files: WorkspaceFiles[] = [];
    for (const one of named) files.push(await readWorkspace(one, addNotes));
    return { stages: namedStages(files), notes };
  }
  const priced: LabelledEstimate[] = [];
  const planned: LabelledPlan[] = [];
  for (const input of estimates) {
    const { stages, notes: fileNotes } = await readEstimate({
      ...input,
      fallback: deriveFileLabel(input.file),
    });
    addNotes(input, fileNotes);
    priced.push(...stages.map((stage) => ({ file: input.file, stage })));
  }
  refuseTwoStates(priced);
  for (const input of plans) {
    const snapshot = await readPlan({ ...input, elements: false });
    addNotes(input, snapshot.notes);
    planned.push({ file: input.file, label: deriveFileLabel(input.file), snapshot });
  }
  const joined = buildPreviewStages(priced, planned);
  return { stages: joined.stages, notes: [...notes, ...joined.notes] };
}

/**
 * Throws `usage` when two files are estimates of one project that are compared with nothing: they are the
 * state before and after, and taken as two stages nothing would change.
 */
function refuseTwoStates(estimates: readonly LabelledEstimate[]): void {
  const states = estimates.filter(({ stage }) => stage.cost.estimate?.comparison === "nothing");
  for (const [at, { file, stage }] of states.entries()) {
    const other = states.slice(0, at).find((one) => one.stage.label === stage.label && one.file !== file);
    if (other === undefined) continue;
    throw new TollgateError(
      "usage",
      `${other.file} and ${file} are two estimates of ${stage.label}, and neither is compared with the other`,
      {
        hint: "Give one file that compares them: run `infracost diff --compare-to` with the estimate of the base branch.",
      },
    );
  }
}

type NoteListener = (input: InputFile, notes: readonly string[]) => void;

async function readWorkspace(
  { workspace, stage, estimate, plan }: NamedStage,
  addNotes: NoteListener,
): Promise<WorkspaceFiles> {
  const priced = estimate === null ? null : await readEstimate({ ...estimate, fallback: workspace });
  if (estimate !== null && priced !== null) addNotes(estimate, priced.notes);
  const snapshot = plan === null ? null : await readPlan({ ...plan, elements: false });
  if (plan !== null && snapshot !== null) addNotes(plan, snapshot.notes);
  return {
    workspace,
    stage,
    estimate: estimate === null || priced === null ? null : { file: estimate.file, stage: priced.whole },
    plan: plan === null || snapshot === null ? null : { file: plan.file, snapshot },
  };
}

/** The files of one workspace, read. */
interface WorkspaceFiles {
  readonly workspace: string;
  /** What its stage is called; null: as the policy says. */
  readonly stage: string | null;
  /** The whole estimate file as one stage. */
  readonly estimate: { readonly file: string; readonly stage: EstimateStage } | null;
  readonly plan: { readonly file: string; readonly snapshot: PlanSnapshot } | null;
}

/** One stage for each workspace, from its estimate and its plan. What neither tells is unknown. */
function namedStages(all: readonly WorkspaceFiles[]): readonly StageFacts[] {
  const masks = joinMasks(all.flatMap(({ plan }) => (plan === null ? [] : [plan.snapshot])));
  return all.map((files) => ({
    ...buildNamedStage(files),
    ...buildCosts(files, masks),
    ...changesIn(files),
  }));
}

function buildNamedStage({ workspace, estimate, plan }: WorkspaceFiles) {
  return { ...buildStageIdentity((estimate ?? plan)?.file ?? "", plan?.snapshot), workspace };
}

function buildCosts({ estimate, plan }: WorkspaceFiles, masks: PlanMask) {
  const unknown = { state: "unknown", reason: "not_estimated" } as const;
  if (estimate === null) return { cost: unknown, modules: unknown };
  const stage =
    plan === null ? estimate.stage : checkAgainstPlan(estimate.stage.withPlan(plan.snapshot), plan.snapshot);
  return toCostFacts(maskStage(stage, masks));
}

function changesIn({ plan }: WorkspaceFiles) {
  const unknown = { state: "unknown", reason: "no_plan" } as const;
  return plan === null ? { counts: unknown, rows: unknown } : collectChanges(plan.snapshot);
}
