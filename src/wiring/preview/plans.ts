import type { EstimateStage } from "../../plan-files/estimate/estimate.ts";
import type { PlanSnapshot } from "../../plan-files/plan/snapshot.ts";

/** A parsed plan file. */
export interface LabelledPlan {
  readonly file: string;
  /** The subject of the file, derived from its path. */
  readonly label: string;
  readonly snapshot: PlanSnapshot;
}

/** A stage of a parsed estimate file. */
export interface LabelledEstimate {
  readonly file: string;
  readonly stage: EstimateStage;
}

/** The plan of the same code for each estimate. */
type PlansByEstimate = Map<LabelledEstimate, LabelledPlan>;

/** Joins plans to the estimates of the same code. */
export function joinPlans(
  estimates: readonly LabelledEstimate[],
  plans: readonly LabelledPlan[],
): PlansByEstimate {
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
export function joinInOrder(
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
