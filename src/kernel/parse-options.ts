import type { z } from "zod";

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

/** Parse options for values from outside: problems are worded by `describeIssue`. */
export const PARSE_OPTIONS = { error: (issue: RawIssue) => describeIssue(issue) } as const;

/** Parse options for files whose problems `schema-problems.ts` words: each message is what was expected. */
export const EXPECTATIONS = { error: (issue: RawIssue) => describeExpectation(issue) } as const;

/** Words a problem with a received value for readers who do not program; undefined: use zod's message. */
const describeIssue = (issue: RawIssue): string | undefined => {
  if (issue.code === "unrecognized_keys") return `there is no member ${issue.keys.join(", ")}`;
  const expected = describeExpectation(issue);
  if (expected === undefined) return undefined;
  return issue.input === undefined ? `is missing; expected ${expected}` : `expected ${expected}`;
};

function describeExpectation(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return TYPES[issue.expected];
    case "invalid_value":
      return formatChoice(issue.values.map(String));
    case "invalid_format":
      return issue.format === "date" ? "a day that exists, such as 2026-01-31" : undefined;
    case "too_small":
      return formatSize(issue.origin, "at least", issue.minimum);
    case "too_big":
      return formatSize(issue.origin, "at most", issue.maximum);
    default:
      return undefined;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

function formatChoice(values: readonly string[]): string {
  const [only] = values;
  return values.length === 1 ? `${only}` : `one of ${values.join(", ")}`;
}

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ["character", "characters"],
  array: ["item", "items"],
};

function formatSize(origin: string, words: "at least" | "at most", limit: number | bigint): string {
  const [one = "", many = ""] = UNITS[origin] ?? [];
  return `${words} ${limit} ${limit === 1 ? one : many}`.trimEnd();
}
