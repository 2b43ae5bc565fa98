import type { EstimateNote } from "../../platform/contract/cost-changes.ts";
import { parseAddress } from "../address.ts";
import { hasContradictoryParts } from "./contradictions.ts";
import type { Estimate, EstimateStage, SeenResources } from "./estimate.ts";
import { completeDelta, type EstimateDelta, formatTotals } from "./estimate-delta.ts";
import type { EstimateWarning, Project } from "./estimate-parts.ts";
import {
  buildQuantityNote,
  groupResourcesByType,
  listAllResources,
  listChangedResources,
  type ResourceCosts,
  sumDeltasAsEstimated,
} from "./resource-costs.ts";
import type { ComparedProject } from "./seen-resources.ts";
import { buildUsage } from "./usage.ts";

/** The data of a project from which its stage is built. */
export interface ProjectFigures extends ComparedProject {
  readonly label: string;
  readonly figures: EstimateDelta;
  /** Problems with the project; not empty: the estimate is partial. */
  readonly problems: readonly string[];
  readonly seen: SeenResources;
}

/** What a reader should know of the projects: warnings that take nothing from the figures, and prices that are none of a change. */
export function buildNotices(projects: readonly ProjectFigures[]): Pick<EstimateNote, "notices"> {
  const notices = projects.flatMap(({ project }) => [
    ...(project.metadata?.warnings ?? [])
      .filter((warning) => !isPartial(warning))
      .map(({ message }) => message),
    ...(project.breakdown?.resources ?? [])
      .filter(({ name }) => parseAddress(name)?.mode === "data")
      .map(({ name }) => `${name} is a data source and has a price: it exists already`),
  ]);
  return notices.length === 0 ? {} : { notices: [...new Set(notices)] };
}

/** Says when one of the projects is compared with nothing. */
export const buildComparison = (projects: readonly ComparedProject[]): Pick<EstimateNote, "comparison"> =>
  projects.some(({ comparison }) => comparison === "nothing") ? { comparison: "nothing" } : {};

/** Whether a warning says that a part of the project was not estimated as it is. */
const isPartial = ({ code, isError }: EstimateWarning): boolean =>
  isError || (code !== null && PARTIAL_CODES.has(code));

/** Codes of code that could not be evaluated, values that are missing, and modules that could not be fetched. */
const PARTIAL_CODES: ReadonlySet<number> = new Set([
  1, 2, 3, 4, 5, 6, 101, 102, 103, 104, 105, 106, 201, 301,
]);

/** Names the variables that lack a value, with the option that gives it; other warnings speak for themselves. */
function describeWarning({ message, names }: EstimateWarning): string {
  const variables = names.filter((name) => name.startsWith("variable.")).map((name) => name.slice(9));
  if (variables.length === 0) return message;
  return `no value for the ${variables.length === 1 ? "variable" : "variables"} ${variables.join(", ")}: give it to the estimate with --terraform-var-file or --terraform-var`;
}

/** Returns the totals that a project states for itself. */
export function readStatedFigures(project: Project): EstimateDelta {
  return completeDelta({
    before: project.pastBreakdown?.totalMonthlyCost ?? null,
    after: project.breakdown?.totalMonthlyCost ?? null,
    change: project.diff?.totalMonthlyCost ?? null,
  });
}

/**
 * Returns the errors that the estimator reports; without any, a problem when the project's monthly cost is
 * missing.
 */
export function listProblems(project: Project, figures: EstimateDelta): readonly string[] {
  const { errors = [], currentErrors = [], pastErrors = [], warnings = [] } = project.metadata ?? {};
  const messages = [
    ...new Set([
      ...errors,
      ...currentErrors,
      ...pastErrors,
      ...warnings.filter(isPartial).map(describeWarning),
      ...listUnreadableAmounts(project),
    ]),
  ];
  if (messages.length > 0 || figures.after !== null) return messages;
  return ["the estimate states no monthly cost for this project"];
}

const listUnreadableAmounts = (project: Project): readonly string[] =>
  (["pastBreakdown", "breakdown", "diff"] as const).flatMap((part) =>
    (project[part]?.unreadable ?? []).map((member) => describeUnreadableAmount(`${part}.${member}`)),
  );

/**
 * Problem of a member whose stated value is not an amount: the amount is unknown, which differs from "not
 * stated".
 */
export const describeUnreadableAmount = (member: string): string => `${member} is stated and is no amount`;

/**
 * Builds the stage of one project. When its amounts contradict each other, all of its parts are listed, so
 * that the contradiction is visible.
 */
export function buildProjectStage(
  known: ProjectFigures,
  currency: string,
): Omit<EstimateStage, "withPlan" | "commit"> {
  const { project, label, figures } = known;
  const contradicts = hasContradictoryParts(project);
  const { path, vcsSubPath } = project.metadata ?? {};
  const resources = contradicts ? listAllResources(project) : listChangedResources(project);
  return {
    label,
    isProject: true,
    paths: [path, vcsSubPath].filter((one) => one != null),
    detected: project.summary?.totalDetectedResources ?? null,
    seen: known.seen,
    cost: {
      currency,
      ...formatTotals(figures),
      diff: groupResourcesByType(resources),
      estimate: {
        completeness: known.problems.length === 0 ? "complete" : "partial",
        problems: [...known.problems],
        ...buildNotices([known]),
        ...buildComparison([known]),
        unpriced: project.summary?.unsupportedResourceCounts == null ? null : countUnpriced(project),
        usage: buildUsage(project),
        ...buildQuantityNote(resources),
        parts: contradicts ? "all" : "changed",
      },
    },
    modules: computeModuleCosts([project], currency),
  };
}

/**
 * Returns the cost per module over the resources of all projects; null: a project does not list its
 * resources.
 */
export function computeModuleCosts(
  projects: readonly Project[],
  currency: string,
): Readonly<Record<string, Estimate>> | null {
  if (projects.some(({ breakdown, pastBreakdown }) => breakdown == null || pastBreakdown == null))
    return null;
  const modules = Map.groupBy(projects.flatMap(listAllResources), ({ module }) => module);
  return Object.fromEntries(
    [...modules].map(([module, resources]) => [module, buildModuleEstimate(resources, currency)]),
  );
}

/**
 * Counts the unpriced resources by type: those that the estimator does not support, and those without a
 * price.
 */
export function countUnpriced(project: Project): Record<string, number> {
  const unpriced: Record<string, number> = { ...project.summary?.unsupportedResourceCounts };
  for (const resource of project.breakdown?.resources ?? []) {
    const parts = [resource, ...resource.subresources];
    if (
      !parts.some(({ costComponents }) => costComponents.some(({ priceNotFound }) => priceNotFound === true))
    )
      continue;
    const type = resource.resourceType ?? resource.name;
    unpriced[type] = (unpriced[type] ?? 0) + 1;
  }
  return unpriced;
}

function buildModuleEstimate(resources: readonly ResourceCosts[], currency: string): Estimate {
  return { currency, ...formatTotals(sumDeltasAsEstimated(resources)), diff: {} };
}
