import { countAlternatives, expandAlternatives, isBalanced } from "./glob-braces.ts";
import { buildGlobMachine, isMachineMatch } from "./glob-machine.ts";

/** Longest pattern, most alternatives, and their longest sum in characters: they bound the time that matching takes. */
const MAX_PATTERN = 256;
const MAX_ALTERNATIVES = 64;
const MAX_EXPANDED = 1_000;

/** Characters with a meaning in other tools and none here; as plain text they would silently never match. */
const UNSUPPORTED = /[[\]()\\]|^!|\p{Cc}/u;

/**
 * A compiled pattern. `*`: any characters but `/`. `**` as a whole segment: any number of segments, at least one at
 * the end of a pattern. `?`: one character (UTF-16 unit) but `/`. `{a,b}`: either. Case counts; a leading dot is like
 * any character. A text matches from its first to its last character, in one pass: time is proportional to its length.
 */
export type Glob = (text: string) => boolean;

/** Compiles a pattern; null: it is invalid, and `describeGlobProblem` says why. */
export function compileGlob(pattern: string): Glob | null {
  const read = readPattern(pattern);
  if (typeof read === "string") return null;
  const machine = buildGlobMachine(read);
  return (text) => isMachineMatch(machine, text);
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
