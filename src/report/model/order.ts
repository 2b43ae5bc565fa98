import { absolute, compare, type Decimal } from "../../kernel/money.ts";
import type { CostDelta } from "./facts.ts";

/** Sorts by largest absolute change, equal ones by name; lines without a change come last. */
export const sortLargestFirst = <T extends Pick<CostDelta, "change">>(
  lines: readonly T[],
  nameOf: (line: T) => string,
): readonly T[] =>
  lines
    // Where the nearest doubles differ, they are in the order of their decimals: 10,000 resources are compared 130,000 times.
    .map((line) => ({ line, name: nameOf(line), rough: Math.abs(Number(line.change)) }))
    .sort((a, b) => b.rough - a.rough || compareSizes(b.line.change, a.line.change) || byText(a.name, b.name))
    .map(({ line }) => line);

/** Compares absolute amounts; an unknown one counts as the smallest. */
export const compareSizes = (a: Decimal | null, b: Decimal | null): number =>
  a === null || b === null ? Number(a !== null) - Number(b !== null) : compare(absolute(a), absolute(b));

/** Compares by code unit, independent of the locale. */
export const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
