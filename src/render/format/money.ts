import { absolute, compare, type Decimal, type Money, roundTo, toPlaces, ZERO } from "../../kernel/money.ts";
import type { Cell } from "../markup/escape.ts";

/**
 * Writes amounts of one currency. Each is the exact value, rounded once, half away from zero, at the currency's digits: the same
 * amount reads the same everywhere. An amount that would read as zero and is not has as many more digits as it takes to see it.
 */
export interface MoneyStyle {
  /** "$1,303.04", "−$5.00". */
  amount(value: Decimal): Cell;
  /** Always with its sign: "+$5.00", "−$560.40"; zero is "$0.00". */
  change(value: Decimal): Cell;
  /** The number that both of them show. */
  rounded(value: Decimal): Figure;
}

/** An exact amount, and the number that a reader sees of it. */
export interface Figure {
  readonly exact: Decimal;
  readonly shown: Decimal;
}

/** Currencies whose sign nobody mistakes for another; all others are written with their code. */
const WITH_SIGN: ReadonlySet<string> = new Set(["USD", "EUR"]);
const MINUS = "−";

/**
 * `currency`: an ISO 4217 code; anything else is shown as ¤, the sign of no particular currency. `least`: digits after the point,
 * more than usual where amounts have to be told apart.
 */
export function moneyStyle(currency: string, least = usualPlaces(currency)): MoneyStyle {
  const amount = writer(currency, least, "negative");
  const change = writer(currency, least, "exceptZero");
  const rounded = (exact: Decimal): Figure => ({ exact, shown: roundTo(exact, placesToSee(exact, least)) });
  return { amount, change, rounded };
}

/** The style in which amounts that follow one another read differently wherever they differ. */
export function styleToTellApart(
  currency: string,
  amounts: readonly Decimal[],
  least = usualPlaces(currency),
): MoneyStyle {
  const readsAlike = (a: Decimal, b: Decimal, places: number): boolean =>
    compare(a, b) !== 0 && toPlaces(a, places) === toPlaces(b, places);
  let places = least;
  while (amounts.some((amount, index) => readsAlike(amount, amounts[index + 1] ?? amount, places)))
    places += 1;
  return moneyStyle(currency, places);
}

/** One amount by itself, "$1,303.04". */
export const formatMoney = ({ amount, currency }: Money): Cell => moneyStyle(currency).amount(amount);

/** How many digits after the point a currency has by custom: 2 for USD, 0 for JPY. */
export function usualPlaces(currency: string): number {
  if (!isCode(currency)) return 2;
  const { maximumFractionDigits } = new Intl.NumberFormat("en-US", {
    style: "currency",
    currency,
  }).resolvedOptions();
  return maximumFractionDigits ?? 2;
}

/** The fewest places, from `from` on, at which a value that is not zero does not read as zero. */
export function placesToSee(value: Decimal, from: number): number {
  if (compare(value, ZERO) === 0) return from;
  const digits = absolute(value);
  let places = from;
  while (/^[0.]*$/.test(toPlaces(digits, places))) places += 1;
  return places;
}

const isCode = (currency: string): boolean => /^[A-Z]{3}$/.test(currency);

type SignDisplay = "negative" | "exceptZero";

function writer(currency: string, least: number, sign: SignDisplay): (value: Decimal) => Cell {
  const formats = new Map<number, Intl.NumberFormat>(); // they are slow to make
  return (value) => {
    const places = placesToSee(value, least);
    const format = formats.get(places) ?? createFormat(currency, places, sign);
    formats.set(places, format);
    // Intl reads decimal text exactly; its type knows such text only as a template of numbers.
    const text = format.format(toPlaces(value, places) as Intl.StringNumericLiteral);
    return text.replace("-", MINUS) as Cell; // digits, separators, a sign and a currency: nothing that Markdown reads
  };
}

function createFormat(currency: string, places: number, sign: SignDisplay): Intl.NumberFormat {
  const known = isCode(currency);
  return new Intl.NumberFormat("en-US", {
    style: "currency",
    currency: known ? currency : "XXX",
    currencyDisplay: WITH_SIGN.has(currency) || !known ? "narrowSymbol" : "code",
    signDisplay: sign,
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
}
