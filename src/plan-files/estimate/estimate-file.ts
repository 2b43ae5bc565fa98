import { ZERO } from "../../kernel/money.ts";
import type { UsageNote } from "../../platform/contract/cost-changes.ts";
import type { PlanSnapshot } from "../plan/snapshot.ts";
import { hasContradictoryParts, isChangeContradictory } from "./check-against-plan.ts";
import { NO_PROJECT } from "./compare-with-base.ts";
import { type EstimateFile, type EstimateStage, findComparison, withoutPast } from "./estimate.ts";
import type { EstimateHead, Project } from "./estimate-parts.ts";
import {
  buildStage,
  computeFileFigures,
  countUnpriced,
  describeUnreadableAmount,
  type FileFigures,
  labelProjects,
  listProblems,
  type ProjectFigures,
  readStatedFigures,
} from "./project-stage.ts";
import { reconcileWithPlan } from "./reconcile.ts";
import {
  addUsage,
  buildUsage,
  countListedResources,
  countUnnamedUsage,
  NO_USAGE,
  splitUnnamedCount,
} from "./usage.ts";

interface EstimateParts {
  readonly head: EstimateHead;
  readonly currency: string;
  readonly known: readonly ProjectFigures[];
  readonly figures: FileFigures;
  /** Stage name for a project without a name. */
  readonly fallback: string;
}

/** Builds the stages of an estimate file. A missing currency means US dollars, as in the estimator. */
export function buildEstimateFile(
  statedHead: EstimateHead,
  stated: readonly Project[],
  fallback: string,
): Omit<EstimateFile, "notes"> {
  const compared = stated.map((project) => {
    const comparison = findComparison(statedHead, project);
    return { project: comparison === "nothing" ? withoutPast(project) : project, comparison };
  });
  const projects = compared.map(({ project }) => project);
  const isCompared = compared.every(({ comparison }) => comparison !== "nothing");
  const head = isCompared
    ? statedHead
    : { ...statedHead, pastTotalMonthlyCost: null, diffTotalMonthlyCost: null };
  const figures = computeFileFigures(head, projects);
  const labels = labelProjects(projects, fallback);
  const known = compared.map(({ project, comparison }, at): ProjectFigures => {
    const own = readStatedFigures(project);
    return {
      project,
      comparison,
      label: labels[at] ?? fallback,
      figures: figures.projects[at] ?? own,
      problems: listProblems(project, own),
      ofFile: at === 0 ? (head.findings ?? []) : [],
    };
  });
  const currency = (head.currency || "USD").toUpperCase();
  const parts = { head, currency, known, figures, fallback };
  const withPlan = (plan: PlanSnapshot, at: number | null) => {
    const reconciled = reconcileWithPlan(head, projects, { plan, at });
    return buildEstimateFile(reconciled.head, reconciled.projects, fallback);
  };
  const { commit } = head;
  const whole: EstimateStage = {
    ...buildWholeStage(parts),
    commit,
    withPlan: (plan) => withPlan(plan, null).whole,
  };
  if (projects.length === 0) return { stages: [whole], whole };
  const stages = known.map((one, at): EstimateStage => {
    const stage = buildProjectStage(one, parts);
    return { ...stage, commit, withPlan: (plan) => withPlan(plan, at).stages[at] ?? whole };
  });
  const rest = buildRestStage(parts).map(
    (stage): EstimateStage => ({ ...stage, commit, withPlan: () => rest[0] ?? whole }),
  );
  return { stages: [...stages, ...rest], whole };
}

function buildProjectStage(one: ProjectFigures, { head, currency, known }: EstimateParts) {
  const { project, label, figures, problems } = one;
  return buildStage({
    label,
    currency,
    figures,
    problems,
    known: [one],
    summary: project.summary ?? (known.length === 1 ? head.summary : null),
    unpriced: project.summary?.unsupportedResourceCounts == null ? null : countUnpriced(project),
    usage: buildUsage(project),
    contradicts: hasContradictoryParts(project),
  });
}

