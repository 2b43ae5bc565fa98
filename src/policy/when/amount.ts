import { type Decimal, minus, negate, parseDecimal, plus, times } from "../../kernel/money.ts";

/** Money per month in an expression: an exact decimal. Its currency stands beside it. */
export class Amount {
  readonly value: Decimal;
  constructor(value: Decimal) {
    this.value = value;
  }
}

/** A number as it stands in an expression: `500` is a bigint, `0.1` a double whose shortest text is what was written. */
export type Literal = bigint | number | Amount;

export const decimalOf = (value: Literal): Decimal => {
  if (value instanceof Amount) return value.value;
  const parsed = parseDecimal(typeof value === "bigint" ? `${value}` : plainText(value));
  return parsed ?? notFinite();
};

/** Very small and large doubles write themselves with an exponent, which a decimal has not. */
function plainText(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(20).replace(/\.?0+$/, "") : text;
}

function notFinite(): Decimal {
  throw new RangeError("a number in the expression is too large to compare with money");
}

export const add = (a: Literal, b: Literal): Amount => new Amount(plus(decimalOf(a), decimalOf(b)));
export const subtract = (a: Literal, b: Literal): Amount => new Amount(minus(decimalOf(a), decimalOf(b)));
export const multiply = (a: Literal, b: Literal): Amount => new Amount(times(decimalOf(a), decimalOf(b)));
export const negative = (a: Amount): Amount => new Amount(negate(a.value));
