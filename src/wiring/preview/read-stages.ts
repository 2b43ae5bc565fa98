import { buildChangesFromRows, type ChangeFacts, type SourceRow } from "../../evaluate/facts/change-facts.ts";
import { toCostFact, toModulesFact } from "../../evaluate/facts/platform-facts.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { checkAgainstPlan } from "../../plan-files/estimate/check-against-plan.ts";
import type { EstimateStage } from "../../plan-files/estimate/estimate.ts";
import { maskStage } from "../../plan-files/estimate/project-stage.ts";
import { readEstimate } from "../../plan-files/estimate/read-estimate.ts";
import { NOTHING_SEEN } from "../../plan-files/estimate/seen-resources.ts";
import type { PlanRow } from "../../plan-files/plan/plan-rows.ts";
import { readPlan } from "../../plan-files/plan/read-plan.ts";
import { joinMasks, type PlanMask, type PlanSnapshot } from "../../plan-files/plan/snapshot.ts";
import { deriveFileLabel } from "../../plan-files/text/decode.ts";
import { CostChange } from "../../platform/contract/cost-changes.ts";
import type { StageFacts } from "../../report/model/facts.ts";

export interface InputFile {
  /** Path as passed by the caller. */
  readonly file: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** An estimate, and the one of the state before, where it does not compare. */
export interface EstimateInput extends InputFile {
  readonly base?: InputFile;
}

/** The files of one workspace. */
export interface NamedStage {
  readonly workspace: string;
  /** What its stage is called; null: as the policy says. */
  readonly stage: string | null;
  readonly estimate: EstimateInput | null;
  readonly plan: InputFile | null;
}

export interface PreviewFiles {
  readonly estimates: readonly EstimateInput[];
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
    const snapshot = await readPlan(input);
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
        hint: `If ${other.file} is of the base branch, give it as --infracost-base ${other.file}.`,
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
  const snapshot = plan === null ? null : await readPlan(plan);
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

interface PreviewStages {
  readonly stages: readonly StageFacts[];
  /** Notes on how plans and estimates were joined. */
  readonly notes: readonly string[];
}

/**
 * Builds one stage for each estimate and each plan. A plan joins the estimate of the same code: the estimate
 * names the plan's file, or both have the same name, or there is one of each, or there are equally many in
 * the given order. Facts in no file are unknown. A plan that joins no project while estimates are given has
 * zero cost, because the totals of the estimates are complete without it.
 */
function buildPreviewStages(
  estimates: readonly LabelledEstimate[],
  plans: readonly LabelledPlan[],
): PreviewStages {
  const joined = joinPlans(estimates, plans);
  const inOrder = joinInOrder(joined, estimates, plans);
  const alone = plans.filter((plan) => ![...joined.values()].includes(plan));
  const masks = joinMasks(plans.map(({ snapshot }) => snapshot));
  const names = makeNamesUnique([
    ...estimates.map(({ stage }) => masks.mask(stage.label)),
    ...alone.map(({ label }) => label),
  ]);
  const priced = estimates.map((estimate) => {
    const plan = joined.get(estimate);
    const changes =
      plan === undefined ? buildUnplannedChanges(estimate, plans) : collectChanges(plan.snapshot);
    const stage =
      plan === undefined
        ? estimate.stage
        : checkAgainstPlan(estimate.stage.withPlan(plan.snapshot), plan.snapshot);
    return {
      ...buildStageIdentity(estimate.file, plan?.snapshot),
      ...toCostFacts(maskStage(stage, masks)),
      ...changes,
    };
  });
  const unpriced = alone.map((plan) => {
    return {
      ...buildStageIdentity(plan.file, plan.snapshot),
      ...buildZeroCosts(estimates, plan.snapshot),
      ...collectChanges(plan.snapshot),
    };
  });
  return {
    stages: [...priced, ...unpriced].map((stage, at) => ({
      ...stage,
      workspace: names[at] ?? `stage ${at + 1}`,
    })),
    notes: [
      ...inOrder.map(
        ([estimate, plan]) => `${plan.file}: taken as the plan of ${estimate.file}, by the order given`,
      ),
      ...(estimates.length === 0 ? [] : alone.map(({ file }) => `${file}: ${NO_PROJECT}`)),
    ],
  };
}

const NO_PROJECT =
  "no project of the estimates is known to be this plan's, so it is a stage of its own, without a cost";

type StageIdentity = Omit<StageFacts, "workspace" | "cost" | "modules" | "counts" | "rows">;

/** Returns the facts of a stage that local files state; the file's name replaces the execution id. */
function buildStageIdentity(file: string, plan: PlanSnapshot | undefined): StageIdentity {
  return {
    org: "local",
    project: "files",
    executionId: file,
    stageExecutionId: file,
    source: "file",
    proven: true,
    status: plan?.errored === true ? "failed" : "succeeded",
    createdMs: null,
    superseded: [],
  };
}

function toCostFacts(stage: EstimateStage): Pick<StageFacts, "cost" | "modules"> {
  const ids = { stage_execution_id: "", stage_id: "", workspace_id: "" };
  const read = (cost: EstimateStage["cost"]) => CostChange.parse({ ...cost, ...ids });
  const cost = toCostFact({ ok: true, value: read(stage.cost), headers: {} });
  if (stage.modules === null) return { cost, modules: { state: "unknown", reason: "not_stated" } };
  const modules = Object.fromEntries(
    Object.entries(stage.modules).map(([module, own]) => [module, read(own)]),
  );
  return { cost, modules: toModulesFact({ ok: true, value: { ...ids, modules }, headers: {} }) };
}

function collectChanges({ errored, marker, rows, counts }: PlanSnapshot): ChangeFacts {
  const notes = marker.PlanNotes === undefined ? {} : { planNotes: marker.PlanNotes };
  if (errored) return { counts: EXECUTION_FAILED, rows: EXECUTION_FAILED, ...notes };
  const drift = rows.drift_changes.map(toSourceRow);
  const changes = buildChangesFromRows({
    counts,
    planned: { rows: rows.planned_changes.map(toSourceRow), replacementsKnown: true },
    drift: { rows: drift, total: drift.length },
  });
  return { ...changes, ...notes };
}

const toSourceRow = ({
  address,
  previousAddress,
  reason,
  change,
  module,
  name,
  type,
  element,
}: PlanRow): SourceRow => ({
  change,
  module,
  name,
  type,
  resource_address: address,
  ...(previousAddress === undefined ? {} : { previous_address: previousAddress }),
  ...(reason === undefined ? {} : { action_reason: reason }),
  ...("changes" in element && { changes: element.changes }),
});

const EXECUTION_FAILED = { state: "unknown", reason: "execution_failed" } as const;
const NO_COUNTS = { added: 0, changed: 0, deleted: 0, imported: 0, removed: 0, unchanged: 0, drifted: 0 };

/**
 * Returns the change facts of a stage without a plan: unknown for a project; none for the part of the totals
 * that no project lists, if there are plans.
 */
function buildUnplannedChanges({ stage }: LabelledEstimate, plans: readonly LabelledPlan[]): ChangeFacts {
  if (stage.isProject || plans.length === 0) {
    const fact = { state: "unknown", reason: "no_plan" } as const;
    return { counts: fact, rows: fact };
  }
  const planned = { rows: [], replacementsKnown: true };
  return buildChangesFromRows({ counts: NO_COUNTS, planned, drift: { rows: [], total: 0 } });
}

function buildZeroCosts(
  estimates: readonly LabelledEstimate[],
  plan: PlanSnapshot,
): Pick<StageFacts, "cost" | "modules"> {
  const [first] = estimates;
  const fact = { state: "unknown", reason: "not_estimated" } as const;
  if (first === undefined) return { cost: fact, modules: fact };
  return toCostFacts(checkAgainstPlan(toZeroStage(first.stage), plan));
}

/** Returns a stage with zero cost, in the currency of another stage. */
function toZeroStage(stage: EstimateStage): EstimateStage {
  const zero = "0.00";
  const totals = { past_total_monthly_cost: zero, total_monthly_cost: zero, diff_total_monthly_cost: zero };
  const { currency } = stage.cost;
  const estimate = {
    completeness: "complete" as const,
    problems: [],
    unpriced: {},
    usage: { resources: [], unnamed: 0, unnamed_unchanged: 0 },
    parts: "changed" as const,
  };
  const cost = { currency, ...totals, percentage_change_total_monthly_cost: 0, diff: {}, estimate };
  return { ...stage, detected: null, seen: NOTHING_SEEN, cost, modules: {} };
}

function makeNamesUnique(names: readonly string[]): readonly string[] {
  return names.map((name, at) => {
    const before = names.slice(0, at).filter((other) => other === name).length;
    return before === 0 ? name : `${name} #${before + 1}`;
  });
}

/** A parsed plan file. */
interface LabelledPlan {
  readonly file: string;
  /** The subject of the file, derived from its path. */
  readonly label: string;
  readonly snapshot: PlanSnapshot;
}

/** A stage of a parsed estimate file. */
interface LabelledEstimate {
  readonly file: string;
  readonly stage: EstimateStage;
}

/** The plan of the same code for each estimate. */
type PlansByEstimate = Map<LabelledEstimate, LabelledPlan>;

/** Joins plans to the estimates of the same code. */
function joinPlans(estimates: readonly LabelledEstimate[], plans: readonly LabelledPlan[]): PlansByEstimate {
  const projects = estimates.filter(({ stage }) => stage.isProject);
  const joined: PlansByEstimate = new Map();
  for (const isSame of PLAN_MATCHERS) for (const plan of plans) joinPlan(joined, plan, { projects, isSame });
  const [only] = projects;
  const [plan] = plans;
  const oneOfEach = projects.length === 1 && plans.length === 1;
  return oneOfEach && only !== undefined && plan !== undefined ? new Map([[only, plan]]) : joined;
}

/** Joins an unjoined plan to the only unjoined project of the same code; to none when there are several. */
function joinPlan(
  joined: PlansByEstimate,
  plan: LabelledPlan,
  { projects, isSame }: { projects: readonly LabelledEstimate[]; isSame: PlanMatcher },
): void {
  if ([...joined.values()].includes(plan)) return;
  const [match, ...others] = projects.filter((one) => !joined.has(one) && isSame(one.stage, plan));
  if (match !== undefined && others.length === 0) joined.set(match, plan);
}

/**
 * Joins the remaining plans by their order, when there is one plan for each estimate file. Returns the joined
 * plans.
 */
function joinInOrder(
  joined: PlansByEstimate,
  estimates: readonly LabelledEstimate[],
  plans: readonly LabelledPlan[],
): readonly (readonly [LabelledEstimate, LabelledPlan])[] {
  const projects = estimates.filter((one) => one.stage.isProject && !joined.has(one));
  const free = plans.filter((plan) => ![...joined.values()].includes(plan));
  const files = new Set(projects.map(({ file }) => file));
  if (projects.length !== free.length || files.size !== projects.length) return [];
  const pairs = projects.flatMap((project, at) => {
    const plan = free[at];
    return plan === undefined ? [] : [[project, plan] as const];
  });
  for (const [project, plan] of pairs) joined.set(project, plan);
  return pairs;
}

type PlanMatcher = (stage: EstimateStage, plan: LabelledPlan) => boolean;

/** Methods to detect that an estimate and a plan are of the same code, the most reliable first. */
const PLAN_MATCHERS: readonly PlanMatcher[] = [
  ({ paths }, { file }) => paths.some((path) => isSamePath(path, file)),
  ({ label }, plan) => label === plan.label,
  ({ paths }, plan) => paths.some((path) => path.split("/").at(-1) === plan.label),
];

function isSamePath(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => `/${path.replaceAll("\\", "/").replace(/^(\.{0,2}\/)+/, "")}`);
  return one !== undefined && other !== undefined && (one.endsWith(other) || other.endsWith(one));
}
