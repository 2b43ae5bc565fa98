/** Whether every brace of a pattern is matched. */
export function isBalanced(pattern: string): boolean {
  let depth = 0;
  for (const character of pattern) {
    depth += getDepthStep(character);
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** The number of patterns without braces that a balanced pattern expands to: counted before any is expanded. */
export function countAlternatives(pattern: string): number {
  const braces = findBraces(pattern);
  if (braces === null) return 1;
  const inside = braces.choices.map(countAlternatives).reduce((sum, each) => sum + each, 0);
  return inside * countAlternatives(braces.after);
}

/** Expands a balanced pattern to patterns without braces: `{a,b}c` for `ac` and `bc`. */
export function expandAlternatives(pattern: string): readonly string[] {
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
