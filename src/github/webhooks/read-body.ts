import type { IncomingMessage } from "node:http";
import type { BodyMemory } from "../../kernel/body-memory.ts";

export type BodyResult =
  | { readonly state: "read"; readonly chunks: readonly Buffer[] }
  | { readonly state: "too_large" | "too_slow" | "broken" | "busy" };

export interface BodyLimits {
  readonly maxBytes: number;
  /** For the whole body, in milliseconds. */
  readonly timeoutMs: number;
  readonly memory: BodyMemory;
  /** The sender of the body. */
  readonly client: string;
  /** Called with each chunk as it arrives. */
  readonly inspect: (chunk: Buffer) => void;
}

/** Approximate cost of a chunk in memory beside its content, in bytes: senders may send single bytes. */
const CHUNK_COST = 256;

/** Reads a body within the limits. Beyond them it stops storing, not reading: the caller decides when to close the connection. */
export function readBody(request: IncomingMessage, limits: BodyLimits): Promise<BodyResult> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stated = request.headers["content-length"];
    const held = limits.memory.open({
      client: limits.client,
      length: stated === undefined ? null : Number(stated),
      abort: () => finish({ state: "busy" }),
    });
    const finish = (body: BodyResult): void => {
      clearTimeout(timer);
      request.off("data", onData).off("end", onEnd).off("error", onBroken).off("close", onBroken);
      held.release();
      resolve(body);
    };
    const timer = setTimeout(() => finish({ state: "too_slow" }), limits.timeoutMs);
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limits.maxBytes) finish({ state: "too_large" });
      else if (!held.grow(chunk.length + CHUNK_COST)) finish({ state: "busy" });
      else {
        limits.inspect(chunk);
        chunks.push(chunk);
      }
    };
    const onEnd = (): void => finish({ state: "read", chunks });
    const onBroken = (): void => finish({ state: "broken" });
    request.on("data", onData).on("end", onEnd).on("error", onBroken).on("close", onBroken);
  });
}
