/** A body that is being read. */
export interface BodyReading {
  /** Whose body it is: clients have shares. */
  readonly client: string;
  /** What the sender says that it has. In bytes; null: it does not say. */
  readonly length: number | null;
  /** Gives the body up, because another one needs its memory. */
  readonly giveUp: () => void;
}

export interface BodyMemoryLimits {
  /** In bytes: for bodies that say that they are at most `smallBody` long. */
  readonly small: number;
  /** In bytes: for all others. */
  readonly large: number;
  readonly smallBody: number;
}

interface Held {
  readonly reading: BodyReading;
  bytes: number;
}

/**
 * What all bodies together may hold in memory while they are read. Where there is no room, the oldest body is given up for the newest:
 * a sender that means it sends its body at once, and one that holds it back holds up nobody else. A client has half of the memory, and
 * small bodies have memory of their own.
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

  open(reading: BodyReading): HeldBody {
    const { length } = reading;
    return (length !== null && length <= this.#smallBody ? this.#small : this.#large).open(reading);
  }
}

/** The memory of one body. */
export interface HeldBody {
  /** Makes room for more bytes; false: there is none, even without all other bodies. */
  grow(bytes: number): boolean;
  release(): void;
}

class BodyPool {
  readonly #maxBytes: number;
  /** The oldest first. */
  readonly #held = new Set<Held>();
  readonly #bytesOf = new Map<string, number>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  open(reading: BodyReading): HeldBody {
    const held: Held = { reading, bytes: 0 };
    this.#held.add(held);
    return { grow: (bytes) => this.#grow(held, bytes), release: () => this.#release(held) };
  }

  #grow(held: Held, bytes: number): boolean {
    const { client } = held.reading;
    while ((this.#bytesOf.get(client) ?? 0) + bytes > this.#maxBytes / 2)
      if (!this.#giveUpOldest((other) => other !== held && other.reading.client === client)) return false;
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

  #giveUpOldest(isChosen: (held: Held) => boolean): boolean {
    for (const held of this.#held) {
      if (held.bytes === 0 || !isChosen(held)) continue;
      this.#release(held);
      held.reading.giveUp();
      return true;
    }
    return false;
  }

  #release(held: Held): void {
    if (this.#held.delete(held)) this.#count(held.reading.client, -held.bytes);
  }
}
