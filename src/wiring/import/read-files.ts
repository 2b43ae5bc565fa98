import { TollgateError } from "../../kernel/errors.ts";
import { type EstimateStage, NOTHING_SEEN } from "../../plan-files/estimate/estimate.ts";
import { maskStage } from "../../plan-files/estimate/project-stage.ts";
import { readEstimate } from "../../plan-files/estimate/read-estimate.ts";
import { PlanDocument } from "../../plan-files/plan/plan-parts.ts";
import { readPlan } from "../../plan-files/plan/read-plan.ts";
import { joinMasks, type PlanMask } from "../../plan-files/plan/secrets.ts";
import { buildSnapshot, type PlanSnapshot } from "../../plan-files/plan/snapshot.ts";
import { deriveFileLabel } from "../../plan-files/text/decode.ts";
import {
  applyPlan,
  type EstimateInput,
  type FileNote,
  type InputFile,
  readWorkspaceFiles,
  type StageFiles,
  type WorkspaceInput,
} from "./workspace-files.ts";

export interface PlanInput extends InputFile {
  /** Name of its workspace: the unit that a folder of plans has it for; absent: the file was named by itself. */
  readonly unit?: string;
}

export interface FileSelection {
  readonly estimates: readonly EstimateInput[];
  readonly plans: readonly PlanInput[];
  /** Workspaces with their files; if there are any, there are no other files. */
  readonly named: readonly WorkspaceInput[];
}

export interface ReadWorkspace {
  readonly workspace: string;
  /** Name of its file in messages. */
  readonly file: string;
  /** What the files say, with what any of the plans marks as sensitive masked in the estimates; null: one could not be read. */
  readonly files: StageFiles | null;
}

interface ReadSelection {
  readonly workspaces: readonly ReadWorkspace[];
  /** For the reader of the files. */
  readonly notes: readonly FileNote[];
}

/** Takes why the files of a workspace, or an estimate of all, cannot be read; what it throws ends the reading. */
type OnFailure = (name: string, error: TollgateError) => void;

/**
 * Reads the files by workspace: the named ones, or else each plan, and each project of the estimates that no plan joins. Throws `usage`
 * where it is not clear what an estimate is of.
 */
export const readFiles = (
  { estimates, plans, named }: FileSelection,
  onFailure: OnFailure,
): Promise<ReadSelection> =>
  named.length > 0 ? readNamed(named, onFailure) : readJoined(estimates, plans, onFailure);

async function readNamed(named: readonly WorkspaceInput[], onFailure: OnFailure): Promise<ReadSelection> {
  const read = [];
  for (const input of named) {
    const { workspace, estimate, plan } = input;
    const file = (estimate ?? plan)?.file ?? "";
    read.push({ workspace, file, files: await attempt(workspace, readWorkspaceFiles(input), onFailure) });
  }
  return {
    workspaces: maskWorkspaces(read),
    notes: read.flatMap(({ files }) => files?.notes ?? []),
  };
}

/** Null: `onFailure` took the reason. */
async function attempt<T>(name: string, reading: Promise<T>, onFailure: OnFailure): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof TollgateError)) throw error;
    onFailure(name, error);
    return null;
  }
}

/** Masks in each estimate what its own plan marks as sensitive, then what the others do. */
function maskWorkspaces(workspaces: readonly ReadWorkspace[]): readonly ReadWorkspace[] {
  const all = joinMasks(workspaces.flatMap(({ files }) => files?.plan ?? []));
  const mask = (estimate: EstimateStage, own: PlanMask) => maskStage(maskStage(estimate, own), all);
  return workspaces.map(({ files, ...one }) => ({
    ...one,
    files: files && {
      plan: files.plan,
      estimate: files.estimate && mask(files.estimate, files.plan ?? joinMasks([])),
    },
  }));
}

