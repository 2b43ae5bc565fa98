import { computePercentChange, type Decimal, minus, plus, sum, ZERO } from "../../kernel/money.ts";
import { LEFT } from "../address.ts";
import { createAddressKey, listPlanned, type Planned } from "../plan/planned.ts";
import type { PlanSnapshot } from "../plan/snapshot.ts";
import { findRepeated } from "./estimate.ts";
import type { Breakdown, EstimateHead, Project, Resource } from "./estimate-parts.ts";

/**
 * Returns the estimate as it is with its plan, which knows what an estimate of code cannot know: a resource
 * that the code forgets is still paid for, so it stays in the cost afterwards; one that is only imported was
 * paid for already, so it is in the cost before; one that moves is the same resource under another address.
 * Addresses are spelled as in the plan, and its tags go before those of the estimate.
 * Both sides gain by the same amounts as the totals, so that after − before = change stays true. Projects
 * that do not list both sides are returned as they are. `at`: the plan is of this project; null: of one of
 * them, so what several of them have stays as it is.
 */
export function reconcileWithPlan(
  head: EstimateHead,
  projects: readonly Project[],
  { plan, at }: { readonly plan: PlanSnapshot; readonly at: number | null },
): { readonly head: EstimateHead; readonly projects: readonly Project[] } {
  const toKey = createAddressKey(plan);
  const shared = new Set(at === null ? [...findRepeated(projects)].map(toKey) : []);
  const planned = listPlanned(plan).filter(
    ({ address, previous }) => !shared.has(address) && !shared.has(previous ?? ""),
  );
  const all = projects.map((project, index) =>
    reconcileProject(project, at === null || at === index ? planned : [], toKey),
  );
  const still = sumAsEstimated(all.map((one) => one.stillPaid));
  const already = sumAsEstimated(all.map((one) => one.alreadyPaid));
  return {
    head: {
      ...head,
      totalMonthlyCost: addTo(head.totalMonthlyCost, still),
      pastTotalMonthlyCost: addTo(head.pastTotalMonthlyCost, already),
      diffTotalMonthlyCost: addTo(head.diffTotalMonthlyCost, minus(still, already)),
    },
    projects: all.map(({ project }) => project),
  };
}

const addTo = (total: Decimal | null, amount: Decimal): Decimal | null => total && plus(total, amount);

interface Reconciled {
  readonly project: Project;
  /** Monthly cost of what the code forgets and of what is only imported. */
  readonly stillPaid: Decimal;
  readonly alreadyPaid: Decimal;
}

function reconcileProject(
  project: Project,
  planned: readonly Planned[],
  toKey: (address: string) => string,
): Reconciled {
  const { pastBreakdown: past, breakdown: present, diff, pastFindings } = project;
  const fates = new Map(planned.map((one) => [one.address, one]));
  const presentResources = (present?.resources ?? []).map((resource) =>
    withPlan(resource, fates.get(toKey(resource.name)), "after"),
  );
  if (past == null || present == null) {
    const breakdown = present && { ...present, resources: presentResources };
    return { project: { ...project, breakdown }, stillPaid: ZERO, alreadyPaid: ZERO };
  }
  const has = ({ resources }: Breakdown, key: string) => resources.some(({ name }) => toKey(name) === key);
  const moves = new Map(
    planned.flatMap((one) => (one.previous === null ? [] : [[one.previous, one] as const])),
  );
  const spell = (name: string) => fates.get(toKey(name))?.written ?? name;

  const pastResources = past.resources.map((resource) => {
    const key = toKey(resource.name);
    const planOf = moves.get(key) ?? fates.get(key);
    const own = withPlan(resource, planOf, "before");
    return planOf?.fate === "abandoned" ? { ...own, name: `${own.name}${LEFT}` } : own;
  });
  const left = pastResources.filter(
    ({ name }) =>
      name.endsWith(LEFT) || (fates.get(toKey(name))?.fate === "forgotten" && !has(present, toKey(name))),
  );
  const imported = presentResources.filter(
    ({ name }) => fates.get(toKey(name))?.fate === "imported" && !has(past, toKey(name)),
  );
  const stillPaid = sumAsEstimated(left.map(({ monthlyCost }) => monthlyCost));
  const alreadyPaid = sumAsEstimated(imported.map(({ monthlyCost }) => monthlyCost));
  const before = { ...past, ...addResources(past, pastResources, imported, alreadyPaid) };
  const after = { ...present, ...addResources(present, presentResources, left, stillPaid) };
  const touched = new Set([
    ...moves.keys(),
    ...[...moves.values()].map(({ address }) => address),
    ...[...fates.values()].filter(({ fate }) => fate === "abandoned").map(({ address }) => address),
    ...[...left, ...imported].map(({ name }) => toKey(name)),
  ]);
  return {
    project: {
      ...project,
      pastBreakdown: before,
      breakdown: after,
      ...(pastFindings && {
        pastFindings: pastFindings.map((one) => {
          const moved = one.address === null ? undefined : moves.get(toKey(one.address));
          return moved === undefined ? one : { ...one, address: moved.written };
        }),
      }),
      diff: diff && {
        ...diff,
        totalMonthlyCost: addTo(diff.totalMonthlyCost, minus(stillPaid, alreadyPaid)),
        resources: [
          ...diff.resources
            .filter(({ name }) => !touched.has(toKey(name)))
            .map((one) => ({ ...one, name: spell(one.name) })),
          ...listDifferences(before, after, (name) => touched.has(toKey(name))),
        ],
      },
    },
    stillPaid,
    alreadyPaid,
  };
}

