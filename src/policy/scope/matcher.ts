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

/**
 * As `createMatcher`, for paths of files: a pattern without `*` or `?` is that file or everything below that
 * folder.
 */
export const createPathMatcher = (
  patterns: readonly string[],
  leftOut: readonly string[] = [],
): ((path: string) => boolean) => createMatcher(patterns.flatMap(withFolder), leftOut.flatMap(withFolder));

const withFolder = (pattern: string): readonly string[] =>
  /[*?]/.test(pattern) ? [pattern] : [pattern, `${pattern}/**`];

function createAnyMatcher(patterns: readonly string[]): (text: string) => boolean {
  const compiled = patterns.map(compileGlob);
  return (text) => compiled.some((glob) => glob?.(text) ?? false);
}
