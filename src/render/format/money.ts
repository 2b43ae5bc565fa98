import { absolute, compare, type Decimal, type Money, toPlaces, ZERO } from "../../kernel/money.ts";
import type { Cell } from "../escape.ts";

/** Writes amounts of one currency, all with the same number of digits after the point. Rounds half away from zero. */
export interface MoneyStyle {
  readonly places: number;
  /** "$1,303.04", "−$5.00". */
  amount(value: Decimal): Cell;
  /** Always with its sign: "+$5.00", "−$560.40"; zero is "$0.00". */
  change(value: Decimal): Cell;
}

/** Currencies whose sign nobody mistakes for another; all others are written with their code. */
const WITH_SIGN: ReadonlySet<string> = new Set(["USD", "EUR"]);
const MINUS = "−";

/** `currency`: an ISO 4217 code; anything else is shown as ¤, the sign of no particular currency. */
export function moneyStyle(currency: string, places: number): MoneyStyle {
  const amount = writer(currency, places, "negative");
  const change = writer(currency, places, "exceptZero");
  return { places, amount, change };
}

/** One amount by itself, "$1,303.04", with as many places as it takes to see it. */
export const moneyOf = ({ amount, currency }: Money): Cell =>
  moneyStyle(currency, placesToSee([amount], usualPlaces(currency))).amount(amount);

/** How many digits after the point a currency has by custom: 2 for USD, 0 for JPY. */
export function usualPlaces(currency: string): number {
  if (!isCode(currency)) return 2;
  const { maximumFractionDigits } = new Intl.NumberFormat("en-US", {
    style: "currency",
    currency,
  }).resolvedOptions();
  return maximumFractionDigits ?? 2;
}

/** The fewest places, from `from` on, at which no value that is not zero reads as zero. */
export function placesToSee(values: Iterable<Decimal | null>, from: number): number {
  let places = from;
  for (const value of values) {
    if (value !== null) places = Math.max(places, firstVisiblePlace(value, from));
  }
  return places;
}

/** The fewest places, from `from` on, at which two different values read differently. */
export function placesToTellApart(a: Decimal, b: Decimal, from: number): number {
  let places = from;
  while (compare(a, b) !== 0 && toPlaces(a, places) === toPlaces(b, places)) places += 1;
  return places;
}

/** Whether a value that is not zero would read as zero. */
export const vanishes = (value: Decimal, places: number): boolean =>
  compare(value, ZERO) !== 0 && firstVisiblePlace(value, places) > places;

function firstVisiblePlace(value: Decimal, from: number): number {
  if (compare(value, ZERO) === 0) return from;
  const digits = absolute(value);
  let places = from;
  while (/^[0.]*$/.test(toPlaces(digits, places))) places += 1;
  return places;
}

const isCode = (currency: string): boolean => /^[A-Z]{3}$/.test(currency);

function writer(currency: string, places: number, sign: "negative" | "exceptZero"): (value: Decimal) => Cell {
  const known = isCode(currency);
  const format = new Intl.NumberFormat("en-US", {
    style: "currency",
    currency: known ? currency : "XXX",
    currencyDisplay: WITH_SIGN.has(currency) || !known ? "narrowSymbol" : "code",
    signDisplay: sign,
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
  return (value) => {
    // Intl reads decimal text exactly; its type knows such text only as a template of numbers.
    const text = format.format(toPlaces(value, places) as Intl.StringNumericLiteral);
    return text.replace("-", MINUS) as Cell; // digits, separators, a sign and a currency: nothing that Markdown reads
  };
}
