import { RE2JS } from "@bufbuild/re2";

const MAX_PATTERN = 1_000;
/**
 * Largest size of a pattern, in instructions with expanded repetitions; it bounds the cost per character of a
 * text.
 */
const MAX_SIZE = 2_000;
/** Largest number of cached patterns. */
const MAX_CACHED = 200;

/**
 * A least-recently-used cache of compiled patterns. The RE2 engine takes time linear in the text, for every
 * pattern.
 */
export class Patterns {
  readonly #compiled = new Map<string, RE2JS>();

  /** Whether a part of the text matches the pattern. */
  hasMatch(text: string, pattern: string): boolean {
    return this.#compile(pattern).test(text);
  }

  getSize(pattern: string): number {
    return countInstructions(this.#compile(pattern));
  }

  #compile(pattern: string): RE2JS {
    const known = this.#compiled.get(pattern);
    if (known !== undefined) return known;
    const compiled = RE2JS.compile(pattern);
    const [oldest] = this.#compiled.keys();
    if (this.#compiled.size >= MAX_CACHED && oldest !== undefined) this.#compiled.delete(oldest);
    this.#compiled.set(pattern, compiled);
    return compiled;
  }
}

const countInstructions = (pattern: RE2JS): number => pattern.re2().prog.numInst();

/** Describes the problem of a pattern as the end of a sentence ("the pattern …"); null: none. */
export function findPatternProblem(pattern: string): string | null {
  if (pattern.length > MAX_PATTERN) return `is longer than ${MAX_PATTERN} characters`;
  try {
    return countInstructions(RE2JS.compile(pattern)) > MAX_SIZE
      ? "is too large when its repetitions {n,m} are written out; repeat less"
      : null;
  } catch (error) {
    return `is none: ${error instanceof Error ? error.message : "it cannot be read"}`;
  }
}
