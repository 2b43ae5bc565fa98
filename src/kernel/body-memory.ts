/** A request body while it is read. */
export interface BodyReader {
  /** The client that sends the body; memory is shared per client. */
  readonly client: string;
  /** The declared length in bytes; null: none is declared. */
  readonly length: number | null;
  /** Aborts this body because another one needs its memory. */
  readonly abort: () => void;
}

export interface BodyMemoryLimits {
  /** Bytes for bodies with a declared length of at most `smallBody`. */
  readonly small: number;
  /** Bytes for all other bodies. */
  readonly large: number;
  readonly smallBody: number;
}

interface HeldBody {
  readonly reader: BodyReader;
  bytes: number;
}

/**
 * Bounds the total memory of all bodies that are being read. When it is full, the oldest body is aborted for
 * the newest: a slow body must not delay others. One client gets at most half of the memory, and small bodies
 * have separate memory.
 */
export class BodyMemory {
  readonly #small: BodyPool;
  readonly #large: BodyPool;
  readonly #smallBody: number;

  constructor({ small, large, smallBody }: BodyMemoryLimits) {
    this.#small = new BodyPool(small);
    this.#large = new BodyPool(large);
    this.#smallBody = smallBody;
  }

  open(reading: BodyReader): BodyAllocation {
    const { length } = reading;
    return (length !== null && length <= this.#smallBody ? this.#small : this.#large).open(reading);
  }
}

/** The memory reserved for one body. */
export interface BodyAllocation {
  /** Reserves additional bytes; false: they do not fit, even without all other bodies. */
  grow(bytes: number): boolean;
  release(): void;
}

class BodyPool {
  readonly #maxBytes: number;
  /** Allocations, oldest first. */
  readonly #held = new Set<HeldBody>();
  readonly #bytesOf = new Map<string, number>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  open(reading: BodyReader): BodyAllocation {
    const held: HeldBody = { reader: reading, bytes: 0 };
    this.#held.add(held);
    return { grow: (bytes) => this.#grow(held, bytes), release: () => this.#release(held) };
  }

  #grow(held: HeldBody, bytes: number): boolean {
    const { client } = held.reader;
    while ((this.#bytesOf.get(client) ?? 0) + bytes > this.#maxBytes / 2)
      if (!this.#giveUpOldest((other) => other !== held && other.reader.client === client)) return false;
    while (this.#bytes + bytes > this.#maxBytes)
      if (!this.#giveUpOldest((other) => other !== held)) return false;
    held.bytes += bytes;
    this.#count(client, bytes);
    return true;
  }

  #count(client: string, bytes: number): void {
    this.#bytes += bytes;
    const own = (this.#bytesOf.get(client) ?? 0) + bytes;
    if (own === 0) this.#bytesOf.delete(client);
    else this.#bytesOf.set(client, own);
  }

  #giveUpOldest(isChosen: (held: HeldBody) => boolean): boolean {
    for (const held of this.#held) {
      if (held.bytes === 0 || !isChosen(held)) continue;
      this.#release(held);
      held.reader.abort();
      return true;
    }
    return false;
  }

  #release(held: HeldBody): void {
    if (this.#held.delete(held)) this.#count(held.reader.client, -held.bytes);
  }
}
