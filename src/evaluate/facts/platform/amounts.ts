import { type Decimal, parseDecimal } from "../../../kernel/money.ts";

/** Amounts beyond it nobody spends; a double holds them to the millionth no longer. */
const MAX = 1e15;

/** An amount that a service writes as a number, to the millionth at most; null: none that can be relied on. */
export function decimalOf(value: number | null | undefined): Decimal | null {
  if (value === null || value === undefined || !(Math.abs(value) <= MAX)) return null;
  return parseDecimal(String(value)) ?? parseDecimal(value.toFixed(6));
}
