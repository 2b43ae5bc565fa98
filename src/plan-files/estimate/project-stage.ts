import { hasContradictoryParts } from "./contradictions.ts";
import type { Estimate, EstimateStage } from "./estimate.ts";
import { completeDelta, type EstimateDelta, formatTotals } from "./estimate-delta.ts";
import type { Project } from "./estimate-parts.ts";
import {
  buildQuantityNote,
  groupResourcesByType,
  listAllResources,
  listChangedResources,
  type ResourceCosts,
  sumDeltasAsEstimated,
} from "./resource-costs.ts";
import { buildUsage } from "./usage.ts";

/** The data of a project from which its stage is built. */
export interface ProjectFigures {
  readonly project: Project;
  readonly label: string;
  readonly figures: EstimateDelta;
  /** Problems with the project; not empty: the estimate is partial. */
  readonly problems: readonly string[];
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
  const { errors = [], currentErrors = [], pastErrors = [] } = project.metadata ?? {};
  const messages = [
    ...new Set([...errors, ...currentErrors, ...pastErrors, ...listUnreadableAmounts(project)]),
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
export function buildProjectStage(known: ProjectFigures, currency: string): EstimateStage {
  const { project, label, figures } = known;
  const contradicts = hasContradictoryParts(project);
  const { path, vcsSubPath } = project.metadata ?? {};
  const resources = contradicts ? listAllResources(project) : listChangedResources(project);
  return {
    label,
    isProject: true,
    paths: [path, vcsSubPath].filter((one) => one != null),
    detected: project.summary?.totalDetectedResources ?? null,
    cost: {
      currency,
      ...formatTotals(figures),
      diff: groupResourcesByType(resources),
      estimate: {
        completeness: known.problems.length === 0 ? "complete" : "partial",
        problems: [...known.problems],
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
