import { type Decimal, parseDecimal } from "../../../kernel/money.ts";

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
