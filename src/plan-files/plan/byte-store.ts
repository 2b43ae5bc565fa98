const CHUNK = 1024 * 1024;

/**
 * Keeps many texts as UTF-8 in a few large blocks outside the JavaScript heap: a heap that stays small is collected often and
 * cheaply, where one full of texts would be let grow to several times their size.
 */
export class ByteStore {
  readonly #encoder = new TextEncoder();
  #chunk = new Uint8Array(0);
  #used = 0;

  /** The bytes of the text; valid for as long as they are referred to. */
  keep(text: string): Uint8Array {
    const { read, written } = this.#encoder.encodeInto(text, this.#chunk.subarray(this.#used));
    if (read === text.length) {
      const start = this.#used;
      this.#used += written;
      return this.#chunk.subarray(start, this.#used);
    }
    // A UTF-16 unit takes at most three bytes in UTF-8.
    this.#chunk = new Uint8Array(Math.max(CHUNK, text.length * 3));
    this.#used = 0;
    return this.keep(text);
  }
}