async function readJoined(
  estimates: readonly EstimateInput[],
  plans: readonly PlanInput[],
  onFailure: OnFailure,
): Promise<ReadSelection> {
  const notes: FileNote[] = [];
  const priced: LabelledEstimate[] = [];
  const planned: LabelledPlan[] = [];
  let isReadable = true;
  for (const input of estimates) {
    const { file } = input;
    const read = await attempt(file, readEstimate({ ...input, fallback: deriveFileLabel(file) }), onFailure);
    isReadable &&= read !== null;
    notes.push(...(read?.notes ?? []).map((note) => ({ file, note })));
    priced.push(...(read?.stages ?? []).map((stage) => ({ file, stage })));
  }
  refuseTwoStates(priced);
  for (const { file, bytes, unit } of plans) {
    const label = unit ?? deriveFileLabel(file);
    const snapshot = await attempt(label, readPlan({ file, bytes }), onFailure);
    notes.push(...(snapshot?.notes ?? []).map((note) => ({ file, note })));
    planned.push({ file, label, isUnit: unit !== undefined, snapshot: isReadable ? snapshot : null });
  }
  const joined = joinFiles(isReadable ? priced : [], planned);
  return { workspaces: joined.workspaces, notes: [...notes, ...joined.notes] };
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

/**
 * Makes one workspace of each estimate and each plan. A plan joins the estimate of the same code: the estimate
 * names the plan's file or folder, or both have the same name, or there is one of each, or there are equally many in
 * the given order. A plan that joins no project while estimates are given has zero cost, because the totals of
 * the estimates are complete without it.
 */
function joinFiles(estimates: readonly LabelledEstimate[], plans: readonly LabelledPlan[]): ReadSelection {
  const joined = joinPlans(estimates, plans);
  const inOrder = joinInOrder(joined, estimates, plans);
  const alone = plans.filter((plan) => ![...joined.values()].includes(plan));
  const masks = joinMasks(plans.flatMap(({ snapshot }) => snapshot ?? []));
  const [first] = estimates;
  const pairs = [
    ...estimates.map((estimate) => {
      const { file, stage } = estimate;
      const plan = joined.get(estimate);
      const name = plan?.isUnit === true ? plan.label : masks.mask(stage.label);
      // The part of the totals that no project lists has no plan of its own.
      const isRest = !stage.isProject && plans.length > 0;
      return {
        name,
        file,
        files: isRest ? { estimate: stage, plan: NOTHING_PLANNED } : joinFile(stage, plan),
      };
    }),
    ...alone.map((plan) => {
      const estimate = first === undefined ? null : toZeroStage(first.stage);
      return { name: plan.label, file: plan.file, files: joinFile(estimate, plan) };
    }),
  ];
  const names = makeNamesUnique(pairs.map(({ name }) => name));
  return {
    workspaces: maskWorkspaces(
      pairs.map(({ name, ...pair }, at) => ({ ...pair, workspace: names[at] ?? name })),
    ),
    notes: [
      ...inOrder.map(([estimate, plan]) => ({
        file: plan.file,
        note: `taken as the plan of ${estimate.file}, by the order given`,
      })),
      ...(estimates.length === 0 ? [] : alone.map(({ file }) => ({ file, note: NO_MATCHING_PROJECT }))),
    ],
  };
}

const NO_MATCHING_PROJECT =
  "no project of the estimates is known to be this plan's, so it is a stage of its own, without a cost";

/** The plan of code without resources. */
const NOTHING_PLANNED = buildSnapshot(PlanDocument.parse({}), {
  notes: [],
  listsChanges: true,
  isPart: false,
});

function joinFile(estimate: EstimateStage | null, plan: LabelledPlan | undefined): StageFiles | null {
  if (plan?.snapshot === null) return null;
  const snapshot = plan?.snapshot ?? null;
  return { plan: snapshot, estimate: estimate && applyPlan(estimate, snapshot) };
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
  const own = { ...stage, detected: null, seen: NOTHING_SEEN, cost, modules: {}, withPlan: () => own };
  return own;
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
  /** Its unit, else the subject of the file, derived from its path. */
  readonly label: string;
  readonly isUnit: boolean;
  /** Null: it could not be read. */
  readonly snapshot: PlanSnapshot | null;
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
  // Of units such as `web` and `prod/web`, the longer name says more.
  const longestFirst = plans.toSorted((a, b) => b.label.length - a.label.length);
  for (const isSame of PLAN_MATCHERS)
    for (const plan of longestFirst) joinPlan(joined, plan, { projects, isSame });
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
  const free = plans.filter((plan) => !plan.isUnit && ![...joined.values()].includes(plan));
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
  ({ paths }, plan) => paths.some((path) => isSamePath(path, plan.label)),
];

function isSamePath(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => `/${path.replaceAll("\\", "/").replace(/^(\.{0,2}\/)+/, "")}`);
  return one !== undefined && other !== undefined && (one.endsWith(other) || other.endsWith(one));
}
