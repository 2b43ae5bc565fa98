const CHUNK_BYTES = 1024 * 1024;

/**
 * Stores many texts as UTF-8 in a few large blocks outside the JavaScript heap. A small heap is collected
 * often and cheaply; a heap full of texts would grow to several times their size.
 */
export class ByteStore {
  readonly #encoder = new TextEncoder();
  #chunk = new Uint8Array(0);
  #used = 0;

  /** Stores a text and returns its bytes, which stay valid as long as they are referenced. */
  keep(text: string): Uint8Array {
    const { read, written } = this.#encoder.encodeInto(text, this.#chunk.subarray(this.#used));
    if (read === text.length) {
      const start = this.#used;
      this.#used += written;
      return this.#chunk.subarray(start, this.#used);
    }
    // A UTF-16 unit takes at most three bytes in UTF-8.
    this.#chunk = new Uint8Array(Math.max(CHUNK_BYTES, text.length * 3));
    this.#used = 0;
    return this.keep(text);
  }
}
