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
} from "../../kernel/money.ts";
import type { CostDelta } from "../model/facts.ts";

/** Amounts this close are the same amount rounded differently: sources state at least two decimals. */
const ROUNDING = decimal("0.01");

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

/**
 * Returns the amounts with the stated percentage; where none is stated, or none can exist, computes it from
 * the amounts.
 */
export function withPercent(amounts: CostDelta): CostDelta {
  const { before, after, percent } = amounts;
  const isStated = percent !== null && before !== ZERO;
  return isStated ? amounts : { ...amounts, percent: computePercent(before, after) };
}

/** Whether the change differs from after minus before beyond rounding. Unstated amounts contradict nothing. */
export function isDeltaContradictory({ before, after, change }: CostDelta): boolean {
  return isDifferent(subtractKnown(after, before), change);
}

/**
 * Whether fully listed parts do not add up, beyond rounding. A part without an amount has no price and is
 * in no total either.
 */
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
