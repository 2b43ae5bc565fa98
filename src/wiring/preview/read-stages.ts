import { buildChangesFromRows, type ChangeFacts, type SourceRow } from "../../evaluate/facts/change-facts.ts";
import { toCostFact, toModulesFact, unknown } from "../../evaluate/facts/platform-facts.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { checkAgainstPlan } from "../../plan-files/estimate/check-against-plan.ts";
import type { EstimateStage } from "../../plan-files/estimate/estimate.ts";
import { maskStage } from "../../plan-files/estimate/project-stage.ts";
import { readEstimate } from "../../plan-files/estimate/read-estimate.ts";
import { NOTHING_SEEN } from "../../plan-files/estimate/seen-resources.ts";
import type { PlanRow } from "../../plan-files/plan/plan-rows.ts";
import { readPlan } from "../../plan-files/plan/read-plan.ts";
import { joinMasks, type PlanMask } from "../../plan-files/plan/secrets.ts";
import type { PlanSnapshot } from "../../plan-files/plan/snapshot.ts";
import { deriveFileLabel } from "../../plan-files/text/decode.ts";
import { CostChange } from "../../platform/contract/cost-changes.ts";
import type { StageFacts } from "../../report/model/facts.ts";
import {
  applyPlan,
  type EstimateInput,
  type InputFile,
  readWorkspaceFiles,
  type WorkspaceInput,
} from "../import/workspace-files.ts";

/** The files of one workspace, and its stage. */
export interface NamedStage extends WorkspaceInput {
  /** What its stage is called; null: as the policy says. */
  readonly stage: string | null;
}

export interface PreviewFiles {
  readonly estimates: readonly EstimateInput[];
  readonly plans: readonly InputFile[];
  /** Workspaces with their files; if there are any, there are no other files. */
  readonly named: readonly NamedStage[];
}

interface PreviewStages {
  readonly stages: readonly StageFacts[];
  /** Notes for the reader, each with its file. */
  readonly notes: readonly string[];
}

/** Reads the files, by workspace where workspaces are named. What no file tells is unknown. */
export const readStages = ({ estimates, plans, named }: PreviewFiles): Promise<PreviewStages> =>
  named.length > 0 ? readNamedStages(named) : readUnnamedStages(estimates, plans);

/** One stage for each workspace, from its estimate and its plan. */
async function readNamedStages(named: readonly NamedStage[]): Promise<PreviewStages> {
  const read = [];
  for (const input of named) read.push({ input, files: await readWorkspaceFiles(input) });
  const masks = joinMasks(read.flatMap(({ files }) => files.plan ?? []));
  return {
    stages: read.map(({ input: { workspace, estimate, plan }, files }) => ({
      ...buildStage((estimate ?? plan)?.file ?? "", files, masks),
      workspace,
    })),
    notes: read.flatMap(({ files }) => files.notes.map(({ file, note }) => `${file}: ${note}`)),
  };
}

