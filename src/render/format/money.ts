import { absolute, compare, type Decimal, type Money, roundTo, toPlaces, ZERO } from "../../kernel/money.ts";
import type { Cell } from "../markup/escape.ts";

/**
 * Formats amounts of one currency. Each is the exact value, rounded once, half away from zero, to the
 * currency's digits, so that equal amounts are always formatted alike. A nonzero amount that would be rounded
 * to zero gets as many further digits as needed.
 */
export interface MoneyStyle {
  /** "$1,303.04", "−$5.00". */
  amount(value: Decimal): Cell;
  /** Always with a sign: "+$5.00", "−$560.40"; zero is "$0.00". */
  change(value: Decimal): Cell;
  /** The rounded number that `amount` and `change` show. */
  rounded(value: Decimal): Figure;
}

/** An exact amount with its displayed, rounded value. */
export interface Figure {
  readonly exact: Decimal;
  readonly shown: Decimal;
}

const MINUS = "−";

/** Those of `Intl`: asking it for every amount takes some milliseconds of each comment. */
const UNUSUAL_PLACES: ReadonlyMap<string, number> = new Map(
  [
    {
      places: 0,
      currencies:
        "ADP AFN ALL BIF BYR CLP COP DJF ESP GNF HUF IDR IQD IRR ISK ITL JPY KMF KPW KRW LAK LBP LUF MGA MGF " +
        "MMK MRO PKR PYG RWF SLL SOS STD SYP TMM TRL UGX UYI VND VUV XAF XOF XPF YER ZMK ZWD",
    },
    { places: 3, currencies: "BHD JOD KWD LYD OMR TND" },
    { places: 4, currencies: "CLF UYW" },
  ].flatMap(({ places, currencies }) => currencies.split(" ").map((currency) => [currency, places])),
);

/**
 * Returns the format of a currency. `currency`: an ISO 4217 code; any other text is shown as ¤, the generic
 * currency symbol. `least`: minimum number of decimal places; larger than usual where amounts have to be
 * distinguishable.
 */
export function createMoneyStyle(currency: string, least = getUsualPlaces(currency)): MoneyStyle {
  const amount = createMoneyFormatter(currency, least, "negative");
  const change = createMoneyFormatter(currency, least, "exceptZero");
  const rounded = (exact: Decimal): Figure => ({
    exact,
    shown: roundTo(exact, countVisiblePlaces(exact, least)),
  });
  return { amount, change, rounded };
}

/**
 * Returns the format with enough decimal places that successive different amounts are displayed differently.
 */
export function createDistinctStyle(
  currency: string,
  amounts: readonly Decimal[],
  least = getUsualPlaces(currency),
): MoneyStyle {
  const readsAlike = (a: Decimal, b: Decimal, places: number): boolean =>
    compare(a, b) !== 0 && toPlaces(a, places) === toPlaces(b, places);
  let places = least;
  while (amounts.some((amount, index) => readsAlike(amount, amounts[index + 1] ?? amount, places)))
    places += 1;
  return createMoneyStyle(currency, places);
}

/** Formats one amount: "$1,303.04". */
export const formatMoney = ({ amount, currency }: Money): Cell => createMoneyStyle(currency).amount(amount);

/** The usual number of decimal places of a currency: 2 for USD, 0 for JPY; 2 for text that is no currency. */
export const getUsualPlaces = (currency: string): number => UNUSUAL_PLACES.get(currency) ?? 2;

/**
 * The smallest number of decimal places, at least `from`, at which a nonzero value is not displayed as zero.
 */
export function countVisiblePlaces(value: Decimal, from: number): number {
  if (compare(value, ZERO) === 0) return from;
  const digits = absolute(value);
  let places = from;
  while (/^[0.]*$/.test(toPlaces(digits, places))) places += 1;
  return places;
}

const isCurrencyCode = (currency: string): boolean => /^[A-Z]{3}$/.test(currency);

type SignDisplay = "negative" | "exceptZero";

function createMoneyFormatter(currency: string, least: number, sign: SignDisplay): (value: Decimal) => Cell {
  const formats = new Map<number, Intl.NumberFormat>(); // cached, because creating one is slow
  return (value) => {
    const places = countVisiblePlaces(value, least);
    const format = formats.get(places) ?? createFormat(currency, places, sign);
    formats.set(places, format);
    // Intl formats decimal text exactly, but its type accepts only numeric template literals.
    const text = format.format(toPlaces(value, places) as Intl.StringNumericLiteral);
    return text.replace("-", MINUS) as Cell; // digits, separators, a sign and a currency: no Markdown syntax
  };
}

function createFormat(currency: string, places: number, sign: SignDisplay): Intl.NumberFormat {
  const known = isCurrencyCode(currency);
  return new Intl.NumberFormat("en-US", {
    style: "currency",
    currency: known ? currency : "XXX",
    // Unlike the narrow ones, these signs are unambiguous: CA$, CN¥; a currency without one has its code.
    currencyDisplay: known ? "symbol" : "narrowSymbol",
    signDisplay: sign,
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
}
