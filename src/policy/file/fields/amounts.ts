import { z } from "zod";
import { type Decimal, decimal, type Money } from "../../../kernel/money.ts";
import { formatPlainNumber } from "../../when/amount.ts";

/** Schemas of amounts. An `error` says what was expected; the problem's sentence says what was found. */
const AMOUNT = /^(0|[1-9]\d{0,14})(\.\d{1,12})? [A-Z]{3}$/;

/** `500 USD`: an exact decimal and an ISO 4217 code. */
export const amount = z
  .string({ error: ({ input }) => describeExpectedAmount(input) })
  .regex(AMOUNT, { error: ({ input }) => describeExpectedAmount(input), abort: true })
  .refine((text) => Intl.supportedValuesOf("currency").includes(text.slice(-3)), {
    error: "a currency code of ISO 4217, such as USD or EUR",
  })
  .transform((text): Money => {
    const [value = "", currency = ""] = text.split(" ");
    return { amount: decimal(value), currency };
  })
  .meta({
    description: "An amount of money per month: a decimal number and a currency code.",
    examples: ["500 USD"],
  });

function describeExpectedAmount(input: unknown): string {
  const expected = 'an amount of zero or more with its currency, such as "500 USD"';
  const meant = guessAmount(String(input).trim());
  return meant === null ? expected : `${expected} (${meant})`;
}

const SIGNS: { readonly [sign: string]: string | undefined } = { $: "USD", "€": "EUR", "£": "GBP" };

/** The amount that a misspelled text probably means; null: none. */
function guessAmount(text: string): string | null {
  const [, sign = "", before = "", digits = "", after = ""] =
    /^([$€£])? ?([A-Za-z]{3})? ?(\d[\d.,'_ ]*\d|\d) ?([A-Za-z]{3})?$/.exec(text) ?? [];
  const currency = (SIGNS[sign] ?? (before || after)).toUpperCase();
  const plain = removeSeparators(digits);
  if (plain === null || currency === "") return null;
  if (plain === digits) return `did you mean "${plain} ${currency}"?`;
  return `write "${plain} ${currency}", without thousands separators`;
}

/** `1,000.50` and `1.000,50` as `1000.50`; null: it is no number, or may be one of two. */
function removeSeparators(digits: string): string | null {
  if (/^\d+(\.\d+)?$/.test(digits)) return digits;
  if (/^\d{1,3}([,'_ ])\d{3}(\1\d{3})*(\.\d+)?$/.test(digits)) return digits.replaceAll(/[,'_ ]/g, "");
  return /^\d{1,3}(\.\d{3})+,\d+$/.test(digits) ? digits.replaceAll(".", "").replace(",", ".") : null;
}

const PERCENT_ERROR = { error: "a percentage of zero or more, such as 10 or 12.5%" };

/** `10`, `12.5` or `10%`. */
export const percentage = z
  .union(
    [
      z.number(PERCENT_ERROR).min(0, PERCENT_ERROR).max(1_000_000, PERCENT_ERROR),
      z.string(PERCENT_ERROR).regex(/^(0|[1-9]\d{0,6})(\.\d{1,6})? ?%$/, PERCENT_ERROR),
    ],
    PERCENT_ERROR,
  )
  .transform(
    (input): Decimal =>
      decimal(typeof input === "number" ? formatPlainNumber(input) : input.replace(/ ?%$/, "")),
  )
  .meta({ description: "A percentage, with or without the sign.", examples: [10, "12.5%"] });

/** A whole number. */
export const count = z
  .int({ error: ({ input }) => describeExpectedCount(input) })
  .min(0, { error: "a whole number of zero or more" })
  .max(1_000_000_000, { error: "a whole number of at most 1000000000" });

function describeExpectedCount(input: unknown): string {
  const expected = "a whole number of zero or more, such as 0 or 5, without quotes";
  const plain = typeof input === "string" ? removeSeparators(input) : null;
  return plain === null || !/^\d+$/.test(plain) ? expected : `${expected} (write ${plain})`;
}

/** `30m`, `2h` or `1d`, at most seven days; in ms. */
export const duration = z
  .string({ error: "a duration, such as 30m, 2h or 1d" })
  .regex(/^[1-9]\d{0,4}[mhd]$/, { error: "a duration, such as 30m, 2h or 1d", abort: true })
  .refine((text) => parseDuration(text) <= SEVEN_DAYS, { error: "at most seven days (7d)" })
  .transform(parseDuration)
  .meta({ description: "A number of minutes, hours or days.", examples: ["30m", "2h", "1d"] });

const UNITS: { readonly [unit: string]: number | undefined } = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const SEVEN_DAYS = 7 * 86_400_000;

function parseDuration(text: string): number {
  return Number(text.slice(0, -1)) * (UNITS[text.slice(-1)] ?? Number.NaN);
}
