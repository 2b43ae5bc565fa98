import { compileGlob } from "../../kernel/glob.ts";

/**
 * Creates a predicate: the text matches one of the patterns (or there are none) and none of the excluded
 * ones.
 */
export function createMatcher(
  patterns: readonly string[],
  leftOut: readonly string[] = [],
): (text: string) => boolean {
  const isIn = patterns.length === 0 ? () => true : createAnyMatcher(patterns);
  if (leftOut.length === 0) return isIn;
  const isOut = createAnyMatcher(leftOut);
  return (text) => isIn(text) && !isOut(text);
}

function createAnyMatcher(patterns: readonly string[]): (text: string) => boolean {
  const compiled = patterns.map(compileGlob);
  return (text) => compiled.some((glob) => glob?.(text) ?? false);
}
