import { RE2JS } from "@bufbuild/re2";
import { LRUCache } from "lru-cache";

const MAX_PATTERN = 1_000;
/**
 * Largest size of a pattern, in instructions with expanded repetitions; it bounds the cost per character of a
 * text.
 */
const MAX_SIZE = 2_000;

/** Compiled patterns. The RE2 engine takes time linear in the text, for every pattern. */
const compiled = new LRUCache<string, RE2JS>({ max: 200, memoMethod: (pattern) => RE2JS.compile(pattern) });

/** Whether a part of the text matches the pattern. */
export const hasMatch = (text: string, pattern: string): boolean => compiled.memo(pattern).test(text);

/** The size of a pattern in instructions. */
export const getPatternSize = (pattern: string): number => compiled.memo(pattern).re2().prog.numInst();

/** Describes the problem of a pattern as the end of a sentence ("the pattern …"); null: none. */
export function findPatternProblem(pattern: string): string | null {
  if (pattern.length > MAX_PATTERN) return `is longer than ${MAX_PATTERN} characters`;
  try {
    return getPatternSize(pattern) > MAX_SIZE
      ? "is too large when its repetitions {n,m} are written out; repeat less"
      : null;
  } catch (error) {
    return `is none: ${error instanceof Error ? error.message : "it cannot be read"}`;
  }
}
