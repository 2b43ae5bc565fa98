import { absolute, compare, type Decimal, decimal, minus } from "../../kernel/money.ts";
import { LEFT, stripKeys } from "../address.ts";
import {
  createAddressKey,
  isKnownToPlanOnly,
  listKnownAddresses,
  listPlanned,
  type Planned,
} from "../plan/planned.ts";
import type { PlanSnapshot } from "../plan/snapshot.ts";
import type { EstimateStage, SeenResources } from "./estimate.ts";
import type { Breakdown, Project } from "./estimate-parts.ts";
import { type EstimateDelta, sumAsEstimated } from "./reconcile.ts";

/**
 * Matches resource types that the estimator counts, with or without a price. It ignores those of other
 * providers.
 */
const ESTIMATED_TYPES = /^(aws|google|azurerm)_/;

/** Matches resource types of providers whose resources are values and files of the plan itself, and cost nothing. */
const COSTLESS_TYPES = /^(archive|cloudinit|external|http|local|null|random|template|terraform|time|tls)_/;

/** How many addresses a problem names. */
const NAMED = 3;

/**
 * Compares an estimate with the plan of the same code, by address. Where they contradict each other, the
 * estimate belongs to other code, another commit or other variables: its figures are no figures of this plan,
 * and it is partial. That something has no price in the past is no contradiction, because free resources are
 * not listed there. What the estimator does not know, because it is of another provider, is counted as unpriced.
 */
export function checkAgainstPlan(stage: EstimateStage, plan: PlanSnapshot): EstimateStage {
  const { estimate } = stage.cost;
  if (estimate === undefined) return stage;
  const found = listContradictions(stage, plan);
  const unpriced = estimate.unpriced && { ...estimate.unpriced, ...countForeign(stage.seen, plan) };
  const note =
    found.length === 0
      ? { ...estimate, unpriced }
      : {
          ...estimate,
          unpriced,
          completeness: "partial" as const,
          problems: [...estimate.problems, ...found],
        };
  return { ...stage, cost: { ...stage.cost, estimate: note } };
}

/** Counts what exists after the plan, is of a provider that the estimator does not know, and is nowhere in the estimate. */
function countForeign({ present, pricedTypes, unlisted }: SeenResources, plan: PlanSnapshot) {
  const named = normaliseAll(present ?? new Set(), plan);
  const foreign = listPlanned(plan).filter(
    (one) =>
      isAfter(one) &&
      !ESTIMATED_TYPES.test(one.type) &&
      !COSTLESS_TYPES.test(one.type) &&
      !pricedTypes.has(one.type) &&
      !named.has(one.address),
  );
  const counts = [...Map.groupBy(foreign, ({ type }) => type)].filter(
    ([type, own]) => own.length > (unlisted?.[type] ?? 0),
  );
  return Object.fromEntries(counts.map(([type, own]) => [type, own.length]));
}

const isAfter = ({ fate }: Planned): boolean => fate !== "deleted" && fate !== "forgotten";

function listContradictions({ seen, detected }: EstimateStage, plan: PlanSnapshot): readonly string[] {
  const repeated = normaliseAll(seen.repeated, plan);
  const { shared = [], planned = [] } = Object.groupBy(listPlanned(plan), (one) =>
    repeated.has(one.address) || repeated.has(one.previous ?? "") ? "shared" : "planned",
  );
  const past = seen.past && normaliseAll(seen.past, plan);
  const present = seen.present && normaliseAll(seen.present, plan);
  const created = planned.filter(({ fate }) => fate === "created");
  const pricedBefore = created.filter(({ address }) => past?.has(address) && !planned.some(moves(address)));
  const pricedAfter = planned.filter(({ address, fate }) => fate === "deleted" && present?.has(address));
  const unseen = present === null ? [] : listUnseen(planned, { seen, past, present });
  const cause = describeCause(seen);
  return [
    ...describe(pricedBefore, "the plan creates", "and the estimate has a price for it before", cause),
    ...describe(pricedAfter, "the plan deletes", "and the estimate has a price for it afterwards", cause),
    ...describe(
      planned.filter((one) => isForgottenUnpriced(one, { seen, past })),
      "the plan forgets",
      "which is still paid for, and the estimate has no price of it",
      past === null ? "it does not have the state before" : cause,
    ),
    ...describe(
      shared.filter(isKnownToPlanOnly),
      "the plan moves, imports or forgets",
      "which several projects of the estimate have",
      "give each project's plan with an estimate of that project",
    ),
    ...describe(unseen, "the plan has", "afterwards and the estimate does not", cause),
    ...describe(
      listStrangers(seen, plan),
      "the estimate has a price for",
      "and the plan has it neither in code nor in state",
      cause,
    ),
    ...(unseen.length === 0 && detected === 0 ? listMissedAtAll(planned, { seen, past, plan }) : []),
  ];
}

/**
 * Returns what the estimate has a price for, before or after, and the plan does not have at all. An instance with
 * another key of a block that the plan has, whose price stays, is none: an estimate of code may not know the keys.
 */
function listStrangers({ priced }: SeenResources, plan: PlanSnapshot): readonly Pick<Planned, "written">[] {
  const known = priced && listKnownAddresses(plan);
  if (priced === null || known === null) return [];
  const toKey = createAddressKey(plan);
  const blocks = new Set([...known].map(stripKeys));
  const strangers = [...priced].filter(
    ([name, stays]) =>
      !known.has(toKey(name)) && !name.endsWith(LEFT) && !(stays && blocks.has(stripKeys(name))),
  );
  return strangers.map(([name]) => ({ written: plan.maskKeys(name) }));
}

