import { z } from "zod";
import { describeGlobProblem } from "../../../kernel/glob.ts";
import { isPlatformId } from "../../../kernel/ids.ts";
import { KNOWN_APPS } from "../../model/context.ts";

// Building blocks of the grammar of a policy file. Each `error` states what was expected; `schema-problems.ts` adds what was found.

const MAPPING_ERROR = "a mapping of keys and values";
const LIST_ERROR = "a list";

/** A strict mapping; `schema-problems.ts` reports unknown keys with the nearest known one. */
export const createMapping = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, { error: ({ code }) => (code === "invalid_type" ? MAPPING_ERROR : undefined) });

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

export const ENFORCE_ERROR = { error: "block or warn" };
export const enforce = z.enum(["block", "warn"], ENFORCE_ERROR);
/** The first matching pattern counts, but JavaScript reorders keys that are whole numbers. */
const stagePattern = pattern.refine((text) => !/^\d+$/.test(text), {
  error: ({ input }) => `a pattern that is no mere number, such as "{${input},${input}}"`,
});
export const enforceByStage = z.record(stagePattern, enforce, {
  error: "block, warn, or one of them for each pattern of stage names",
});
