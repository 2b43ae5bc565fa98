import { RE2JS } from "@bufbuild/re2";
import { z } from "zod";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kernel/clock.ts";
import { describeGlobProblem } from "../../kernel/glob.ts";
import { isPlatformId } from "../../kernel/ids.ts";
import { type Decimal, decimal, type Money } from "../../kernel/money.ts";
import { KNOWN_APPS } from "../model/context.ts";
import { formatPlainNumber } from "../when/amount.ts";

// Building blocks of the grammar of a policy file. Each `error` states what was expected; `kernel/schema-problems.ts` adds what was found.

const LIST_ERROR = "a list";

export const flag = z.boolean({ error: "true or false" });

/** One of a few words. */
export const createChoice = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, { error: words.join(", ").replace(/, ([^,]*)$/, " or $1") });

/** One of many words. */
export const createWordChoice = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, { error: `one of ${words.join(", ")}` });

export const createList = <Item extends z.ZodType>(item: Item) => z.array(item, { error: LIST_ERROR });

/** What a valid pattern that could never match as meant should have been, as the end of a sentence; null: nothing. */
function describeForeignPattern(text: string): string | null {
  if (/^\^|\$$/.test(text))
    return `has the ^ or $ of a regular expression: write ${text.replace(/^\^/, "").replace(/\$$/, "").replaceAll(".*", "**")}`;
  const segments = text.split("/");
  if (!segments.some(isMixed)) return null;
  // A name without a slash has no segments below it.
  const meant =
    segments.length === 1 && text.endsWith("**")
      ? [`${text.slice(0, -2)}*`, ...segments.map(separateStars)]
      : [segments.map(separateStars).join("/")];
  return `has ** beside other characters, and it stands alone between slashes: write ${meant.join(" or ")}`;
}

const isMixed = (segment: string): boolean => segment !== "**" && segment.includes("**");

/** `infra**` as `infra` and `**`; `**.tf` as `**` and `*.tf`. */
function separateStars(segment: string): string {
  if (!isMixed(segment)) return segment;
  const [before = "", ...after] = segment.split("**");
  const rest = after.join("*");
  return [before, "**", rest === "" ? "" : `*${rest}`].filter((part) => part !== "").join("/");
}

const describePatternProblem = (text: string): string | null =>
  describeGlobProblem(text) ?? describeForeignPattern(text);

const describeNotHint = (text: string): string =>
  text.startsWith("!") ? "; leave things out with not, in a scope" : "";

export const pattern = z
  .string({ error: "a pattern as text" })
  .refine((text) => describePatternProblem(text) === null, {
    error: ({ input }) =>
      `a pattern; this one ${describePatternProblem(String(input))}${describeNotHint(String(input))}`,
  })
  .meta({ description: "A pattern: *, **, ? and {a,b}.", examples: ["prod-*", "infra/**"] });

/** A changed file, all files below a folder, or a pattern: see `createPathMatcher`. */
export const path = pattern.refine(
  (text) => !text.split("/").some((segment) => segment === "." || segment === ".."),
  {
    error: "a path from the repository's root, without . or ..",
  },
);

const REMOTE_PREFIX = /^(refs\/(heads|remotes\/[^/]+)|origin)\//;
export const branch = pattern.refine((text) => !REMOTE_PREFIX.test(text), {
  error: ({ input }) => `a branch as GitHub names it; write ${String(input).replace(REMOTE_PREFIX, "")}`,
});

/** Text with at least one visible character. */
export const createText = (expected: string, most: number) =>
  z
    .string({ error: expected })
    .regex(new RegExp(`^[^\\p{Cc}]{1,${most}}$`, "u"), { error: expected, abort: true })
    .refine((words) => /[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u.test(words), {
      error: expected,
    });

export const platformId = z
  .string({ error: "an id of the platform as text" })
  .refine(isPlatformId, { error: "an id of 1 to 128 letters, digits, _, ., - or $" });

export const ruleId = z.string({ error: "a name as text" }).regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, {
  error: "a name of 1 to 64 letters, digits, dots, dashes or underscores",
});

export const login = z
  .string({ error: "a login as text" })
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38}|[A-Za-z0-9-]{0,99}_[A-Za-z0-9]+)(?:\[bot\])?$/, {
    error: "a GitHub login, without @",
  });
export const author = login.refine((name) => !KNOWN_APPS.has(name.toLowerCase()), {
  error: ({ input }) => `the login of an account; the App is "${String(input).toLowerCase()}[bot]"`,
});
export const person = login.refine((name) => !/\[bot\]$/.test(name) && !KNOWN_APPS.has(name.toLowerCase()), {
  error: "the login of a person: an App approves nothing and overrides nothing",
});
export const team = z.string({ error: "a team's slug as text" }).regex(/^[a-z0-9][a-z0-9_-]{0,99}$/, {
  error: "a team's slug in lower case, such as finops, without @ and organisation",
});
export const createWord = (expected: string) => createText(expected, 256);
export const createNonEmptyList = <Item extends z.ZodType>(item: Item) =>
  createList(item).min(1, { error: "at least one entry" }).max(100, { error: "at most 100 entries" });

export const tagKey = createText("the key of a tag, a text of 1 to 512 characters", 512);
export const tagValue = createText("the value of a tag, a text of 1 to 256 characters; quote numbers", 256);
export const tagPattern = createText("a regular expression of 1 to 256 characters", 256).refine(
  (text) => describeExpressionProblem(text) === null,
  {
    error: ({ input }) => `a regular expression as RE2 has it (${describeExpressionProblem(String(input))})`,
  },
);

/** What is wrong with a regular expression; null: nothing. */
function describeExpressionProblem(text: string): string | null {
  try {
    RE2JS.compile(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : "unreadable";
  }
}

export const enforce = createChoice(["block", "warn"]);
/** The first matching pattern counts, but JavaScript reorders keys that are whole numbers. */
const stagePattern = pattern.refine((text) => !/^\d+$/.test(text), {
  error: ({ input }) => `a pattern that is no mere number, such as "{${input},${input}}"`,
});
export const enforceByStage = z.record(stagePattern, enforce, {
  error: "block, warn, or one of them for each pattern of stage names",
});

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

const UNITS: { readonly [unit: string]: number | undefined } = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };
const SEVEN_DAYS = 7 * DAY_MS;

function parseDuration(text: string): number {
  return Number(text.slice(0, -1)) * (UNITS[text.slice(-1)] ?? Number.NaN);
}

/** `2027-03-31`: a day that the calendar has, as its first moment in UTC, ms since 1970. */
export const firstMoment = z
  .string({ error: "a day, such as 2027-03-31" })
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: "a day, such as 2027-03-31", abort: true })
  .refine((text) => z.iso.date().safeParse(text).success, { error: "a day that the calendar has" })
  .transform((text): number => Date.parse(text))
  .meta({ description: "A day.", examples: ["2027-03-31"] });
/** The same, as the first moment after it. */
export const day = firstMoment.transform((ms): number => ms + DAY_MS);

const HTTPS_ADDRESS = "an https address of at most 300 characters, such as https://wiki.example.com/costs";
/** An address without credentials, as a link may have it. */
export const httpsAddress = createText(HTTPS_ADDRESS, 300)
  .refine(isHttpsAddress, { error: HTTPS_ADDRESS })
  .meta({ description: "An https address.", examples: ["https://wiki.example.com/costs"] });

function isHttpsAddress(text: string): boolean {
  const { protocol, username, password } = URL.parse(text) ?? {};
  return protocol === "https:" && username === "" && password === "";
}
