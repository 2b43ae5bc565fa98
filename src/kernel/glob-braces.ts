/** Whether every brace of a pattern has its partner. */
export function isBalanced(pattern: string): boolean {
  let depth = 0;
  for (const character of pattern) {
    depth += step(character);
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** How many patterns without braces a balanced pattern stands for: counted before any is written out. */
export function countAlternatives(pattern: string): number {
  const braces = firstBraces(pattern);
  if (braces === null) return 1;
  const inside = braces.choices.map(countAlternatives).reduce((sum, each) => sum + each, 0);
  return inside * countAlternatives(braces.after);
}

/** The patterns without braces that a balanced pattern stands for: `{a,b}c` for `ac` and `bc`. */
export function alternativesOf(pattern: string): readonly string[] {
  const braces = firstBraces(pattern);
  if (braces === null) return [pattern];
  const ends = alternativesOf(braces.after);
  const middles = braces.choices.flatMap(alternativesOf);
  return middles.flatMap((middle) => ends.map((end) => braces.before + middle + end));
}

interface Braces {
  readonly before: string;
  readonly choices: readonly string[];
  readonly after: string;
}

/** The first braces of a pattern, cut at the commas that are not in inner braces; null: it has none. */
function firstBraces(pattern: string): Braces | null {
  const open = pattern.indexOf("{");
  if (open < 0) return null;
  const cuts: number[] = [];
  let depth = 1;
  let at = open;
  while (depth > 0) {
    at += 1;
    const character = pattern.charAt(at);
    depth += step(character);
    if (depth === 0 || (depth === 1 && character === ",")) cuts.push(at);
  }
  const choices = cuts.map((cut, index) => pattern.slice((cuts[index - 1] ?? open) + 1, cut));
  return { before: pattern.slice(0, open), choices, after: pattern.slice(at + 1) };
}

const STEPS: { readonly [character: string]: number | undefined } = { "{": 1, "}": -1 };
const step = (character: string): number => STEPS[character] ?? 0;
