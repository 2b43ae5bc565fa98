import { LRUCache } from "lru-cache";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../kernel/clock.ts";
import {
  absolute,
  compare,
  type Decimal,
  type Money,
  minus,
  roundTo,
  sum,
  toPlaces,
  ZERO,
} from "../kernel/money.ts";
import type { Report, TotalReport } from "../report/model/report.ts";
import { isRounding } from "../report/totals.ts";
import { type Cell, formatName, type Inline } from "./escape.ts";

/**
 * Formats amounts of one currency. Each is the exact value, rounded once, half away from zero, to the currency's digits, so that equal
 * amounts are always formatted alike. A nonzero amount that would be rounded to zero gets as many further digits as needed.
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

/** Number of shown hex digits of a commit. */
export const SHA_DIGITS = 8;

/** Returns the first digits of a commit, a UUID or another long hexadecimal id; any other id as it is. */
export const shortenId = (id: string): string => /^[0-9a-f]{8}(?=[0-9a-f-]{8,}$)/i.exec(id)?.[0] ?? id;

/**
 * Returns the format of a currency. `currency`: an ISO 4217 code; any other text is shown as ¤, the generic currency symbol. `least`:
 * minimum number of decimal places; larger than usual where amounts have to be distinguishable.
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

/** Returns the format with enough decimal places that successive different amounts are displayed differently. */
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

/** Additional decimal places, so that the percentage is plausible for a unit that costs cents. */
const EXTRA_PLACES = 2;

/** Returns the format of unit costs. */
export function createUnitStyle(currency: string, amounts: readonly Decimal[]): MoneyStyle {
  const usual = getUsualPlaces(currency);
  const places = Math.max(usual, ...amounts.map((amount) => countVisiblePlaces(amount, usual)));
  return createDistinctStyle(currency, amounts, places + EXTRA_PLACES);
}

/** Formats one amount: "$1,303.04". */
export const formatMoney = ({ amount, currency }: Money): Cell => createMoneyStyle(currency).amount(amount);

/** The usual number of decimal places of a currency: 2 for USD, 0 for JPY; 2 for text that is no currency. */
export const getUsualPlaces = (currency: string): number =>
  findFormat(currency, undefined, "negative").resolvedOptions().maximumFractionDigits ?? 2;

/** The smallest number of decimal places, at least `from`, at which a nonzero value is not displayed as zero. */
function countVisiblePlaces(value: Decimal, from: number): number {
  if (compare(value, ZERO) === 0) return from;
  const digits = absolute(value);
  let places = from;
  while (/^[0.]*$/.test(toPlaces(digits, places))) places += 1;
  return places;
}

function createMoneyFormatter(
  currency: string,
  least: number,
  sign: "negative" | "exceptZero",
): (value: Decimal) => Cell {
  return (value) => {
    const places = countVisiblePlaces(value, least);
    return formatDecimal(findFormat(currency, places, sign), toPlaces(value, places));
  };
}

/** Creating a format is slow. */
const FORMATS = new LRUCache<string, Intl.NumberFormat>({ max: 500 });

/** `places` undefined: those that the currency usually has. */
function findFormat(
  currency: string,
  places: number | undefined,
  sign: "negative" | "exceptZero",
): Intl.NumberFormat {
  const key = `${currency} ${places} ${sign}`;
  const format = FORMATS.get(key) ?? createFormat(currency, places, sign);
  FORMATS.set(key, format);
  return format;
}

/** Intl formats decimal text exactly, but its type accepts only numeric template literals. */
const formatDecimal = (format: Intl.NumberFormat, text: string): Cell =>
  format.format(text as Intl.StringNumericLiteral).replace("-", MINUS) as Cell; // digits, separators, a sign and a currency: no Markdown syntax