/** Returns the resource with its address and tags as the plan states them for this side. */
function withPlan(resource: Resource, planned: Planned | undefined, side: "before" | "after"): Resource {
  if (planned === undefined) return resource;
  const named = { ...resource, name: planned.written };
  const { tags } = planned;
  if (tags === undefined) return named;
  if (tags === "unsupported") return { ...named, tags };
  const own = side === "before" && tags.before !== undefined ? tags.before : tags.after;
  return { ...named, tags: own ?? resource.tags };
}

const addResources = (
  side: Breakdown,
  resources: readonly Resource[],
  added: readonly Resource[],
  amount: Decimal,
): Pick<Breakdown, "resources" | "totalMonthlyCost"> => ({
  resources: [...resources, ...added],
  totalMonthlyCost: addTo(side.totalMonthlyCost, amount),
});

/** The chosen resources in the form of the estimator's own difference; of a move that changes no price, none. */
export function listDifferences(
  before: Breakdown,
  after: Breakdown,
  isChosen: (name: string) => boolean,
): readonly Resource[] {
  const past = new Map(before.resources.map((resource) => [resource.name, resource]));
  const present = new Map(after.resources.map((resource) => [resource.name, resource]));
  const chosen = [...new Set([...past.keys(), ...present.keys()])].filter(isChosen);
  return chosen.flatMap((name): Resource[] => {
    const [old, own] = [past.get(name), present.get(name)];
    const any = own ?? old;
    if (any === undefined) return [];
    const isMovedOnly = old !== own && old !== undefined && own !== undefined && haveSamePrices(old, own);
    if (isMovedOnly) return [];
    // As in the estimator's own difference, an unknown cost counts as none; what it is, the two sides say.
    const monthlyCost = minus(own?.monthlyCost ?? ZERO, old?.monthlyCost ?? ZERO);
    return [{ ...any, monthlyCost, costComponents: [], subresources: [] }];
  });
}

const haveSamePrices = (a: Resource, b: Resource): boolean =>
  JSON.stringify({ ...a, name: "", tags: null }) === JSON.stringify({ ...b, name: "", tags: null });

/** A monthly cost before and after, and its change; null: not stated, which does not mean zero. */
export interface EstimateDelta {
  readonly before: Decimal | null;
  readonly after: Decimal | null;
  readonly change: Decimal | null;
}

/** Computes a missing amount from the other two. Stated amounts stay unchanged. */
export function completeDelta({ before, after, change }: EstimateDelta): EstimateDelta {
  return {
    before: before ?? (after !== null && change !== null ? minus(after, change) : null),
    after: after ?? (before !== null && change !== null ? plus(before, change) : null),
    change: change ?? (before !== null && after !== null ? minus(after, before) : null),
  };
}

/** Computes each of the three amounts separately. */
export const mapFields = (value: (field: keyof EstimateDelta) => Decimal | null): EstimateDelta => ({
  before: value("before"),
  after: value("after"),
  change: value("change"),
});

/**
 * Adds amounts as the estimator does: a usage-based cost without usage is not stated and adds nothing to a
 * total.
 */
export function sumAsEstimated(parts: readonly (Decimal | null)[]): Decimal {
  return sum(parts.filter((part) => part !== null));
}

/**
 * Formats the four members of the platform's cost shape, exact, with at least two decimals. An amount that is
 * not stated stays null.
 */
export function formatFigures(figures: EstimateDelta) {
  const { before, after } = figures;
  const percent = before === null || after === null ? null : computePercentChange(before, after);
  return {
    previous_monthly_cost: formatAmount(before),
    current_monthly_cost: formatAmount(after),
    diff_monthly_cost: formatAmount(figures.change),
    percentage_change_monthly_cost: percent === null ? null : Number(percent),
  };
}

/** Formats the same amounts under the member names of a stage's totals. */
export function formatTotals(figures: EstimateDelta) {
  const costs = formatFigures(figures);
  return {
    past_total_monthly_cost: costs.previous_monthly_cost,
    total_monthly_cost: costs.current_monthly_cost,
    diff_total_monthly_cost: costs.diff_monthly_cost,
    percentage_change_total_monthly_cost: costs.percentage_change_monthly_cost,
  };
}

export function formatAmount(value: Decimal | null): string | null {
  if (value === null) return null;
  const [whole, decimals = ""] = value.split(".");
  return `${whole}.${decimals.padEnd(2, "0")}`;
}
