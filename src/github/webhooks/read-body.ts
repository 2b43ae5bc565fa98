import type { IncomingMessage } from "node:http";

export type Body =
  | { readonly state: "read"; readonly bytes: Buffer }
  | { readonly state: "too_large" | "too_slow" | "broken" | "busy" };

/** What all requests together may hold in memory while they are read. */
export class BodyBudget {
  readonly #maxBytes: number;
  #held = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  take(bytes: number): boolean {
    if (this.#held + bytes > this.#maxBytes) return false;
    this.#held += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#held -= bytes;
  }
}

export interface BodyLimits {
  readonly maxBytes: number;
  /** For the whole body, in milliseconds. */
  readonly timeoutMs: number;
  readonly budget: BodyBudget;
}

/** Reads a body as far as the limits allow. It stops counting, not reading: whoever answers decides what becomes of the connection. */
export function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (body: Body): void => {
      clearTimeout(timer);
      request.off("data", onData).off("end", onEnd).off("error", onBroken).off("close", onBroken);
      limits.budget.giveBack(size);
      resolve(body);
    };
    const timer = setTimeout(() => finish({ state: "too_slow" }), limits.timeoutMs);
    const onData = (chunk: Buffer): void => {
      if (size + chunk.length > limits.maxBytes) finish({ state: "too_large" });
      else if (!limits.budget.take(chunk.length)) finish({ state: "busy" });
      else {
        size += chunk.length;
        chunks.push(chunk);
      }
    };
    const onEnd = (): void => finish({ state: "read", bytes: Buffer.concat(chunks, size) });
    const onBroken = (): void => finish({ state: "broken" });
    request.on("data", onData).on("end", onEnd).on("error", onBroken).on("close", onBroken);
  });
}
