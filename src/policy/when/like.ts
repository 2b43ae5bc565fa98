import { RE2JS } from "@bufbuild/re2";

const MAX_PATTERN = 1_000;

/**
 * Whether a text holds something that a pattern matches. Patterns are RE2's: time grows with the text alone, whatever the
 * pattern. Each is compiled once; there are only as many as expressions name.
 */
export function patternMatcher(): (text: string, pattern: string) => boolean {
  const compiled = new Map<string, RE2JS>();
  return (text, pattern) => {
    const known = compiled.get(pattern) ?? RE2JS.compile(pattern);
    compiled.set(pattern, known);
    return known.test(text);
  };
}

/** What is wrong with a pattern, as the end of a sentence ("the pattern …"); null: nothing. */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > MAX_PATTERN) return `is longer than ${MAX_PATTERN} characters`;
  try {
    RE2JS.compile(pattern);
    return null;
  } catch (error) {
    return `is none: ${error instanceof Error ? error.message : "it cannot be read"}`;
  }
}
