import { RE2JS } from "@bufbuild/re2";

/** Longest pattern, most alternatives, and their longest sum in characters: they bound the time that matching takes. */
const MAX_PATTERN = 256;
const MAX_ALTERNATIVES = 64;
const MAX_EXPANDED = 1_000;

/** Characters with a meaning in other tools and none here; as plain text they would silently never match. */
const UNSUPPORTED = /[[\]()\\]|^!|\p{Cc}/u;

/**
 * A compiled pattern. `*`: any characters but `/`. `**` as a whole segment: any number of segments, at least one at
 * the end of a pattern. `?`: one character but `/`. `{a,b}`: either. Case counts; a leading dot is like
 * any character. A text matches from its first to its last character, in one pass: time is proportional to its length.
 */
export type Glob = (text: string) => boolean;

/** Compiles a pattern; null: it is invalid, and `describeGlobProblem` says why. */
export function compileGlob(pattern: string): Glob | null {
  const read = readPattern(pattern);
  if (typeof read === "string") return null;
  const matcher = RE2JS.compile(read.map(toExpression).join("|"));
  return (text) => matcher.matches(text);
}

/** What is wrong with a pattern, as the end of a sentence ("the pattern …"); null: nothing. */
export function describeGlobProblem(pattern: string): string | null {
  const read = readPattern(pattern);
  return typeof read === "string" ? read : null;
}

/** Whether a pattern matches a text. An invalid pattern matches nothing. */
export const isGlobMatch = (pattern: string, text: string): boolean => compileGlob(pattern)?.(text) ?? false;

/** The patterns without braces that a pattern expands to, or what is wrong with it. */
function readPattern(pattern: string): readonly string[] | string {
  if (pattern === "") return "is empty";
  if (pattern.length > MAX_PATTERN) return `is longer than ${MAX_PATTERN} characters`;
  if (UNSUPPORTED.test(pattern)) {
    return "may use *, **, ? and {a,b}; [ ] ( ) \\ and a leading ! have no meaning here";
  }
  if (!isBalanced(pattern)) return "has a brace without its partner";
  if (countAlternatives(pattern) > MAX_ALTERNATIVES) {
    return `stands for more than ${MAX_ALTERNATIVES} alternatives`;
  }
  const alternatives = expandAlternatives(pattern);
  if (alternatives.join().length > MAX_EXPANDED) return "stands for too many long alternatives";
  return alternatives.some((alternative) => alternative.split("/").includes(""))
    ? "has a slash at its start or end, or two in a row"
    : alternatives;
}

function isBalanced(pattern: string): boolean {
  let depth = 0;
  for (const character of pattern) {
    depth += getDepthStep(character);
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** The number of patterns without braces that a balanced pattern expands to: counted before any is expanded. */
function countAlternatives(pattern: string): number {
  const braces = findBraces(pattern);
  if (braces === null) return 1;
  const inside = braces.choices.map(countAlternatives).reduce((sum, each) => sum + each, 0);
  return inside * countAlternatives(braces.after);
}

/** Expands a balanced pattern to patterns without braces: `{a,b}c` for `ac` and `bc`. */
function expandAlternatives(pattern: string): readonly string[] {
  const braces = findBraces(pattern);
  if (braces === null) return [pattern];
  const ends = expandAlternatives(braces.after);
  const middles = braces.choices.flatMap(expandAlternatives);
  return middles.flatMap((middle) => ends.map((end) => braces.before + middle + end));
}

interface Braces {
  readonly before: string;
  readonly choices: readonly string[];
  readonly after: string;
}

/** The first braces of a pattern, split at the commas outside inner braces; null: it has none. */
function findBraces(pattern: string): Braces | null {
  const open = pattern.indexOf("{");
  if (open < 0) return null;
  const cuts: number[] = [];
  let depth = 1;
  let at = open;
  while (depth > 0) {
    at += 1;
    const character = pattern.charAt(at);
    depth += getDepthStep(character);
    if (depth === 0 || (depth === 1 && character === ",")) cuts.push(at);
  }
  const choices = cuts.map((cut, index) => pattern.slice((cuts[index - 1] ?? open) + 1, cut));
  return { before: pattern.slice(0, open), choices, after: pattern.slice(at + 1) };
}

const STEPS: { readonly [character: string]: number | undefined } = { "{": 1, "}": -1 };
const getDepthStep = (character: string): number => STEPS[character] ?? 0;

/** Translates a pattern without braces. `**` before the last segment also stands for none. */
function toExpression(pattern: string): string {
  const segments = pattern.split("/");
  return segments
    .map((segment, index) => {
      const isLast = index === segments.length - 1;
      if (segment === "**") return isLast ? "(?:[^/]*/)*[^/]*" : "(?:[^/]*/)*";
      const characters = [...segment].map((one) => WILD[one] ?? RE2JS.quote(one));
      return `${characters.join("")}${isLast ? "" : "/"}`;
    })
    .join("");
}

const WILD: { readonly [character: string]: string | undefined } = { "?": "[^/]", "*": "[^/]*" };
