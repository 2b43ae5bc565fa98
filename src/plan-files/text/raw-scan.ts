const QUOTE = 34;
const BACKSLASH = 92;
const OPENERS = new Set([123, 91]);
const CLOSERS = new Set([125, 93]);
const SCALAR_END = /[,\]}\s]/g;

/**
 * Greatest nesting depth of lists and objects: deeper than any tool writes, and low enough that parsing stays
 * cheap.
 */
export const MAX_DEPTH = 1_000;

/** A value with lists and objects nested deeper than `MAX_DEPTH`. */
export class NestingError extends Error {
  override readonly name = "TooDeep";
}

/** Finds the end of one JSON value in text that arrives in pieces: it follows strings and counts brackets. */
export class RawScan {
  readonly #scalar: boolean;
  #depth = 0;
  #inString = false;
  #escaped = false;

  /** `scalar`: the value is a number or a word, which ends at the first other character. */
  constructor(scalar: boolean) {
    this.#scalar = scalar;
  }

  /**
   * Returns the index after the value in `chunk`, searching from `from`; null: the chunk ends before the
   * value.
   */
  end(chunk: string, from: number): number | null {
    if (!this.#scalar) return this.#nestedEnd(chunk, from);
    SCALAR_END.lastIndex = from;
    return SCALAR_END.exec(chunk)?.index ?? null;
  }

  #nestedEnd(chunk: string, from: number): number | null {
    let at = from;
    while (at < chunk.length) {
      at = this.#inString ? this.#stringEnd(chunk, at) : this.#step(chunk, at);
      if (this.#depth === 0 && !this.#inString) return at;
    }
    return null;
  }

  /** Reads up to the next character that affects the state. */
  #step(chunk: string, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const code = chunk.charCodeAt(at);
      if (code === QUOTE) this.#inString = true;
      else if (OPENERS.has(code)) this.#open();
      else if (CLOSERS.has(code)) this.#depth -= 1;
      else continue;
      return at + 1;
    }
    return chunk.length;
  }

  #open(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new NestingError();
  }

  #stringEnd(chunk: string, from: number): number {
    let at = this.#escaped ? from + 1 : from;
    for (; at < chunk.length; at += 1) {
      const code = chunk.charCodeAt(at);
      if (code === QUOTE) {
        this.#inString = false;
        this.#escaped = false;
        return at + 1;
      }
      if (code === BACKSLASH) at += 1;
    }
    this.#escaped = at > chunk.length;
    return chunk.length;
  }
}
