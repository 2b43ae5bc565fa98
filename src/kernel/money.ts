import Big from "big.js";

/** An exact decimal number as text, in canonical form: no exponent, no leading zeros, no trailing zeros, never "-0". */
export type Decimal = string & { readonly brand: "Decimal" };

/** An amount per month in one currency (ISO 4217 code in upper case, e.g. "USD"). Amounts of two currencies are never added. */
export interface Money {
  readonly amount: Decimal;
  readonly currency: string;
}

const PLAIN = /^-?(0|[1-9]\d*)(\.\d+)?$/;
/** Longest text that is read, in characters: no bill contains longer ones, and arithmetic on them is slow. */
const MAX_LENGTH = 64;

/**
 * Parses a decimal number in plain notation ("12", "-0.50"). Anything else (exponents, separators, "NaN", "",
 * blanks, digits of other scripts, more than 64 characters) is null. Callers must treat null as unknown,
 * never as zero.
 */
export function parseDecimal(text: string): Decimal | null {
  if (text.length > MAX_LENGTH || !PLAIN.test(text)) return null;
  const digits = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  return (digits === "-0" ? "0" : digits) as Decimal; // the pattern leaves only trailing zeros and "-0" to normalise
}

/** Returns a literal as a decimal; throws on anything else. For constants and tests. */
export function decimal(text: string): Decimal {
  const value = parseDecimal(text);
  if (value === null) throw new RangeError(`not a decimal number: ${JSON.stringify(text)}`);
  return value;
}

export const ZERO: Decimal = decimal("0");
export const HUNDRED: Decimal = decimal("100");

export const plus = (a: Decimal, b: Decimal): Decimal => toCanonicalDecimal(new Big(a).plus(b));
export const minus = (a: Decimal, b: Decimal): Decimal => toCanonicalDecimal(new Big(a).minus(b));
export const times = (a: Decimal, b: Decimal): Decimal => toCanonicalDecimal(new Big(a).times(b));
/** Returns `value` times `numerator` divided by `denominator`, which is not zero, rounded to ten places. */
export const scale = (value: Decimal, numerator: Decimal, denominator: Decimal): Decimal =>
  toCanonicalDecimal(new Big(value).times(numerator).div(denominator).round(10, Big.roundHalfUp));
export const negate = (a: Decimal): Decimal =>
  a === ZERO ? a : isNegative(a) ? absolute(a) : (`-${a}` as Decimal); // canonical except for its sign
export const absolute = (a: Decimal): Decimal => (isNegative(a) ? (a.slice(1) as Decimal) : a); // canonical except for its sign

const isNegative = (a: Decimal): boolean => a.startsWith("-");

/** Compares two decimals: -1 when `a` is less than `b`, 0 when they are equal, 1 when it is greater. */
export function compare(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const [left, right] = [Number(a), Number(b)]; // rounding to a double keeps the order, so only equal doubles need exact arithmetic
  if (left !== right) return left < right ? -1 : 1;
  return a === b ? 0 : new Big(a).cmp(b);
}

/** Returns the exact sum; the sum of no values is zero. */
export const sum = (values: Iterable<Decimal>): Decimal =>
  toCanonicalDecimal([...values].reduce((total, value) => total.plus(value), new Big(0)));

/** Returns the exact sum; null when one value is null: unknown is never zero. */
export function sumKnown(values: Iterable<Decimal | null>): Decimal | null {
  const known: Decimal[] = [];
  for (const value of values) {
    if (value === null) return null;
    known.push(value);
  }
  return sum(known);
}

/**
 * Rounds half away from zero to `places` digits after the point and writes them all ("1.5" at 2 is "1.50").
 */
export const toPlaces = (value: Decimal, places: number): string => {
  const rounded = new Big(value).toFixed(places, Big.roundHalfUp);
  return /^-0(\.0*)?$/.test(rounded) ? rounded.slice(1) : rounded;
};

/** The value rounded half away from zero to `places` digits after the point. */
export const roundTo = (value: Decimal, places: number): Decimal =>
  toCanonicalDecimal(new Big(value).round(places, Big.roundHalfUp));

/** Divides with enough digits for a percentage of 26 decimal places. */
const Precise = Big();
Precise.DP = 32;

/**
 * Returns by how many percent `after` is above (or below) `before`, rounded to `places` decimal places.
 * 0 to 0 is 0. From 0 to anything else there is no percentage: null.
 */
export function computePercentChange(before: Decimal, after: Decimal, places = 2): Decimal | null {
  if (before === ZERO) return after === ZERO ? ZERO : null;
  const exact = new Precise(before);
  const percent = new Precise(after).minus(exact).times(100).div(exact.abs());
  return toCanonicalDecimal(percent.round(places, Big.roundHalfUp));
}

// `toFixed()` without places writes every digit and no exponent. Only this function and parseDecimal create a
// Decimal.
function toCanonicalDecimal(value: Big): Decimal {
  const text = value.toFixed();
  return (text === "-0" ? "0" : text) as Decimal;
}
