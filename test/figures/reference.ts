import { millionthsOf } from "./files.ts";

/** What a file says of one workspace or of all together, in millionths per month, read without any code of ours. */
export interface Figures {
  readonly before: bigint;
  readonly after: bigint;
  readonly change: bigint;
}

interface Breakdown {
  readonly totalMonthlyCost: string;
  readonly resources: readonly {
    readonly name: string;
    readonly monthlyCost: string | null;
    readonly costComponents: readonly { readonly monthlyCost: string | null }[];
  }[];
}

interface EstimateFile {
  readonly currency: string;
  readonly projects: readonly {
    readonly name: string;
    readonly pastBreakdown: Breakdown;
    readonly breakdown: Breakdown;
    readonly diff: Breakdown;
    readonly summary: { readonly unsupportedResourceCounts: Readonly<Record<string, number>> };
  }[];
  readonly pastTotalMonthlyCost: string;
  readonly totalMonthlyCost: string;
  readonly diffTotalMonthlyCost: string;
}

interface PlanFile {
  readonly resource_changes: readonly { readonly change: { readonly actions: readonly string[] } }[];
}

export interface Files {
  readonly estimate: EstimateFile;
  readonly plans: readonly PlanFile[];
}

export function totals({ estimate }: Files): Figures {
  return {
    before: millionthsOf(estimate.pastTotalMonthlyCost),
    after: millionthsOf(estimate.totalMonthlyCost),
    change: millionthsOf(estimate.diffTotalMonthlyCost),
  };
}

export const workspaces = ({ estimate }: Files): ReadonlyMap<string, Figures> =>
  new Map(
    estimate.projects.map(({ name, pastBreakdown, breakdown, diff }) => [
      name,
      {
        before: millionthsOf(pastBreakdown.totalMonthlyCost),
        after: millionthsOf(breakdown.totalMonthlyCost),
        change: millionthsOf(diff.totalMonthlyCost),
      },
    ]),
  );

/** What each module costs: its path is the address without the resource and without keys, `root` for none. */
export function modules({ estimate }: Files): ReadonlyMap<string, Figures> {
  const costs = estimate.projects.flatMap(({ pastBreakdown, breakdown }) => [
    ...costsOf(pastBreakdown).map(({ path, cost }) => ({ path, before: cost, after: 0n })),
    ...costsOf(breakdown).map(({ path, cost }) => ({ path, before: 0n, after: cost })),
  ]);
  const paths = Map.groupBy(costs, ({ path }) => path);
  return new Map([...paths].map(([path, own]) => [path, summed(own)]));
}

const costsOf = ({ resources }: Breakdown) =>
  resources.map(({ name, monthlyCost }) => ({
    path: modulePathOf(name),
    cost: monthlyCost === null ? 0n : millionthsOf(monthlyCost),
  }));

function summed(costs: readonly Pick<Figures, "before" | "after">[]): Figures {
  const before = costs.reduce((sum, own) => sum + own.before, 0n);
  const after = costs.reduce((sum, own) => sum + own.after, 0n);
  return { before, after, change: after - before };
}

const modulePathOf = (address: string): string =>
  [...address.matchAll(/module\.([a-z]+)/g)].map(([, name]) => name).join(".") || "root";

export interface Counts {
  readonly added: number;
  readonly changed: number;
  readonly deleted: number;
  readonly replaced: number;
}

export function counts({ plans }: Files): Counts {
  const actions = plans.flatMap((plan) => plan.resource_changes.map(({ change }) => change.actions.join()));
  const of = (...wanted: readonly string[]) => actions.filter((action) => wanted.includes(action)).length;
  return {
    added: of("create", "delete,create"),
    changed: of("update"),
    deleted: of("delete", "delete,create"),
    replaced: of("delete,create"),
  };
}

/** Whether a resource that the difference lists has a component without a cost afterwards. */
const lacksUsage = ({ estimate }: Files): boolean =>
  estimate.projects.some(({ breakdown, diff }) => {
    const touched = new Set(diff.resources.map(({ name }) => name));
    return breakdown.resources.filter(({ name }) => touched.has(name)).some(isOpen);
  });

/** Whether nobody knows what something cost before that is deleted, or whose usage is given only now: how much the cost falls. */
const endsUsage = ({ estimate }: Files): boolean =>
  estimate.projects.some(({ pastBreakdown, breakdown }) => {
    const open = new Set(breakdown.resources.filter(isOpen).map(({ name }) => name));
    return pastBreakdown.resources.filter(isOpen).some(({ name }) => !open.has(name));
  });

const isOpen = ({ costComponents }: Breakdown["resources"][number]): boolean =>
  costComponents.some(({ monthlyCost }) => monthlyCost === null);

/** `warned`: above a ceiling already before the change, which does not raise it. */
export type Outcome = "passed" | "warned" | "unknown" | "violated";

/** `amount`: whole units of the currency. */
export function changeOutcome(files: Files, kind: "increase" | "decrease", amount: number): Outcome {
  if (lacksUsage(files) || (kind === "decrease" && endsUsage(files))) return "unknown";
  const { change } = totals(files);
  const risen = kind === "increase" ? change : -change;
  return risen > BigInt(amount) * 1_000_000n ? "violated" : "passed";
}

/** `amount`: whole units of the currency. */
export function totalOutcome(files: Files, amount: number): Outcome {
  if (lacksUsage(files)) return "unknown";
  const { after, change } = totals(files);
  if (after <= BigInt(amount) * 1_000_000n) return "passed";
  return change > 0n ? "violated" : "warned";
}

/** `percent`: a whole number. */
export function percentOutcome(files: Files, percent: number): Outcome {
  if (lacksUsage(files)) return "unknown";
  const { before, change } = totals(files);
  if (before === 0n) return change > 0n ? "violated" : "passed";
  return change * 100n > BigInt(percent) * before ? "violated" : "passed";
}