/** Why plan and estimate contradict each other, most likely. */
function describeCause({ hasWarnings, isComparisonStated }: SeenResources): string {
  if (hasWarnings)
    return "the estimate has errors or warnings, or is of other code, another commit or other variables";
  return isComparisonStated
    ? "the estimate may be of other code, another commit or other variables"
    : "the estimate may compare with nothing, or be of other code: make it with `infracost diff --compare-to`";
}

const moves =
  (address: string) =>
  ({ previous }: Planned): boolean =>
    previous === address;

/**
 * Whether a resource is no longer managed, and what is paid for it is unknown: the estimate has no past, or
 * its past does not have this one of a type that has a price. Of types that it counts without a price, it is free.
 */
function isForgottenUnpriced(
  { address, type, fate }: Planned,
  { seen, past }: { seen: SeenResources; past: Addresses },
): boolean {
  if ((fate !== "forgotten" && fate !== "abandoned") || !ESTIMATED_TYPES.test(type)) return false;
  if (past !== null) return !past.has(address) && !past.has(address + LEFT) && seen.pricedTypes.has(type);
  return (seen.unlisted?.[type] ?? 0) <= 0;
}

/**
 * Returns what exists after the plan and has to be in the estimate, and is not. Per type, the estimate may count
 * some without naming them; without such counts, only types are looked at that the estimate has a price for, and
 * of what stays unchanged only what had a price before. What stays unchanged may have another key in the estimate.
 */
function listUnseen(
  planned: readonly Planned[],
  { seen, past, present }: { seen: SeenResources; past: Addresses; present: ReadonlySet<string> },
): readonly Planned[] {
  const isCounted = seen.unlisted !== null || past === null;
  const expected = planned.filter(
    (one) =>
      (ESTIMATED_TYPES.test(one.type) || seen.pricedTypes.has(one.type)) &&
      isAfter(one) &&
      (one.isChanged || isCounted || past.has(one.previous ?? one.address)),
  );
  const own = new Set(planned.map(({ address }) => address));
  const otherKeys = new Set([...present].filter((address) => !own.has(address)).map(stripKeys));
  const missing = expected.filter(
    ({ address, previous, isChanged }) =>
      !present.has(address) &&
      (isChanged || past?.has(previous ?? address) || !otherKeys.has(stripKeys(address))),
  );
  return [...Map.groupBy(missing, ({ type }) => type)].flatMap(([type, own]) => {
    if (seen.unlisted !== null) return own.length > (seen.unlisted[type] ?? 0) ? own : [];
    return seen.pricedTypes.has(type) ? own : [];
  });
}

/**
 * An estimate that saw nothing: right only where nothing is left, which a plan shows that deletes or forgets
 * all that had a price.
 */
function listMissedAtAll(
  planned: readonly Planned[],
  { seen, past, plan }: { seen: SeenResources; past: Addresses; plan: PlanSnapshot },
): readonly string[] {
  const missed = planned.filter(({ type }) => ESTIMATED_TYPES.test(type));
  if (missed.length === 0) return [];
  const isGone = ({ fate }: Planned) => fate === "deleted" || fate === "forgotten";
  const gone = new Set(planned.filter(isGone).map(({ address }) => address));
  const isAllGone =
    missed.every(isGone) && past !== null && past.size > 0 && [...past].every((address) => gone.has(address));
  return isAllGone && !plan.errored && plan.incomplete === null && !seen.hasWarnings
    ? []
    : [`the estimate saw no resources, and the plan has ${missed.length}`];
}

type Addresses = ReadonlySet<string> | null;

const normaliseAll = (addresses: ReadonlySet<string>, plan: PlanSnapshot): ReadonlySet<string> =>
  new Set([...addresses].map(createAddressKey(plan)));

function describe(
  found: readonly Pick<Planned, "written">[],
  plan: string,
  estimate: string,
  cause: string,
): readonly string[] {
  if (found.length === 0) return [];
  const names = found.slice(0, NAMED).map(({ written }) => written);
  const more = found.length > NAMED ? ` and ${found.length - NAMED} more` : "";
  return [`${plan} ${names.join(", ")}${more} ${estimate}: ${cause}`];
}

/** Two amounts of one currency with at most this difference are the same amount, rounded differently. */
const ROUNDING = decimal("0.01");

/** Whether two amounts differ by more than rounding; a missing amount differs from none. */
export function isDifferent(a: Decimal | null, b: Decimal | null): boolean {
  return a !== null && b !== null && compare(absolute(minus(a, b)), ROUNDING) > 0;
}

/** Whether the change is not the difference between before and after. */
export function isChangeContradictory({ before, after, change }: EstimateDelta): boolean {
  return before !== null && after !== null && isDifferent(change, minus(after, before));
}

/** Whether the listed resources of a project do not add up to its totals. */
export function hasContradictoryParts(project: Project): boolean {
  return (
    hasWrongTotal(project.breakdown) || hasWrongTotal(project.pastBreakdown) || hasWrongTotal(project.diff)
  );
}

function hasWrongTotal(breakdown: Breakdown | null | undefined): boolean {
  if (breakdown == null) return false;
  return isDifferent(
    breakdown.totalMonthlyCost,
    sumAsEstimated(breakdown.resources.map(({ monthlyCost }) => monthlyCost)),
  );
}