function buildWholeStage({ head, currency, known, figures, fallback }: EstimateParts) {
  const projects = known.map(({ project }) => project);
  const projectProblems = known.flatMap(({ label, problems: own, figures: project }) => [
    ...own.map((problem) => (known.length === 1 ? problem : `${label}: ${problem}`)),
    ...(isChangeContradictory(project)
      ? [`${label}: the change is not the difference between before and after`]
      : []),
  ]);
  const nothing = projects.length === 0 ? [NO_PROJECT] : [];
  const unpriced = [...projects.map(countUnpriced), countUnpricedRest(head, projects)];
  return buildStage({
    label: known.length === 1 ? (known[0]?.label ?? fallback) : fallback,
    currency,
    known,
    summary: head.summary,
    figures: figures.total,
    problems: [...nothing, ...head.unreadable.map(describeUnreadableAmount), ...projectProblems],
    unpriced: hasUnpricedCounts(head, projects) ? unpriced.reduce(addCounts, {}) : null,
    usage: [...projects.map(buildUsage), countUsageRest(head, known, figures)].reduce(addUsage),
    contradicts: figures.contradicts || projects.some(hasContradictoryParts),
  });
}

/**
 * Returns a stage for the difference between the file's totals and its projects; empty: there is no
 * difference.
 */
function buildRestStage({ head, currency, known, figures }: EstimateParts) {
  const unpriced = countUnpricedRest(
    head,
    known.map(({ project }) => project),
  );
  const usage = countUsageRest(head, known, figures);
  const amounts = Object.values(figures.rest).some((amount) => amount !== null && amount !== ZERO);
  const problems = head.unreadable.map(describeUnreadableAmount);
  const counted = Object.keys(unpriced).length + usage.unnamed + usage.unnamed_unchanged;
  if (!amounts && counted === 0 && problems.length === 0) return [];
  const taken = known.some(({ label }) => label === UNATTRIBUTED);
  return [
    buildStage({
      label: taken ? `${UNATTRIBUTED} (no project)` : UNATTRIBUTED,
      currency,
      known,
      problems,
      unpriced,
      usage,
      isRest: true,
      summary: null,
      figures: figures.rest,
      contradicts: figures.contradicts,
    }),
  ];
}

const UNATTRIBUTED = "unattributed";

function hasUnpricedCounts(head: EstimateHead, projects: readonly Project[]): boolean {
  if (head.summary?.unsupportedResourceCounts != null) return true;
  return projects.length > 0 && projects.every(({ summary }) => summary?.unsupportedResourceCounts != null);
}

function countUnpricedRest(head: EstimateHead, projects: readonly Project[]): Record<string, number> {
  const own = projects.map(({ summary }) => summary?.unsupportedResourceCounts ?? {}).reduce(addCounts, {});
  const rest = Object.entries(head.summary?.unsupportedResourceCounts ?? {}).map(
    ([type, count]): [string, number] => [type, count - (own[type] ?? 0)],
  );
  return Object.fromEntries(rest.filter(([, count]) => count > 0));
}

function countUsageRest(
  head: EstimateHead,
  known: readonly ProjectFigures[],
  { rest }: FileFigures,
): UsageNote {
  const own = known.map(({ project }) => buildUsage(project));
  const sum = own.reduce(addUsage, NO_USAGE);
  const unnamed = sum.unnamed + sum.unnamed_unchanged;
  const count = countUnnamedUsage(head.summary, {
    namedCount: sum.resources.filter(({ change }) => change !== "deleted").length + unnamed,
    listedCount: known.reduce((total, { project }) => total + countListedResources(project), 0) + unnamed,
  });
  const stays = rest.after !== null && rest.after !== ZERO && rest.after === rest.before;
  return { resources: [], ...splitUnnamedCount(count, stays) };
}

function addCounts(a: Record<string, number>, b: Readonly<Record<string, number>>): Record<string, number> {
  const sum = { ...a };
  for (const [type, count] of Object.entries(b)) sum[type] = (sum[type] ?? 0) + count;
  return sum;
}
