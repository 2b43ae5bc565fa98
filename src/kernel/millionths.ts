/**
 * Amounts on bills fit in a whole number of millionths that a double represents exactly. Arithmetic on such
 * numbers is many times faster than on decimals of any length. An amount that does not fit is NaN and takes
 * the exact path.
 */

/** Longest text that can fit, in characters, and the digits after the point that fit. */
const MAX_LENGTH = 18;
const PLACES = 6;
/**
 * Below this size, the double nearest to a decimal, multiplied by a million, is off by less than one half.
 */
const MAX_SIZE = 2 ** 31;

const MILLION = 1e6;

/** Converts a plain decimal to a whole number of millionths, exactly; NaN: it does not fit. */
export function toMillionths(decimal: string): number {
  if (decimal.length > MAX_LENGTH) return Number.NaN;
  const point = decimal.indexOf(".");
  if (point >= 0 && decimal.length - point - 1 > PLACES) return Number.NaN;
  const value = Number(decimal);
  return Math.abs(value) > MAX_SIZE ? Number.NaN : Math.round(value * MILLION);
}

/** Returns the exact sum; NaN: it does not fit. */
export function addMillionths(total: number, more: number): number {
  const sum = total + more;
  return Number.isSafeInteger(sum) ? sum : Number.NaN;
}

/** Converts a whole number of millionths to its canonical decimal; null: the number was not exact. */
export function fromMillionths(millionths: number): string | null {
  if (!Number.isSafeInteger(millionths)) return null;
  const size = Math.abs(millionths);
  const fraction = size % MILLION;
  const whole = String((size - fraction) / MILLION);
  const sign = millionths < 0 ? "-" : "";
  if (fraction === 0) return sign + whole;
  return `${sign}${whole}.${String(fraction).padStart(PLACES, "0").replace(/0+$/, "")}`;
}

/**
 * Returns the share of `part` in `whole` (above zero) in hundredths of a percent, rounded half away from
 * zero; NaN: it does not fit.
 */
export function toBasisPoints(part: number, whole: number): number {
  const scaled = part * 10_000;
  if (!Number.isSafeInteger(scaled)) return Number.NaN;
  const rest = scaled % whole;
  const quotient = (scaled - rest) / whole;
  return 2 * Math.abs(rest) >= whole ? quotient + Math.sign(scaled) : quotient;
}
