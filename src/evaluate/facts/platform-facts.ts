import type { Decimal } from "../../kernel/money.ts";
import { parseDecimal } from "../../kernel/money.ts";
import type { PlatformClient } from "../../platform/client.ts";
import type {
  ComponentQuantity,
  CostChange,
  EstimatedResource,
  EstimatorResults,
  ModuleCosts,
  UsageNote,
} from "../../platform/contract/cost-changes.ts";
import type { ClientInput, Endpoint, EndpointOutput } from "../../platform/contract/endpoint.ts";
import type { Failure, PlatformResult } from "../../platform/errors.ts";
import type {
  ComponentCost,
  CostDelta,
  Fact,
  ListedResource,
  ModuleCost,
  ResourceGroup,
  StageCost,
  UnknownReason,
  UnpricedResources,
  UsageBasedResources,
} from "../../report/model/facts.ts";
import { normalizeModuleName } from "../../report/model/module-path.ts";

/** Converts a failure to the report's reason. "Not found" becomes "not read" here. */
export function toUnknownReason({ kind }: Pick<Failure, "kind">): UnknownReason {
  if (kind === "not_found") return "not_read";
  return kind === "rejected" ? "unavailable" : kind;
}

/** Returns a fact that could not be read. */
export const unknown = (reason: UnknownReason) => ({ state: "unknown", reason }) as const;

/** Thrown by what reads a fact that cannot be read: whoever asked for the fact makes an unknown one of it. */
export class UnreadError extends Error {
  readonly reason: UnknownReason;

  constructor(reason: UnknownReason) {
    super(`a fact cannot be read: ${reason}`);
    this.reason = reason;
  }
}

/**
 * Returns the value of the platform's answer.
 *
 * @throws UnreadError
 */
export function requireRead<T>(answer: PlatformResult<T>): T {
  if (answer.ok) return answer.value;
  throw new UnreadError(toUnknownReason(answer.failure));
}

/**
 * Returns the cost of one stage. A missing entry, 404 and an entry without a currency all mean that nothing
 * was estimated.
 */
export function toCostFact(answer: PlatformResult<CostChange | undefined>): Fact<StageCost> {
  if (!answer.ok) return unknown(toMissingReason("not_estimated", answer.failure));
  if (answer.value === undefined || answer.value.currency.trim() === "") return unknown("not_estimated");
  return { state: "known", value: toStageCost(answer.value) };
}

/** Returns the costs of one stage's modules, by the same rules. */
export function toModulesFact(answer: PlatformResult<ModuleCosts | undefined>): Fact<readonly ModuleCost[]> {
  if (!answer.ok) return unknown(toMissingReason("not_estimated", answer.failure));
  if (answer.value === undefined) return unknown("not_estimated");
  const modules = Object.entries(answer.value.modules).map(([module, cost]): ModuleCost => {
    return { module: normalizeModuleName(module), currency: normalizeCurrency(cost), ...toTotalDelta(cost) };
  });
  return modules.some(({ currency }) => currency === "")
    ? unknown("not_stated")
    : { state: "known", value: modules };
}

function toMissingReason(reason: UnknownReason, failure: Failure): UnknownReason {
  return failure.kind === "not_found" ? reason : toUnknownReason(failure);
}

function toStageCost(cost: CostChange): StageCost {
  const { estimate } = cost;
  return {
    currency: normalizeCurrency(cost),
    ...toTotalDelta(cost),
    completeness: estimate?.completeness ?? "unstated",
    ...(estimate?.comparison === undefined ? {} : { comparison: estimate.comparison }),
    problems: estimate?.problems ?? [],
    ...(estimate?.notices === undefined ? {} : { notices: estimate.notices }),
    groups: Object.entries(cost.diff).map(([type, group]) =>
      toResourceGroup(type, group, estimate?.quantities),
    ),
    unpriced: toUnpriced(estimate?.unpriced ?? null),
    ...(estimate?.usage === undefined ? {} : { usage: toUsageBased(estimate.usage) }),
    ...(estimate?.findings === undefined ? {} : { findings: toEstimatorResults(estimate.findings) }),
    ...(estimate?.resources === undefined ? {} : { listed: estimate.resources.map(toListed) }),
    ...(estimate?.places === undefined ? {} : { places: estimate.places }),
    partsAreWhole: estimate?.parts === "all",
  };
}

