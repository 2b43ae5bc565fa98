import {
  absolute,
  compare,
  computePercentChange,
  type Decimal,
  decimal,
  minus,
  sum,
  sumKnown,
  ZERO,
} from "../kernel/money.ts";
import type { CostDelta, RefusedExecution, UnknownReason } from "./model/facts.ts";
import { sortLargestFirst } from "./model/order.ts";
import type { CostState, StageReport, TotalReport } from "./model/report.ts";
import { sumUsage } from "./usage.ts";

/**
 * One total per currency over all stages. A stage of unknown cost may cost anything in any currency, so it makes the amounts of
 * every total unknown; an execution that may not be shown makes every total partial.
 */
export function sumTotals(
  stages: readonly StageReport[],
  refused: readonly RefusedExecution[],
): readonly TotalReport[] {
  const unknown = stages.filter(({ currency }) => currency === null);
  const currencies = new Set(stages.flatMap(({ currency }) => currency ?? []));
  const totals = [...currencies].map((currency): TotalReport => {
    const parts = [...stages.filter((stage) => stage.currency === currency), ...unknown];
    return {
      ...sumAmounts(parts),
      currency,
      usage: sumUsage(parts),
      ...combineConfidence([...parts, ...listUnseenDoubts(refused)]),
    };
  });
  return sortLargestFirst(totals, ({ currency }) => currency);
}

/** Sums the amounts; a single stage has the percentage that its source states. */
function sumAmounts(parts: readonly StageReport[]) {
  const [first, ...others] = parts;
  if (first === undefined || others.length > 0) return sumDeltas(parts);
  const { before, after, change, percent } = first;
  return { before, after, change, percent };
}

/** Doubts about sums that omit executions which this repository may not see. Executions of other accounts do not belong to this pull request. */
export function listUnseenDoubts(refused: readonly RefusedExecution[]): readonly CostConfidence[] {
  return refused.some(({ reason }) => reason === "not_granted")
    ? [{ state: "partial", because: ["not_granted"] }]
    : [];
}

/** Amounts this close are the same amount rounded differently: sources state at least two decimals. */
export const ROUNDING = decimal("0.01");

export const UNKNOWN_DELTA: CostDelta = { before: null, after: null, change: null, percent: null };

/** The exact sums, each null when one part does not state it; the percentage is that of the sums. */
export function sumDeltas(parts: readonly CostDelta[]): CostDelta {
  const before = sumKnown(parts.map((part) => part.before));
  const after = sumKnown(parts.map((part) => part.after));
  const change = sumKnown(parts.map((part) => part.change));
  return { before, after, change, percent: computePercent(before, after) };
}

/** `whole` minus `parts`; null where one of them is not stated. */
export function subtractParts(whole: CostDelta, parts: CostDelta): CostDelta {
  const before = subtractKnown(whole.before, parts.before);
  const after = subtractKnown(whole.after, parts.after);
  return {
    before,
    after,
    change: subtractKnown(whole.change, parts.change),
    percent: computePercent(before, after),
  };
}

/** Returns the amounts with the stated percentage; where none is stated, or none can exist, computes it from the amounts. */
export function withPercent(amounts: CostDelta): CostDelta {
  const { before, after, percent } = amounts;
  const isStated = percent !== null && before !== ZERO;
  return isStated ? amounts : { ...amounts, percent: computePercent(before, after) };
}

/** Whether the change differs from after minus before beyond rounding. Unstated amounts contradict nothing. */
export function isDeltaContradictory({ before, after, change }: CostDelta): boolean {
  return isDifferent(subtractKnown(after, before), change);
}

/** Whether fully listed parts do not add up, beyond rounding. A part without an amount has no price and is in no total either. */
export function isContradictedByParts(whole: CostDelta, parts: readonly CostDelta[]): boolean {
  return (["before", "after", "change"] as const).some((which) => {
    const stated = parts.map((part) => part[which]).filter((amount) => amount !== null);
    return isDifferent(whole[which], sum(stated));
  });
}

export const isStatedInFull = ({ before, after, change }: CostDelta): boolean =>
  before !== null && after !== null && change !== null;

/** Whether rounding explains an amount; null: false. */
export const isRounding = (amount: Decimal | null): boolean =>
  amount !== null && compare(absolute(amount), ROUNDING) <= 0;

const isDifferent = (a: Decimal | null, b: Decimal | null): boolean =>
  a !== null && b !== null && !isRounding(minus(a, b));

const subtractKnown = (a: Decimal | null, b: Decimal | null): Decimal | null =>
  a === null || b === null ? null : minus(a, b);

const computePercent = (before: Decimal | null, after: Decimal | null): Decimal | null =>
  before === null || after === null ? null : computePercentChange(before, after);

/** How reliable a cost is, and what limits its reliability. */
export interface CostConfidence {
  readonly state: CostState;
  readonly because: readonly UnknownReason[];
}

export const KNOWN_CONFIDENCE: CostConfidence = { state: "known", because: [] };
/** Of amounts in several currencies, which have no sum. */
export const OTHER_CURRENCY: CostConfidence = { state: "inconsistent", because: [] };

const SEVERITY: Readonly<Record<CostState, number>> = { known: 0, partial: 1, inconsistent: 2, unknown: 3 };

/** A sum is as reliable as its least reliable part, with the reasons of all parts; the sum of no parts is known. */
export function combineConfidence(parts: Iterable<CostConfidence>): CostConfidence {
  let state: CostState = "known";
  const because = new Set<UnknownReason>();
  for (const part of parts) {
    if (part.state === "known") continue;
    if (SEVERITY[part.state] > SEVERITY[state]) state = part.state;
    for (const reason of part.because) because.add(reason);
  }
  return state === "known" ? KNOWN_CONFIDENCE : { state, because: [...because] };
}
