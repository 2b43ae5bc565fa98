/** Bodies of a stated length up to this are always read and not counted. In bytes. */
const SMALL_BODY = 64 * 1024;
/** Approximate cost of a chunk beside its content, in bytes: senders may send single bytes. */
const CHUNK_COST = 256;

interface HeldBody {
  bytes: number;
  readonly giveUp: () => void;
}

/**
 * Bounds the total memory of all large bodies that are being read. When it is full, the oldest one gives way: slow senders must not keep
 * out others.
 */
export class BodyMemory {
  readonly #maxBytes: number;
  /** Oldest first. */
  readonly #held = new Set<HeldBody>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Opens a body of a stated length (NaN or null: none is stated). `giveUp`: its chunks have to be dropped; it counts no longer. */
  open(
    length: number | null,
    giveUp: () => void,
  ): { readonly count: (chunk: Uint8Array) => void; readonly release: () => void } {
    const body: HeldBody = { bytes: 0, giveUp };
    const isSmall = length !== null && length <= SMALL_BODY;
    return {
      count: (chunk) => {
        if (!isSmall) this.#grow(body, chunk.length + CHUNK_COST);
      },
      release: () => this.#release(body),
    };
  }

  #grow(body: HeldBody, bytes: number): void {
    this.#held.add(body);
    body.bytes += bytes;
    this.#bytes += bytes;
    for (const oldest of this.#held) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#release(oldest);
      oldest.giveUp();
    }
  }

  #release(body: HeldBody): void {
    if (this.#held.delete(body)) this.#bytes -= body.bytes;
  }
}
