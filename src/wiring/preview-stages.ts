import type { EstimateStage } from "../intake/estimate/estimate.ts";
import { maskedStage } from "../intake/estimate/masked-stage.ts";
import type { PlanSnapshot, SnapshotRow } from "../intake/plan/snapshot.ts";
import { type ChangeFacts, changesFromRows, type SourceRow } from "../jobs/gather/change-facts.ts";
import { costFact, modulesFact } from "../jobs/gather/platform-facts.ts";
import { CostChange } from "../platform/contract/cost-changes.ts";
import type { StageFacts } from "../report/facts.ts";

/** A plan file that was read. */
export interface LabelledPlan {
  readonly file: string;
  /** What the file is about, as far as its path tells. */
  readonly label: string;
  readonly snapshot: PlanSnapshot;
}

/** A stage of an estimate file that was read. */
export interface LabelledEstimate {
  readonly file: string;
  readonly stage: EstimateStage;
}

export interface PreviewStages {
  readonly stages: readonly StageFacts[];
  /** What a reader should hear about how files were put together. */
  readonly notes: readonly string[];
}

/**
 * One stage for each estimate and each plan; a plan joins the estimate of the same code, if there is one: the estimate names
 * the plan's file, or both have one name, or there is one of each. What no file tells is unknown. Only a plan that joins no
 * project while estimates are given has no cost of its own: the totals of the estimates are whole without it.
 */
export function previewStages(
  estimates: readonly LabelledEstimate[],
  plans: readonly LabelledPlan[],
): PreviewStages {
  const joined = joinedPlans(estimates, plans);
  const alone = plans.filter((plan) => ![...joined.values()].includes(plan));
  const mask = (text: string) => plans.reduce((masked, { snapshot }) => snapshot.mask(masked), text);
  const names = uniqueNames([
    ...estimates.map(({ stage }) => mask(stage.label)),
    ...alone.map(({ label }) => label),
  ]);
  const priced = estimates.map((estimate) => {
    const plan = joined.get(estimate);
    const changes = plan === undefined ? changesWithout(estimate, plans) : changesOf(plan.snapshot);
    return { ...about(estimate.file, plan), ...costsOf(maskedStage(estimate.stage, mask)), ...changes };
  });
  const unpriced = alone.map((plan) => {
    return { ...about(plan.file, plan), ...costsWithout(estimates), ...changesOf(plan.snapshot) };
  });
  return {
    stages: [...priced, ...unpriced].map((stage, at) => ({
      ...stage,
      workspace: names[at] ?? stage.executionId,
    })),
    notes: estimates.length === 0 ? [] : alone.map(({ file }) => `${file}: ${NO_PROJECT}`),
  };
}

const NO_PROJECT =
  "no project of the estimates is known to be this plan's, so it is a stage of its own, without a cost";

type Joined = Map<LabelledEstimate, LabelledPlan>;

function joinedPlans(estimates: readonly LabelledEstimate[], plans: readonly LabelledPlan[]): Joined {
  const projects = estimates.filter(({ stage }) => stage.isProject);
  const joined: Joined = new Map();
  for (const isSame of SAME_CODE) for (const plan of plans) join(joined, plan, { projects, isSame });
  const [only] = projects;
  const [plan] = plans;
  const oneOfEach = projects.length === 1 && plans.length === 1;
  return oneOfEach && only !== undefined && plan !== undefined ? new Map([[only, plan]]) : joined;
}

/** Joins a plan that is still free to the one free project that is of the same code; to none when there are several. */
function join(
  joined: Joined,
  plan: LabelledPlan,
  { projects, isSame }: { projects: readonly LabelledEstimate[]; isSame: SameCode },
): void {
  if ([...joined.values()].includes(plan)) return;
  const [match, ...others] = projects.filter((one) => !joined.has(one) && isSame(one.stage, plan));
  if (match !== undefined && others.length === 0) joined.set(match, plan);
}

type SameCode = (stage: EstimateStage, plan: LabelledPlan) => boolean;

