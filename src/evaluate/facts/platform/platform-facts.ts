import { parseDecimal } from "../../../kernel/money.ts";
import type {
  ComponentQuantity,
  CostChange,
  ModuleCosts,
  UsageNote,
} from "../../../platform/contract/cost-changes.ts";
import type { Failure, PlatformResult } from "../../../platform/errors.ts";
import type {
  ComponentCost,
  CostDelta,
  Fact,
  ModuleCost,
  ResourceGroup,
  StageCost,
  UnknownReason,
  Unpriced,
  UsageBased,
} from "../../../report/model/facts.ts";
import { moduleName } from "../../../report/model/module-path.ts";

/** Why nothing is known, in the words of the report. An answer that says "there is none" says here that nobody looked. */
export function unknownReason({ kind }: Pick<Failure, "kind">): UnknownReason {
  if (kind === "not_found") return "not_read";
  return kind === "rejected" ? "unavailable" : kind;
}

/** A fact that could not be read. */
export const unknown = (reason: UnknownReason) => ({ state: "unknown", reason }) as const;

/** What one stage costs. No entry, 404 and an entry without a currency all mean that nothing was estimated. */
export function costFact(answer: PlatformResult<CostChange | undefined>): Fact<StageCost> {
  if (!answer.ok) return unknown(notFoundAs("not_estimated", answer.failure));
  if (answer.value === undefined || answer.value.currency.trim() === "") return unknown("not_estimated");
  return { state: "known", value: stageCost(answer.value) };
}

/** What the modules of one stage cost; the same rules. */
export function modulesFact(answer: PlatformResult<ModuleCosts | undefined>): Fact<readonly ModuleCost[]> {
  if (!answer.ok) return unknown(notFoundAs("not_estimated", answer.failure));
  if (answer.value === undefined) return unknown("not_estimated");
  const modules = Object.entries(answer.value.modules).map(([module, cost]): ModuleCost => {
    return { module: moduleName(module), currency: currencyOf(cost), ...totalsOf(cost) };
  });
  return modules.some(({ currency }) => currency === "")
    ? unknown("not_stated")
    : { state: "known", value: modules };
}

function notFoundAs(reason: UnknownReason, failure: Failure): UnknownReason {
  return failure.kind === "not_found" ? reason : unknownReason(failure);
}

function stageCost(cost: CostChange): StageCost {
  const { estimate } = cost;
  return {
    currency: currencyOf(cost),
    ...totalsOf(cost),
    completeness: estimate?.completeness ?? "unstated",
    problems: estimate?.problems ?? [],
    groups: Object.entries(cost.diff).map(([type, group]) =>
      resourceGroup(type, group, estimate?.quantities),
    ),
    unpriced: unpricedIn(estimate?.unpriced ?? null),
    ...(estimate?.usage === undefined ? {} : { usage: usageIn(estimate.usage) }),
    partsAreWhole: estimate?.parts === "all",
  };
}

type Quantities = NonNullable<CostChange["estimate"]>["quantities"];

function resourceGroup(
  type: string,
  group: CostChange["diff"][string],
  quantities: Quantities = {},
): ResourceGroup {
  const resources = group.diff.map(({ name, subresources, ...costs }) => {
    const components = Object.entries(subresources ?? {}).map(([part, own]): ComponentCost => {
      return { name: part, ...amountsOf(own), ...quantityOf(quantities[name]?.[part]) };
    });
    return { address: name, ...amountsOf(costs), components };
  });
  return { type, ...amountsOf(group), resources };
}

function quantityOf(stated: ComponentQuantity | undefined): Pick<ComponentCost, "quantity"> {
  if (stated === undefined) return {};
  const { unit, previous, current } = stated;
  const read = (text: string | null) => (text === null ? null : parseDecimal(text));
  return { quantity: { unit, before: read(previous), after: read(current) } };
}

type Costs = Pick<
  CostChange["diff"][string],
  "previous_monthly_cost" | "current_monthly_cost" | "diff_monthly_cost" | "percentage_change_monthly_cost"
>;

const amountsOf = (costs: Costs): CostDelta => ({
  before: costs.previous_monthly_cost,
  after: costs.current_monthly_cost,
  change: costs.diff_monthly_cost,
  percent: costs.percentage_change_monthly_cost,
});

const totalsOf = (cost: CostChange): CostDelta => ({
  before: cost.past_total_monthly_cost,
  after: cost.total_monthly_cost,
  change: cost.diff_total_monthly_cost,
  percent: cost.percentage_change_total_monthly_cost,
});

const currencyOf = ({ currency }: CostChange): string => currency.trim().toUpperCase();

const usageIn = ({ resources, unnamed, unnamed_unchanged }: UsageNote): UsageBased => ({
  resources,
  unnamed,
  unnamedUnchanged: unnamed_unchanged,
});

function unpricedIn(types: Readonly<Record<string, number>> | null): Unpriced | null {
  if (types === null) return null;
  return { types, count: Object.values(types).reduce((sum, count) => sum + count, 0) };
}
