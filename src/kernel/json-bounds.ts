export interface JsonLimits {
  /** Greatest nesting depth of lists and objects. */
  readonly depth: number;
  /** Approximate number of values in lists and objects: opening brackets and commas. */
  readonly values: number;
}

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
/** `[` and `{`, `]` and `}`. */
const OPENERS = [91, 123] as const;
const CLOSERS = [93, 125] as const;

/**
 * Bounds the memory that a JSON text needs when parsed, before it is parsed: one byte of brackets needs fifty
 * bytes. Reads the text's bytes in pieces of any size and checks no grammar.
 */
export class JsonBounds {
  readonly #limits: JsonLimits;
  #depth = 0;
  #deepest = 0;
  #values = 0;
  #isInString = false;
  #isEscaped = false;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  /** Reads the next piece; returns the limit that is exceeded so far, or null. */
  read(bytes: Uint8Array): keyof JsonLimits | null {
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#isInString) at = this.#skipString(bytes, at);
      else this.#count(bytes[at] ?? 0);
    }
    if (this.#deepest > this.#limits.depth) return "depth";
    return this.#values > this.#limits.values ? "values" : null;
  }

  #count(byte: number): void {
    if (byte === QUOTE) this.#isInString = true;
    else if (byte === COMMA) this.#values += 1;
    else if (byte === OPENERS[0] || byte === OPENERS[1]) {
      this.#values += 1;
      this.#depth += 1;
      if (this.#depth > this.#deepest) this.#deepest = this.#depth;
    } else if (byte === CLOSERS[0] || byte === CLOSERS[1]) this.#depth -= 1;
  }

  /** Returns the index of the string's end, or of the last byte. */
  #skipString(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at += 1) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (bytes[at] === BACKSLASH) this.#isEscaped = true;
      else if (bytes[at] === QUOTE) {
        this.#isInString = false;
        return at;
      }
    }
    return bytes.length;
  }
}
