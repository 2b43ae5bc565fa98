import { absolute, compare, type Decimal } from "../../kernel/money.ts";
import type { CostDelta } from "./facts.ts";

/** Sorts by largest absolute change, equal ones by name; lines without a change come last. */
export function sortLargestFirst<T extends Pick<CostDelta, "change">>(
  lines: readonly T[],
  nameOf: (line: T) => string,
): readonly T[] {
  const weighed = lines.map((line) => ({ line, name: nameOf(line), ...weighChange(line.change) }));
  return weighed.sort(byWeight).map(({ line }) => line);
}

interface Weight {
  /** Orders most lines without exact arithmetic, which is slow. */
  readonly rough: number;
  readonly exact: Decimal | null;
}

const weighChange = (change: Decimal | null): Weight =>
  change === null ? { rough: -1, exact: null } : { rough: Math.abs(Number(change)), exact: absolute(change) };

function byWeight(a: Weight & { readonly name: string }, b: Weight & { readonly name: string }): number {
  if (a.rough !== b.rough) return b.rough - a.rough; // rounding to a double keeps the order
  if (a.exact !== b.exact && a.exact !== null && b.exact !== null) return compare(b.exact, a.exact);
  return byText(a.name, b.name);
}

/** Compares by code unit, independent of the locale. */
export const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