const toListed = ({ cost, tags, ...own }: EstimatedResource): ListedResource => ({
  ...own,
  ...(cost !== undefined && { cost: cost === null ? null : parseDecimal(cost) }),
  ...(tags !== undefined && { tags }),
});

const toEstimatorResults = ({ listed, ...counts }: EstimatorResults): StageCost["findings"] & object => ({
  ...counts,
  listed: listed.map((one) => ({ ...one, saving: one.saving === null ? null : parseDecimal(one.saving) })),
});

type Quantities = NonNullable<CostChange["estimate"]>["quantities"];

function toResourceGroup(
  type: string,
  group: CostChange["diff"][string],
  quantities: Quantities = {},
): ResourceGroup {
  const resources = group.diff.map(({ name, subresources, ...costs }) => {
    const components = Object.entries(subresources ?? {}).map(([part, own]): ComponentCost => {
      return { name: part, ...toResourceDelta(own), ...toQuantity(quantities[name]?.[part]) };
    });
    return { address: name, ...toResourceDelta(costs), components };
  });
  return { type, ...toResourceDelta(group), resources };
}

function toQuantity(stated: ComponentQuantity | undefined): Pick<ComponentCost, "quantity"> {
  if (stated === undefined) return {};
  const { unit, previous, current } = stated;
  const read = (text: string | null) => (text === null ? null : parseDecimal(text));
  return { quantity: { unit, before: read(previous), after: read(current) } };
}

type Costs = Pick<
  CostChange["diff"][string],
  "previous_monthly_cost" | "current_monthly_cost" | "diff_monthly_cost" | "percentage_change_monthly_cost"
>;

const toResourceDelta = (costs: Costs): CostDelta => ({
  before: costs.previous_monthly_cost,
  after: costs.current_monthly_cost,
  change: costs.diff_monthly_cost,
  percent: costs.percentage_change_monthly_cost,
});

const toTotalDelta = (cost: CostChange): CostDelta => ({
  before: cost.past_total_monthly_cost,
  after: cost.total_monthly_cost,
  change: cost.diff_total_monthly_cost,
  percent: cost.percentage_change_total_monthly_cost,
});

const normalizeCurrency = ({ currency }: CostChange): string => currency.trim().toUpperCase();

const toUsageBased = ({ resources, unnamed, unnamed_unchanged }: UsageNote): UsageBasedResources => ({
  resources,
  unnamed,
  unnamedUnchanged: unnamed_unchanged,
});

function toUnpriced(types: Readonly<Record<string, number>> | null): UnpricedResources | null {
  if (types === null) return null;
  return { types, count: Object.values(types).reduce((sum, count) => sum + count, 0) };
}

/** Repeats a read with method POST once if the platform is unavailable: the client never repeats a POST, which might write. */
export async function callWithRetry<E extends Endpoint>(
  platform: PlatformClient,
  endpoint: E,
  input: ClientInput<E>,
): Promise<PlatformResult<EndpointOutput<E>>> {
  const first = await platform.call(endpoint, input);
  return first.ok || first.failure.kind !== "unavailable" ? first : platform.call(endpoint, input);
}

/** Largest plausible amount; a double does not represent millionths of larger ones. */
const MAX = 1e15;

/**
 * Converts an amount that a service states as a number, rounded to the millionth; null: not a reliable
 * amount.
 */
export function toDecimal(value: number | null | undefined): Decimal | null {
  if (value === null || value === undefined || !(Math.abs(value) <= MAX)) return null;
  return parseDecimal(String(value)) ?? parseDecimal(value.toFixed(6));
}
