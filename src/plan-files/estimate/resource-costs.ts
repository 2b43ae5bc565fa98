import { type Decimal, ZERO } from "../../kernel/money.ts";
import type { StatedTags } from "../../kernel/resource-tags.ts";
import type {
  ComponentQuantity,
  EstimatedResource,
  EstimateNote,
} from "../../platform/contract/cost-changes.ts";
import { parseAddress, parseModulePath } from "../address.ts";
import { readDecimal } from "../text/json-document.ts";
import type { Breakdown, Component, Project, Resource, Subresource } from "./estimate-parts.ts";
import {
  completeDelta,
  type EstimateDelta,
  formatAmount,
  formatFigures,
  mapFields,
  sumAsEstimated,
} from "./reconcile.ts";
import { isQuantityMissing, isUsageMissing } from "./usage.ts";

/** The monthly cost of one resource before and after, and of its parts by name. */
export interface ResourceCosts extends EstimateDelta {
  readonly address: string;
  readonly type: string;
  readonly module: string;
  readonly parts: ReadonlyMap<string, EstimateDelta>;
  /** The priced quantity of each part, where the estimate states it. */
  readonly quantities: Readonly<Record<string, ComponentQuantity>>;
  /** Undefined: unknown. */
  readonly tags: StatedTags | undefined;
}

type ResourceSide = Resource | undefined;

/** Returns all resources of a project, before or after, in the order of their addresses. */
export function listAllResources(project: Project): readonly ResourceCosts[] {
  const before = indexResources(project.pastBreakdown);
  const after = indexResources(project.breakdown);
  const changes = indexResources(project.diff);
  return [...new Set([...before.keys(), ...after.keys()])].sort().map((name) =>
    buildResourceCosts(name, {
      before: before.get(name),
      after: after.get(name),
      change: changes.get(name),
      whole: project.pastBreakdown != null && project.breakdown != null,
    }),
  );
}

/** Returns the resources that the project's own difference lists, with their change of cost. */
export function listChangedResources(project: Project): readonly ResourceCosts[] {
  const before = indexResources(project.pastBreakdown);
  const after = indexResources(project.breakdown);
  const whole = project.pastBreakdown != null && project.breakdown != null;
  return [...indexResources(project.diff)].map(([name, change]) =>
    buildResourceCosts(name, { before: before.get(name), after: after.get(name), change, whole }),
  );
}

/** Groups resources by type, in the platform's form; each group is the sum of its resources. */
export function groupResourcesByType(resources: readonly ResourceCosts[]) {
  const types = Map.groupBy(resources, ({ type }) => type);
  return Object.fromEntries(
    [...types].map(([type, members]) => [
      type,
      { ...formatFigures(sumDeltasAsEstimated(members)), diff: members.map(formatResource) },
    ]),
  );
}

/**
 * Lists the resources of a project, with what those cost that are not among the changed ones. `repeated`: addresses that other
 * projects have too, whose tags are not known by the address.
 */
export function listEstimatedResources(
  all: readonly ResourceCosts[],
  {
    changed,
    repeated,
  }: { readonly changed: readonly ResourceCosts[]; readonly repeated: ReadonlySet<string> },
): readonly EstimatedResource[] {
  const inDiff = new Set(changed.map(({ address }) => address));
  return all.map(({ address, type, before, after, tags }) => ({
    address,
    type,
    ...(!inDiff.has(address) && { cost: before === after ? formatAmount(after) : null }),
    ...(tags !== undefined && !repeated.has(address) && { tags }),
  }));
}

/** Builds the estimate note's quantities. When two resources have the same address, both are left out. */
export function buildQuantityNote(resources: readonly ResourceCosts[]): Pick<EstimateNote, "quantities"> {
  const withQuantities = resources.filter(({ quantities }) => Object.keys(quantities).length > 0);
  const addresses = Map.groupBy(resources, ({ address }) => address);
  const alone = withQuantities.filter(({ address }) => addresses.get(address)?.length === 1);
  if (alone.length === 0) return {};
  return { quantities: Object.fromEntries(alone.map(({ address, quantities }) => [address, quantities])) };
}

/** Adds amounts as the estimator does: a resource with a usage-based cost and no usage adds nothing. */
export const sumDeltasAsEstimated = (parts: readonly EstimateDelta[]): EstimateDelta =>
  mapFields((field) => sumAsEstimated(parts.map((part) => part[field])));

function formatResource({ address, parts, before, after, change }: ResourceCosts) {
  const subresources = Object.fromEntries([...parts].map(([name, part]) => [name, formatFigures(part)]));
  return { name: address, ...formatFigures({ before, after, change }), subresources };
}

