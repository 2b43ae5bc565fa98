/** Bodies of a stated length up to this are always read and not counted. In bytes. */
const SMALL_BODY = 64 * 1024;
/** Approximate cost of a chunk beside its content, in bytes: senders may send single bytes. */
const CHUNK_COST = 256;

interface HeldBody {
  bytes: number;
  readonly giveUp: () => void;
}

export type BodyMemory = ReturnType<typeof createBodyMemory>;

/**
 * Bounds the total memory of all large bodies that are being read. When it is full, the oldest one gives way: slow senders must not keep
 * out others.
 */
export function createBodyMemory(maxBytes: number) {
  /** Oldest first. */
  const held = new Set<HeldBody>();
  let total = 0;

  function grow(body: HeldBody, bytes: number): void {
    held.add(body);
    body.bytes += bytes;
    total += bytes;
    for (const oldest of held) {
      if (total <= maxBytes) return;
      release(oldest);
      oldest.giveUp();
    }
  }

  function release(body: HeldBody): void {
    if (held.delete(body)) total -= body.bytes;
  }

  return {
    /** Opens a body of a stated length (NaN or null: none is stated). `giveUp`: its chunks have to be dropped; it counts no longer. */
    open: (length: number | null, giveUp: () => void) => {
      const body: HeldBody = { bytes: 0, giveUp };
      const isSmall = length !== null && length <= SMALL_BODY;
      return {
        count: (chunk: Uint8Array): void => {
          if (!isSmall) grow(body, chunk.length + CHUNK_COST);
        },
        release: () => release(body),
      };
    },
  };
}
