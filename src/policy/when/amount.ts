import { compare, type Decimal, minus, negate, parseDecimal, plus, times } from "../../kernel/money.ts";

/** Money per month in an expression: an exact decimal with a currency. */
export class ConditionAmount {
  readonly value: Decimal;
  /** Null: without a currency, e.g. the sum of nothing. */
  readonly currency: string | null;
  constructor(value: Decimal, currency: string | null) {
    this.value = value;
    this.currency = currency;
  }
}

/** A number in an expression: `500` is a bigint; `0.1` is a double whose shortest text is the written one. */
export type AmountOperand = bigint | number | ConditionAmount;

const toDecimal = (value: AmountOperand): Decimal => {
  if (value instanceof ConditionAmount) return value.value;
  const parsed = parseDecimal(typeof value === "bigint" ? `${value}` : formatPlainNumber(value));
  return parsed ?? throwNotFinite();
};

/**
 * A double in decimal notation: very small and very large ones convert to text with an exponent, which
 * decimals do not accept.
 */
export function formatPlainNumber(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(20).replace(/\.?0+$/, "") : text;
}

function throwNotFinite(): Decimal {
  throw new RangeError("a number in the expression is too large to compare with money");
}

const findCurrency = (value: AmountOperand): string | null =>
  value instanceof ConditionAmount ? value.currency : null;

/**
 * The common currency of two values; a number without a currency takes that of the other. Throws for two
 * different currencies.
 */
function findSharedCurrency(a: AmountOperand, b: AmountOperand): string | null {
  const [one, other] = [findCurrency(a), findCurrency(b)];
  if (one !== null && other !== null && one !== other)
    throw new RangeError(`amounts in ${one} and ${other} are never added or compared`);
  return one ?? other;
}

const createOperation =
  (work: (a: Decimal, b: Decimal) => Decimal) =>
  (a: AmountOperand, b: AmountOperand): ConditionAmount => {
    const currency = findSharedCurrency(a, b);
    return new ConditionAmount(work(toDecimal(a), toDecimal(b)), currency);
  };

export const add = createOperation(plus);
export const subtract = createOperation(minus);
export const multiply = createOperation(times);
export const negateAmount = ({ value, currency }: ConditionAmount): ConditionAmount =>
  new ConditionAmount(negate(value), currency);

/** Negative, zero or positive when `a` is below, equal to or above `b`. */
export function compareAmounts(a: AmountOperand, b: AmountOperand): number {
  findSharedCurrency(a, b);
  return compare(toDecimal(a), toDecimal(b));
}
