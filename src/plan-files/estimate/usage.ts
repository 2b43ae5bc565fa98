import { ZERO } from "../../kernel/money.ts";
import type { UsageNote } from "../../platform/contract/cost-changes.ts";
import { parseAddress } from "../address.ts";
import type { Component, EstimateSummary, Project, Resource, Subresource } from "./estimate-parts.ts";

type EstimatedUsage = UsageNote["resources"][number];

/** Returns the resources of a project whose price depends on usage that is not given. */
export function buildUsage(project: Project): UsageNote {
  const { breakdown, pastBreakdown, summary } = project;
  const resources = listNamedUsage(project);
  const namedCount = resources.filter(({ change }) => change !== "deleted" && change !== "given").length;
  const counts = { namedCount, listedCount: countListedResources(project) };
  // An equal, nonzero cost before and after means unchanged resources: the estimator lists every change.
  const cost = breakdown?.totalMonthlyCost ?? null;
  const stays = cost !== null && cost !== ZERO && pastBreakdown?.totalMonthlyCost === cost;
  return { resources: [...resources], ...splitUnnamedCount(countUnnamedUsage(summary, counts), stays) };
}

export const countListedResources = ({ breakdown, diff }: Project): number =>
  (breakdown ?? diff)?.resources.length ?? 0;

/** Counts the unnamed resources as unchanged, or as resources whose change is unknown. */
export const splitUnnamedCount = (count: number, stays: boolean): Omit<UsageNote, "resources"> => ({
  unnamed: stays ? 0 : count,
  unnamed_unchanged: stays ? count : 0,
});

/** How many listed resources are usage-based without usage, and how many are listed in total. */
interface ListedUsage {
  readonly namedCount: number;
  readonly listedCount: number;
}

/**
 * Returns how many usage-based resources a summary counts in addition to the listed ones. The summary also
 * counts those with given usage, so a listed resource with all of its costs is not one of them.
 */
export function countUnnamedUsage(
  summary: EstimateSummary | null | undefined,
  { namedCount: named, listedCount: listed }: ListedUsage,
): number {
  const counted = summary?.totalUsageBasedResources ?? 0;
  const supported = summary?.totalSupportedResources ?? counted;
  return Math.max(0, Math.min(counted - named, supported - listed));
}

export const addUsage = (a: UsageNote, b: UsageNote): UsageNote => ({
  resources: [...a.resources, ...b.resources],
  unnamed: a.unnamed + b.unnamed,
  unnamed_unchanged: a.unnamed_unchanged + b.unnamed_unchanged,
});

export const NO_USAGE: UsageNote = { resources: [], unnamed: 0, unnamed_unchanged: 0 };

function listNamedUsage({ breakdown, pastBreakdown, diff }: Project): readonly EstimatedUsage[] {
  const before = new Map(pastBreakdown?.resources.map((one) => [one.name, one]));
  const changed = new Set(diff?.resources.map(({ name }) => name));
  const isWhole = breakdown != null && pastBreakdown != null;
  const getChange = (after: Resource): EstimatedUsage["change"] => {
    if (!isWhole) return "unstated";
    const past = before.get(after.name);
    if (past === undefined) return "added";
    // What is only imported or forgotten is the same object on both sides.
    if (past === after) return "unchanged";
    return changed.has(after.name) || serializePrices(past) !== serializePrices(after)
      ? "changed"
      : "unchanged";
  };
  const after = breakdown?.resources ?? diff?.resources ?? [];
  const names = new Set(after.map(({ name }) => name));
  const gone = isWhole ? [...before.values()].filter(({ name }) => !names.has(name)) : [];
  const isGiven = (one: Resource): boolean => {
    const past = isWhole ? before.get(one.name) : undefined;
    return past !== undefined && isUsageMissing(past) && !isUsageMissing(one);
  };
  return [
    ...after.filter(isGiven).map((one) => createEstimatedUsage(one, "given")),
    ...after.filter(isUsageMissing).map((one) => createEstimatedUsage(one, getChange(one))),
    ...gone.filter(isUsageMissing).map((one) => createEstimatedUsage(one, "deleted")),
  ];
}

const createEstimatedUsage = (resource: Resource, change: EstimatedUsage["change"]): EstimatedUsage => ({
  address: resource.name,
  type: resource.resourceType || (parseAddress(resource.name)?.type ?? ""),
  change,
});

/** Whether a part of a resource is priced by usage that is not given, so that its cost is unknown. */
export function isUsageMissing(resource: Subresource): boolean {
  const { monthlyCost, costComponents, subresources } = resource;
  if (costComponents.length + subresources.length === 0) return monthlyCost === null;
  return costComponents.some(isQuantityMissing) || subresources.some(isUsageMissing);
}

/**
 * Whether a component's usage is missing. A component without a price does not count unless the estimator
 * marks it as usage-based.
 */
export function isQuantityMissing(component: Component): boolean {
  const { monthlyCost, monthlyQuantity, hourlyQuantity, usageBased, priceNotFound } = component;
  if (monthlyCost === null) return usageBased === true || priceNotFound !== true;
  const isStated = monthlyQuantity != null || hourlyQuantity != null;
  return usageBased === true && !isStated && monthlyCost === ZERO;
}

/**
 * Returns the prices of a resource without its quantities, as text: equal for resources with the same prices.
 */
const serializePrices = ({ costComponents, subresources }: Subresource): string =>
  JSON.stringify([
    costComponents.map(({ name, unit, price }) => [name, unit, String(price)]),
    subresources.map((part) => [part.name, serializePrices(part)]),
  ]);
