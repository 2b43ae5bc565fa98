import { RE2JS } from "@bufbuild/re2";

const MAX_PATTERN = 1_000;
/** Instructions of a pattern with its repetitions written out: they bound what a character of a text costs. */
const MAX_SIZE = 2_000;
/** Patterns that are kept compiled. */
const KEPT = 200;

/** Patterns, each compiled once while it is among those that were used last. They are RE2's: time grows with the text alone, whatever the pattern. */
export class Patterns {
  readonly #compiled = new Map<string, RE2JS>();

  /** Whether a text holds something that the pattern matches. */
  isIn(text: string, pattern: string): boolean {
    return this.#compile(pattern).test(text);
  }

  sizeOf(pattern: string): number {
    return sizeOf(this.#compile(pattern));
  }

  #compile(pattern: string): RE2JS {
    const known = this.#compiled.get(pattern);
    if (known !== undefined) return known;
    const compiled = RE2JS.compile(pattern);
    const [oldest] = this.#compiled.keys();
    if (this.#compiled.size >= KEPT && oldest !== undefined) this.#compiled.delete(oldest);
    this.#compiled.set(pattern, compiled);
    return compiled;
  }
}

const sizeOf = (pattern: RE2JS): number => pattern.re2().prog.numInst();

/** What is wrong with a pattern, as the end of a sentence ("the pattern …"); null: nothing. */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > MAX_PATTERN) return `is longer than ${MAX_PATTERN} characters`;
  try {
    return sizeOf(RE2JS.compile(pattern)) > MAX_SIZE
      ? "is too large when its repetitions {n,m} are written out; repeat less"
      : null;
  } catch (error) {
    return `is none: ${error instanceof Error ? error.message : "it cannot be read"}`;
  }
}