function buildResourceCosts(
  address: string,
  sides: { before: ResourceSide; after: ResourceSide; change: ResourceSide; whole: boolean },
): ResourceCosts {
  const { before, after, change, whole } = sides;
  // The difference gives two parts that replace each other one combined name ("machine, small → large").
  const parts = { before: indexParts(before), after: indexParts(after), change: indexParts(change) };
  const listing = whole ? [parts.before, parts.after] : [parts.before, parts.after, parts.change];
  const names = [...new Set(listing.flatMap((side) => [...side.keys()]))];
  const figures = (pick: (side: keyof typeof parts) => Decimal | null | undefined): EstimateDelta => {
    const [past, next] = [pick("before"), pick("after")];
    const stated = { before: resolveAmount(past, whole), after: resolveAmount(next, whole) };
    // The estimator's own difference treats an unknown usage-based cost as zero.
    if (past === null || next === null) return { ...stated, change: null };
    return completeDelta({ ...stated, change: pick("change") ?? null });
  };
  return {
    address,
    type: after?.resourceType || before?.resourceType || change?.resourceType || parseResourceType(address),
    module: parseModulePath((after ?? before ?? change)?.name ?? address),
    ...figures((side) => sides[side]?.monthlyCost),
    parts: new Map(names.map((name) => [name, figures((side) => findPartCost(parts[side].get(name)))])),
    quantities: collectQuantities(names, parts),
    tags: joinTags(before, after, whole),
  };
}

/** `whole`: a resource that is not on a side does not exist there. */
function joinTags(before: ResourceSide, after: ResourceSide, whole: boolean): StatedTags | undefined {
  const [past, next] = [before ?? { tags: null }, after ?? { tags: null }].map(({ tags }) => tags);
  if (past === undefined || next === undefined) return undefined;
  if (past === "unsupported" || next === "unsupported") return "unsupported";
  const stays = !whole || JSON.stringify(past) === JSON.stringify(next);
  return stays ? { after: next } : { before: past, after: next };
}

type PartIndex = ReadonlyMap<string, PricedPart>;

function collectQuantities(
  names: readonly string[],
  { before, after }: { readonly before: PartIndex; readonly after: PartIndex },
) {
  const entries = names.flatMap((name) => {
    const [past, next] = [findPricedQuantity(before.get(name)), findPricedQuantity(after.get(name))];
    const unit = next?.unit ?? past?.unit;
    if (unit === undefined || (past !== null && past.unit !== unit)) return [];
    return [[name, { unit, previous: past?.quantity ?? null, current: next?.quantity ?? null }] as const];
  });
  return Object.fromEntries(entries);
}

/** Returns the priced quantity of a part, or of its only component. Null: none or several are stated. */
function findPricedQuantity(part: PricedPart | undefined): PricedQuantity | null {
  if (part === undefined) return null;
  const [only, ...others] = "costComponents" in part ? part.costComponents : [part];
  const quantity = readDecimal(String(only?.monthlyQuantity ?? "").trim());
  return only?.unit == null || quantity === null || others.length > 0 ? null : { unit: only.unit, quantity };
}

interface PricedQuantity {
  readonly unit: string;
  readonly quantity: Decimal;
}

/**
 * Returns a stated amount. On a side that lists all resources, a missing resource costs zero; otherwise its
 * cost is null.
 */
function resolveAmount(stated: Decimal | null | undefined, whole: boolean): Decimal | null {
  return stated === undefined && whole ? sumAsEstimated([]) : (stated ?? null);
}

type PricedPart = Component | Subresource;

/**
 * Returns the monthly cost of a part. Null: it depends on usage that is not given; undefined: there is no
 * such part.
 */
function findPartCost(part: PricedPart | undefined): Decimal | null | undefined {
  const lacks =
    part !== undefined && ("costComponents" in part ? isUsageMissing(part) : isQuantityMissing(part));
  return lacks && part.monthlyCost === ZERO ? null : part?.monthlyCost;
}

function indexParts(side: ResourceSide): PartIndex {
  return side === undefined ? new Map() : indexByName([...side.costComponents, ...side.subresources]);
}

function indexResources(breakdown: Breakdown | null | undefined): ReadonlyMap<string, Resource> {
  return indexByName(breakdown?.resources ?? []);
}

/** Indexes by name. A repeated name gets a number, so that no part is missing from the sum. */
function indexByName<T extends { readonly name: string }>(all: readonly T[]): ReadonlyMap<string, T> {
  const map = new Map<string, T>();
  for (const one of all) {
    let key = one.name;
    for (let count = 2; map.has(key); count += 1) key = `${one.name} (${count})`;
    map.set(key, one);
  }
  return map;
}

function parseResourceType(address: string): string {
  return parseAddress(address)?.type ?? "unknown";
}
