import { LEFT, parseAddress } from "../address.ts";
import { createAddressKey, listPlanned, type Planned } from "../plan/planned.ts";
import type { PlanSnapshot } from "../plan/snapshot.ts";
import type { EstimateStage, SeenResources } from "./estimate.ts";

/**
 * Matches resource types that the estimator counts, with or without a price. It ignores those of other
 * providers.
 */
const ESTIMATED_TYPES = /^(aws|google|azurerm)_/;

/** How many addresses a problem names. */
const NAMED = 3;

/**
 * Compares an estimate with the plan of the same code, by address. Where they contradict each other, the
 * estimate belongs to other code, another commit or other variables: its figures are no figures of this plan,
 * and it is partial. That something has no price in the past is no contradiction, because free resources are
 * not listed there.
 */
export function checkAgainstPlan(stage: EstimateStage, plan: PlanSnapshot): EstimateStage {
  const { estimate } = stage.cost;
  if (estimate === undefined) return stage;
  const found = listContradictions(stage, plan);
  if (found.length === 0) return stage;
  const problems = [...estimate.problems, ...found];
  return { ...stage, cost: { ...stage.cost, estimate: { ...estimate, completeness: "partial", problems } } };
}

function listContradictions({ seen, detected }: EstimateStage, plan: PlanSnapshot): readonly string[] {
  const planned = listPlanned(plan);
  const past = normaliseAll(seen.past, plan);
  const present = normaliseAll(seen.present, plan);
  const created = planned.filter(({ fate }) => fate === "created");
  const pricedBefore = created.filter(({ address }) => past?.has(address) && !planned.some(moves(address)));
  const pricedAfter = planned.filter(({ address, fate }) => fate === "deleted" && present?.has(address));
  const unseen = present === null ? [] : listUnseen(planned, { seen, past, present });
  const cause = seen.isComparisonStated
    ? "the estimate may be of other code, another commit or other variables"
    : "the estimate may compare with nothing, or be of other code: make it with `infracost diff --compare-to`";
  return [
    ...describe(pricedBefore, "the plan creates", "and the estimate has a price for it before", cause),
    ...describe(pricedAfter, "the plan deletes", "and the estimate has a price for it afterwards", cause),
    ...describe(
      planned.filter((one) => isForgottenUnpriced(one, { seen, past })),
      "the plan forgets",
      "which is still paid for, and the estimate has no price of it",
      past === null ? "it is of the new state only" : cause,
    ),
    ...describe(unseen, "the plan has", "afterwards and the estimate does not", cause),
    ...(unseen.length === 0 && detected === 0 ? listMissedAtAll(planned, { seen, past, plan }) : []),
  ];
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
 * Returns what exists after the plan and has to be in the estimate, and is not: created and changed resources,
 * and those that stay and had a price. Per type, the estimate may count some without naming them; without
 * such counts, only types are looked at that the estimate has a price for.
 */
function listUnseen(
  planned: readonly Planned[],
  { seen, past, present }: { seen: SeenResources; past: Addresses; present: ReadonlySet<string> },
): readonly Planned[] {
  const had = ({ address, previous }: Planned) => past?.has(previous ?? address) === true;
  const expected = planned.filter(
    (one) =>
      ESTIMATED_TYPES.test(one.type) &&
      (one.fate === "created" || (isKept(one) && (one.isChanged || had(one)))),
  );
  const missing = expected.filter(({ address }) => !present.has(address));
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
  const missed = planned.filter(({ type, isChanged }) => isChanged && ESTIMATED_TYPES.test(type));
  if (missed.length === 0) return [];
  const isGone = ({ fate }: Planned) => fate === "deleted" || fate === "forgotten";
  const gone = new Set(planned.filter(isGone).map(({ address }) => address));
  const isAllGone =
    missed.every(isGone) &&
    past !== null &&
    past.size > 0 &&
    [...past].every((address) => gone.has(address) || parseAddress(address) === null);
  return isAllGone && !plan.errored && plan.incomplete === null && !seen.hasWarnings
    ? []
    : [`the estimate saw no resources, and the plan changes ${missed.length}`];
}

const isKept = ({ fate }: Planned): boolean => fate === "kept" || fate === "imported";

type Addresses = ReadonlySet<string> | null;

const normaliseAll = (addresses: Addresses, plan: PlanSnapshot): Addresses =>
  addresses && new Set([...addresses].map(createAddressKey(plan)));

function describe(
  found: readonly Planned[],
  plan: string,
  estimate: string,
  cause: string,
): readonly string[] {
  if (found.length === 0) return [];
  const names = found.slice(0, NAMED).map(({ written }) => written);
  const more = found.length > NAMED ? ` and ${found.length - NAMED} more` : "";
  return [`${plan} ${names.join(", ")}${more} ${estimate}: ${cause}`];
}
