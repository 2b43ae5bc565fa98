import { computePercentChange, type Decimal, minus, sum, sumKnown, ZERO } from "../kernel/money.ts";
import type { CostDelta, ModuleCost } from "./model/facts.ts";
import type { StageReport } from "./model/report.ts";
import { isRounding } from "./totals.ts";

/** A monthly cost in one currency: before a change, after it as estimated, and as applied. */
export interface ComparedCost {
  readonly before: Decimal;
  readonly estimated: Decimal;
  readonly actual: Decimal;
}

/**
 * Relates what an estimate missed to the change and to the whole cost, in percent with two places: positive where more is paid than
 * estimated, null where the estimated change, or the estimated cost, is at most a cent. A cent misses nothing.
 */
export function computeMiss({ before, estimated, actual }: ComparedCost) {
  const [estimatedChange, actualChange, miss] = [
    minus(estimated, before),
    minus(actual, before),
    minus(actual, estimated),
  ];
  const relate = (from: Decimal, to: Decimal) =>
    isRounding(miss) ? ZERO : isRounding(from) ? null : computePercentChange(from, to);
  return {
    ...{ estimatedChange, actualChange, miss },
    ...{ ofChange: relate(estimatedChange, actualChange), ofWhole: relate(estimated, actual) },
  };
}

/** The change of the monthly cost of one module or resource type of a workspace, as estimated and as applied. */
export interface PartComparison {
  readonly kind: "module" | "resource_type";
  readonly name: string;
  readonly currency: string;
  readonly estimated: Decimal;
  readonly actual: Decimal;
}

/** What parts of a workspace cost; null: unknown. `unchanged`: resources that `types` lacks, because their cost stays. */
interface StageParts {
  readonly currency: string | null;
  readonly modules: readonly ModuleCost[] | null;
  readonly types: readonly (CostDelta & { readonly type: string })[] | null;
  readonly unchanged?: readonly { readonly type: string; readonly cost: Decimal | null }[];
}

/** A workspace as an execution after the merge states it; `side`: which of its amounts are those after the merge, such as `amount`. */
export interface AppliedStage extends StageParts {
  readonly side: "before" | "after";
  readonly amount: Decimal;
}

/**
 * Compares the parts of a workspace that the estimate changes. Those of a kind are compared only where the parts before and after the merge
 * add up to the cost of the workspace, on both sides: then none is missing, and a part that is not listed costs nothing.
 */
export function compareParts(estimate: StageReport, applied: AppliedStage): readonly PartComparison[] {
  const { currency, before, after, modulesBecause } = estimate;
  const stated = modulesBecause === null ? estimate : { ...estimate, modules: null };
  return (["module", "resource_type"] as const).flatMap((kind) => {
    const parts = LISTS[kind](stated);
    const [from, to] = [sumParts(parts, "before", before), sumParts(parts, "after", after)];
    const now = sumParts(LISTS[kind](applied), applied.side, applied.amount);
    if (currency === null || currency !== applied.currency) return [];
    if (from === null || to === null || now === null) return [];
    return [...new Set(parts?.map(({ name }) => name))].flatMap((name): PartComparison[] => {
      const amounts = [from, to, now].map((state) => (state.has(name) ? state.get(name) : ZERO));
      const [old, planned, found] = amounts;
      if (old == null || planned == null || found == null) return [];
      const estimated = minus(planned, old);
      const actual = isRounding(minus(found, planned)) ? estimated : minus(found, old);
      return isRounding(estimated) ? [] : [{ kind, name, currency, estimated, actual }];
    });
  });
}

type Part = Pick<CostDelta, "before" | "after"> & { readonly name: string };

const LISTS: Readonly<Record<PartComparison["kind"], (stage: StageParts) => readonly Part[] | null>> = {
  module: ({ modules, currency }) =>
    modules?.every((one) => one.currency === currency) === true
      ? modules.map((one) => ({ ...one, name: one.module }))
      : null,
  resource_type: ({ types, unchanged = [] }) =>
    types && [
      ...types.map((one) => ({ ...one, name: one.type })),
      ...unchanged.map(({ type, cost }) => ({ name: type, before: cost, after: cost })),
    ],
};

/** The amounts by name, null where one is not stated; null: what is stated does not add up to the whole. */
function sumParts(parts: readonly Part[] | null, side: AppliedStage["side"], whole: Decimal | null) {
  if (parts === null || whole === null) return null;
  if (!isRounding(minus(sum(parts.flatMap((part) => part[side] ?? [])), whole))) return null;
  const groups = Map.groupBy(parts, ({ name }) => name);
  return new Map([...groups].map(([name, own]) => [name, sumKnown(own.map((part) => part[side]))] as const));
}
