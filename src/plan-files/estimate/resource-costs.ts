import { type Decimal, ZERO } from "../../kernel/money.ts";
import type { ComponentQuantity, EstimateNote } from "../../platform/contract/cost-changes.ts";
import { parseAddress, parseModulePath } from "../address.ts";
import { readDecimal } from "../text/numbers.ts";
import type { Breakdown, Component, Project, Resource, Subresource } from "./estimate-parts.ts";
import { completed, type EstimateDelta, formatFigures, sumAsEstimated } from "./figures.ts";
import { lacksQuantity, lacksUsage } from "./usage.ts";

/** What one resource costs before and after, with its parts by name. */
export interface ResourceCosts extends EstimateDelta {
  readonly address: string;
  readonly type: string;
  readonly module: string;
  readonly parts: ReadonlyMap<string, EstimateDelta>;
  /** How much of each part is priced, where the estimate tells. */
  readonly quantities: Readonly<Record<string, ComponentQuantity>>;
}

type ResourceSide = Resource | undefined;

/** Every priced resource of a project, before or after, in the order of the address. */
export function listAllResources(project: Project): readonly ResourceCosts[] {
  const before = byName(project.pastBreakdown);
  const after = byName(project.breakdown);
  const changes = byName(project.diff);
  return [...new Set([...before.keys(), ...after.keys()])].sort().map((name) =>
    costsOf(name, {
      before: before.get(name),
      after: after.get(name),
      change: changes.get(name),
      whole: project.pastBreakdown != null && project.breakdown != null,
    }),
  );
}

/** The resources whose cost changes, as the project's own difference lists them. */
export function listChangedResources(project: Project): readonly ResourceCosts[] {
  const before = byName(project.pastBreakdown);
  const after = byName(project.breakdown);
  const whole = project.pastBreakdown != null && project.breakdown != null;
  return [...byName(project.diff)].map(([name, change]) =>
    costsOf(name, { before: before.get(name), after: after.get(name), change, whole }),
  );
}

/** The platform's groups by resource type, each the sum of its resources. */
export function groupResourcesByType(resources: readonly ResourceCosts[]) {
  const types = Map.groupBy(resources, ({ type }) => type);
  return Object.fromEntries(
    [...types].map(([type, members]) => [
      type,
      { ...formatFigures(summed(members)), diff: members.map(writtenResource) },
    ]),
  );
}

/** How much of what is priced, as a member of the estimate's note. Of two resources with one address neither is told. */
export function buildQuantityNote(resources: readonly ResourceCosts[]): Pick<EstimateNote, "quantities"> {
  const told = resources.filter(({ quantities }) => Object.keys(quantities).length > 0);
  const addresses = Map.groupBy(resources, ({ address }) => address);
  const alone = told.filter(({ address }) => addresses.get(address)?.length === 1);
  if (alone.length === 0) return {};
  return { quantities: Object.fromEntries(alone.map(({ address, quantities }) => [address, quantities])) };
}

/** Sums as the estimator does: a resource whose cost depends on usage that nobody stated adds nothing. */
export function summed(parts: readonly EstimateDelta[]): EstimateDelta {
  return {
    before: sumAsEstimated(parts.map(({ before }) => before)),
    after: sumAsEstimated(parts.map(({ after }) => after)),
    change: sumAsEstimated(parts.map(({ change }) => change)),
  };
}

function writtenResource({ address, parts, before, after, change }: ResourceCosts) {
  const subresources = Object.fromEntries([...parts].map(([name, part]) => [name, formatFigures(part)]));
  return { name: address, ...formatFigures({ before, after, change }), subresources };
}

function costsOf(
  address: string,
  sides: { before: ResourceSide; after: ResourceSide; change: ResourceSide; whole: boolean },
): ResourceCosts {
  const { before, after, change, whole } = sides;
  // The difference calls two parts that take each other's place by one name ("machine, small → large") of its own.
  const listing = whole ? [before, after] : [before, after, change];
  const names = new Set(listing.flatMap((side) => [...partsOf(side).keys()]));
  const figures = (pick: (side: ResourceSide) => Decimal | null | undefined): EstimateDelta => {
    const stated = { before: amount(pick(before), whole), after: amount(pick(after), whole) };
    // The estimator's own difference takes a cost that depends on usage for nothing.
    if (pick(before) === null || pick(after) === null) return { ...stated, change: null };
    return completed({ ...stated, change: pick(change) ?? null });
  };
  return {
    address,
    type: after?.resourceType || before?.resourceType || change?.resourceType || typeOf(address),
    module: parseModulePath((after ?? before ?? change)?.name ?? address),
    ...figures((side) => side?.monthlyCost),
    parts: new Map([...names].map((name) => [name, figures((side) => costOf(partsOf(side).get(name)))])),
    quantities: quantitiesIn([...names], before, after),
  };
}

function quantitiesIn(names: readonly string[], before: ResourceSide, after: ResourceSide) {
  const told = names.flatMap((name) => {
    const [past, next] = [measured(partsOf(before).get(name)), measured(partsOf(after).get(name))];
    const unit = next?.unit ?? past?.unit;
    if (unit === undefined || (past !== null && past.unit !== unit)) return [];
    return [[name, { unit, previous: past?.quantity ?? null, current: next?.quantity ?? null }] as const];
  });
  return Object.fromEntries(told);
}

/** How much of a part is priced; of a part with parts of its own, of the only one. Null: it does not tell. */
function measured(part: ReturnType<ReturnType<typeof partsOf>["get"]>): PricedQuantity | null {
  if (part === undefined) return null;
  const [only, ...others] = "costComponents" in part ? part.costComponents : [part];
  const quantity = readDecimal(String(only?.monthlyQuantity ?? "").trim());
  return only?.unit == null || quantity === null || others.length > 0 ? null : { unit: only.unit, quantity };
}

interface PricedQuantity {
  readonly unit: string;
  readonly quantity: Decimal;
}

/** What is not on a side that is listed in full does not exist there and costs nothing; else nobody knows. */
function amount(stated: Decimal | null | undefined, whole: boolean): Decimal | null {
  return stated === undefined && whole ? sumAsEstimated([]) : (stated ?? null);
}

type PricedPart = Component | Subresource;

/** Null: it depends on usage that nobody stated; undefined: there is no such part. */
function costOf(part: PricedPart | undefined): Decimal | null | undefined {
  const lacks = part !== undefined && ("costComponents" in part ? lacksUsage(part) : lacksQuantity(part));
  return lacks && part.monthlyCost === ZERO ? null : part?.monthlyCost;
}

function partsOf(side: ResourceSide): ReadonlyMap<string, PricedPart> {
  return side === undefined ? new Map() : keyed([...side.costComponents, ...side.subresources]);
}

function byName(breakdown: Breakdown | null | undefined): ReadonlyMap<string, Resource> {
  return keyed(breakdown?.resources ?? []);
}

/** By name; a name that repeats gets a number, so that nothing is lost from the sum. */
function keyed<T extends { readonly name: string }>(all: readonly T[]): ReadonlyMap<string, T> {
  const map = new Map<string, T>();
  for (const one of all) {
    let key = one.name;
    for (let count = 2; map.has(key); count += 1) key = `${one.name} (${count})`;
    map.set(key, one);
  }
  return map;
}

function typeOf(address: string): string {
  return parseAddress(address)?.type ?? "unknown";
}
