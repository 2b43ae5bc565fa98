export interface JsonLimits {
  /** How deep lists and objects may lie in one another. */
  readonly depth: number;
  /** How many values there may be in lists and objects, about: brackets that open and commas. */
  readonly parts: number;
}

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
/** `[` and `{`, `]` and `}`. */
const OPENERS = [91, 123] as const;
const CLOSERS = [93, 125] as const;

/**
 * Counts what a JSON text would become before it is parsed: a byte of brackets becomes fifty in memory. It takes the text's bytes in
 * pieces of any size and checks no grammar.
 */
export class JsonBounds {
  readonly #limits: JsonLimits;
  #depth = 0;
  #deepest = 0;
  #parts = 0;
  #isInString = false;
  #isEscaped = false;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  /** Reads on; what is exceeded so far, or null. */
  read(bytes: Uint8Array): keyof JsonLimits | null {
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#isInString) at = this.#skipString(bytes, at);
      else this.#count(bytes[at] ?? 0);
    }
    if (this.#deepest > this.#limits.depth) return "depth";
    return this.#parts > this.#limits.parts ? "parts" : null;
  }

  #count(byte: number): void {
    if (byte === QUOTE) this.#isInString = true;
    else if (byte === COMMA) this.#parts += 1;
    else if (byte === OPENERS[0] || byte === OPENERS[1]) {
      this.#parts += 1;
      this.#depth += 1;
      if (this.#depth > this.#deepest) this.#deepest = this.#depth;
    } else if (byte === CLOSERS[0] || byte === CLOSERS[1]) this.#depth -= 1;
  }

  /** Where the string ends, or the last byte. */
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