function createFormat(
  currency: string,
  places: number | undefined,
  signDisplay: "negative" | "exceptZero",
): Intl.NumberFormat {
  const isKnown = /^[A-Z]{3}$/.test(currency);
  return new Intl.NumberFormat("en-US", {
    style: "currency",
    currency: isKnown ? currency : "XXX",
    // Unlike the narrow ones, these signs are unambiguous: CA$, CN¥; a currency without one has its code.
    currencyDisplay: isKnown ? "symbol" : "narrowSymbol",
    signDisplay,
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
}

/** Formats a count, an integer: "1,234". Without `Intl`, which takes 15 ms of a start to load its data. */
export const formatCount = (count: number): Cell => String(count).replace(/\B(?=(?:\d{3})+$)/g, ",") as Cell; // digits and commas only

/** The total of one currency, and the format of its amounts. */
export interface CurrencyFigures {
  readonly currency: string;
  readonly style: MoneyStyle;
  readonly total: TotalReport;
}

/** Returns one entry per currency, in the order of the report's totals. */
export const listCurrencyFigures = (report: Report): readonly CurrencyFigures[] =>
  report.totals.map((total) => ({
    currency: total.currency,
    style: createMoneyStyle(total.currency),
    total,
  }));

/** Formats a percentage with all its digits: "+31.67%", "−43%". It was rounded when it was computed, and is not rounded again. */
export function formatPercent(percent: Decimal): Cell {
  const format = new Intl.NumberFormat("en-US", { maximumFractionDigits: 100, signDisplay: "exceptZero" });
  return `${formatDecimal(format, percent)}%` as Cell; // a percent sign is plain
}

const MAX_PLACES = 2;

/** Formats a quantity with at most two decimal places: "1,000", "0.5". */
export const formatQuantity = (value: Decimal): Cell =>
  formatDecimal(
    new Intl.NumberFormat("en-US", { maximumFractionDigits: MAX_PLACES }),
    toPlaces(value, MAX_PLACES),
  );

/**
 * Whether displayed amounts do not add up to their displayed total because of rounding. Contradicting exact
 * amounts are not explained by rounding.
 */
export function isRoundingVisible(parts: readonly Figure[], total: Figure): boolean {
  const roundedSum = sum(parts.map((part) => part.shown));
  return (
    compare(roundedSum, total.shown) !== 0 &&
    isRounding(minus(sum(parts.map(({ exact }) => exact)), total.exact))
  );
}

/** The amounts of a line, the last of which is the sum of the others; null: unknown, so there is nothing to compare. */
type FigureLine = readonly (Figure | null)[];

/** Whether displayed amounts of a line, or of a column and its total, do not add up. */
export const isTableRounded = (lines: readonly FigureLine[], total: FigureLine | null): boolean =>
  lines.some((line) => hasRoundingGap(line.slice(0, -1), line.at(-1) ?? null)) ||
  (total ?? []).some((sum, column) =>
    hasRoundingGap(
      lines.map((line) => line[column] ?? null),
      sum,
    ),
  );

function hasRoundingGap(parts: FigureLine, total: Figure | null): boolean {
  const known = parts.filter((part) => part !== null);
  return total !== null && known.length === parts.length && isRoundingVisible(known, total);
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Formats a time: "21 Nov 2026, 14:05 UTC". `ms`: milliseconds since 1970 UTC; a value out of range is "?". */
export function formatUtcTime(ms: number): Inline {
  const time = new Date(ms);
  if (Number.isNaN(time.getTime())) return "?" as Inline; // a question mark is plain
  const day = `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]} ${time.getUTCFullYear()}`;
  return `${day}, ${time.toISOString().slice(-13, -8)} UTC` as Inline; // letters, digits, comma and colon
}

/** Formats the numbers of pull requests: "#7, #12". */
export const formatPullNumbers = (numbers: readonly number[]): string =>
  numbers.map((number) => `#${number}`).join(", ");

/** Formats the day in UTC: "21 Nov 2026". */
export const formatUtcDay = (ms: number): Inline => formatUtcTime(ms).split(",")[0] as Inline; // a part of the same letters and digits

const UNITS = [
  { one: "day", ms: DAY_MS },
  { one: "hour", ms: HOUR_MS },
  { one: "minute", ms: MINUTE_MS },
] as const;

/**
 * Formats a duration in ms: "3 hours", "1 day", "36 hours". Uses the largest unit that fits exactly or at
 * least twice; at least one minute.
 */
export function formatDuration(ms: number): Inline {
  const unit = UNITS.find((own) => ms >= 2 * own.ms || (ms >= own.ms && ms % own.ms === 0)) ?? UNITS[2];
  const count = Math.max(1, Math.round(ms / unit.ms));
  return `${count} ${unit.one}${count === 1 ? "" : "s"}` as Inline; // digits and a word
}

/** Formats the day of an ISO 8601 text from outside: "20 Nov 2026"; any other text is returned escaped. */
export function formatDay(text: string): Inline {
  const [, year, month = "", day] = /^(\d{4})-(\d{2})-(\d{2})(?:T|$)/.exec(text) ?? [];
  const word = MONTHS[Number(month) - 1];
  if (year === undefined || day === undefined || word === undefined) return formatName(text);
  return `${Number(day)} ${word} ${year}` as Inline; // digits and a word
}