/** Ways to tell that an estimate and a plan are of the same code, the surest first. */
const SAME_CODE: readonly SameCode[] = [
  ({ paths }, { file }) => paths.some((path) => isSamePath(path, file)),
  ({ label }, plan) => label === plan.label,
  ({ paths }, plan) => paths.some((path) => path.split("/").at(-1) === plan.label),
];

function isSamePath(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => `/${path.replaceAll("\\", "/").replace(/^(\.{0,2}\/)+/, "")}`);
  return one !== undefined && other !== undefined && (one.endsWith(other) || other.endsWith(one));
}

type About = Omit<StageFacts, "workspace" | "cost" | "modules" | "counts" | "rows">;

function about(file: string, plan: LabelledPlan | undefined): About {
  return {
    org: "local",
    project: "files",
    executionId: file,
    stageExecutionId: file,
    source: "file",
    proven: true,
    status: plan?.snapshot.errored === true ? "failed" : "succeeded",
    createdMs: null,
    superseded: [],
  };
}

function costsOf(stage: EstimateStage): Pick<StageFacts, "cost" | "modules"> {
  const ids = { stage_execution_id: "", stage_id: "", workspace_id: "" };
  const read = (cost: EstimateStage["cost"]) => CostChange.parse({ ...cost, ...ids });
  const cost = costFact({ ok: true, value: read(stage.cost), headers: {} });
  const modules =
    stage.modules === null
      ? undefined
      : Object.fromEntries(Object.entries(stage.modules).map(([module, own]) => [module, read(own)]));
  return {
    cost,
    modules: modulesFact({ ok: true, value: modules && { ...ids, modules }, headers: {} }),
  };
}

function changesOf({ errored, rows, counts }: PlanSnapshot): ChangeFacts {
  if (errored) return { counts: failed, rows: failed };
  const drift = rows.drift_changes.map(sourceRow);
  return changesFromRows({
    counts,
    planned: { rows: rows.planned_changes.map(sourceRow), replacementsKnown: true },
    drift: { rows: drift, total: drift.length },
  });
}

const sourceRow = ({ address, change, module, name, type }: SnapshotRow): SourceRow => ({
  change,
  module,
  name,
  type,
  resource_address: address,
});

const failed = { state: "unknown", reason: "execution_failed" } as const;
const NO_COUNTS = { added: 0, changed: 0, deleted: 0, imported: 0, removed: 0, unchanged: 0, drifted: 0 };

/** Nobody knows what changes in a project without a plan; what an estimate counts beside its projects is money only. */
function changesWithout({ stage }: LabelledEstimate, plans: readonly LabelledPlan[]): ChangeFacts {
  if (stage.isProject || plans.length === 0) {
    const fact = { state: "unknown", reason: "not_read" } as const;
    return { counts: fact, rows: fact };
  }
  const planned = { rows: [], replacementsKnown: true };
  return changesFromRows({ counts: NO_COUNTS, planned, drift: { rows: [], total: 0 } });
}

function costsWithout(estimates: readonly LabelledEstimate[]): Pick<StageFacts, "cost" | "modules"> {
  const [first] = estimates;
  const fact = { state: "unknown", reason: "not_estimated" } as const;
  return first === undefined ? { cost: fact, modules: fact } : costsOf(nothingOf(first.stage));
}

/** A stage that costs nothing in the currency of another. */
function nothingOf(stage: EstimateStage): EstimateStage {
  const zero = "0.00";
  const totals = { past_total_monthly_cost: zero, total_monthly_cost: zero, diff_total_monthly_cost: zero };
  const { currency } = stage.cost;
  const estimate = {
    completeness: "complete" as const,
    problems: [],
    unpriced: {},
    parts: "changed" as const,
  };
  const cost = { currency, ...totals, percentage_change_total_monthly_cost: 0, diff: {}, estimate };
  return { ...stage, cost, modules: {} };
}

function uniqueNames(names: readonly string[]): readonly string[] {
  return names.map((name, at) => {
    const before = names.slice(0, at).filter((other) => other === name).length;
    return before === 0 ? name : `${name} #${before + 1}`;
  });
}