/** One stage for each project of the estimates and each plan that joins none of them. */
async function readUnnamedStages(
  estimates: readonly EstimateInput[],
  plans: readonly InputFile[],
): Promise<PreviewStages> {
  const notes: string[] = [];
  const priced: LabelledEstimate[] = [];
  const planned: LabelledPlan[] = [];
  for (const input of estimates) {
    const { file } = input;
    const read = await readEstimate({ ...input, fallback: deriveFileLabel(file) });
    notes.push(...read.notes.map((note) => `${file}: ${note}`));
    priced.push(...read.stages.map((stage) => ({ file, stage })));
  }
  refuseTwoStates(priced);
  for (const input of plans) {
    const { file } = input;
    const snapshot = await readPlan(input);
    notes.push(...snapshot.notes.map((note) => `${file}: ${note}`));
    planned.push({ file, label: deriveFileLabel(file), snapshot });
  }
  const joined = joinStages(priced, planned);
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

/**
 * Builds one stage for each estimate and each plan. A plan joins the estimate of the same code: the estimate
 * names the plan's file, or both have the same name, or there is one of each, or there are equally many in
 * the given order. A plan that joins no project while estimates are given has zero cost, because the totals of
 * the estimates are complete without it.
 */
function joinStages(estimates: readonly LabelledEstimate[], plans: readonly LabelledPlan[]): PreviewStages {
  const joined = joinPlans(estimates, plans);
  const inOrder = joinInOrder(joined, estimates, plans);
  const alone = plans.filter((plan) => ![...joined.values()].includes(plan));
  const masks = joinMasks(plans.map(({ snapshot }) => snapshot));
  const names = makeNamesUnique([
    ...estimates.map(({ stage }) => masks.mask(stage.label)),
    ...alone.map(({ label }) => label),
  ]);
  const priced = estimates.map((estimate) => {
    const plan = joined.get(estimate)?.snapshot ?? null;
    const stage = buildStage(estimate.file, { estimate: applyPlan(estimate.stage, plan), plan }, masks);
    // The part of the totals that no project lists has no plan of its own.
    return estimate.stage.isProject || plans.length === 0 ? stage : { ...stage, ...NO_CHANGES };
  });
  const [first] = estimates;
  const unpriced = alone.map(({ file, snapshot: plan }) => {
    const estimate = first === undefined ? null : checkAgainstPlan(toZeroStage(first.stage), plan);
    return buildStage(file, { estimate, plan }, masks);
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
      ...(estimates.length === 0 ? [] : alone.map(({ file }) => `${file}: ${NO_MATCHING_PROJECT}`)),
    ],
  };
}

const NO_MATCHING_PROJECT =
  "no project of the estimates is known to be this plan's, so it is a stage of its own, without a cost";

const NO_COUNTS = { added: 0, changed: 0, deleted: 0, imported: 0, removed: 0, unchanged: 0, drifted: 0 };
const NO_CHANGES = buildChangesFromRows({
  counts: NO_COUNTS,
  planned: { rows: [], replacementsKnown: true },
  drift: { rows: [], total: 0 },
});

interface StageFiles {
  readonly estimate: EstimateStage | null;
  readonly plan: PlanSnapshot | null;
}

/** Builds the facts of a stage from its files; the file's name replaces the execution id. */
function buildStage(
  file: string,
  { estimate, plan }: StageFiles,
  masks: PlanMask,
): Omit<StageFacts, "workspace"> {
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
    ...(estimate === null ? NOT_ESTIMATED : toCostFacts(maskStage(estimate, masks))),
    ...(plan === null ? NOT_PLANNED : collectChanges(plan)),
  };
}

const NOT_ESTIMATED = { cost: unknown("not_estimated"), modules: unknown("not_estimated") };
const NOT_PLANNED = { counts: unknown("no_plan"), rows: unknown("no_plan") };
const FAILED = { counts: unknown("execution_failed"), rows: unknown("execution_failed") };

function toCostFacts(stage: EstimateStage): Pick<StageFacts, "cost" | "modules"> {
  const ids = { stage_execution_id: "", stage_id: "", workspace_id: "" };
  const read = (cost: EstimateStage["cost"]) => CostChange.parse({ ...cost, ...ids });
  const cost = toCostFact({ ok: true, value: read(stage.cost), headers: {} });
  if (stage.modules === null) return { cost, modules: unknown("not_stated") };
  const modules = Object.fromEntries(
    Object.entries(stage.modules).map(([module, own]) => [module, read(own)]),
  );
  return { cost, modules: toModulesFact({ ok: true, value: { ...ids, modules }, headers: {} }) };
}

function collectChanges({ errored, marker, rows, counts }: PlanSnapshot): ChangeFacts {
  const notes = marker.PlanNotes === undefined ? {} : { planNotes: marker.PlanNotes };
  if (errored) return { ...FAILED, ...notes };
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
  ...("tags" in element && element.tags !== undefined && { tags: element.tags }),
});

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
