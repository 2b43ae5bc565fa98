import { within } from "../kernel/clock.ts";
import { parseJsonBytes } from "../kernel/parse-json.ts";

/** The result of reading a request's body. `broken`: the connection ended before the body was complete. */
export type JsonBody =
  | { readonly state: "read"; readonly value: unknown }
  | { readonly state: "wrong_type" | "too_large" | "too_slow" | "not_json" | "broken" };

export interface JsonBodyLimits {
  /** In bytes. */
  readonly maxBytes: number;
  /** For the whole body, in ms. */
  readonly timeoutMs: number;
}

/** Reads a JSON body within a size limit and a time limit. The caller authenticates the sender first. */
export async function readJson(request: Request, limits: JsonBodyLimits): Promise<JsonBody> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^\s*application\/json\s*(;|$)/i.test(type)) return { state: "wrong_type" };
  if (Number(request.headers.get("content-length") ?? "0") > limits.maxBytes) return { state: "too_large" };
  const reader = request.body?.getReader();
  if (reader === undefined) return { state: "not_json" };
  const late = (): JsonBody => ({ state: "too_slow" });
  const body = await within(limits.timeoutMs, collectBody(reader, limits.maxBytes), late);
  if (body.state !== "read") void reader.cancel().catch(() => {});
  return body;
}

async function collectBody(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): Promise<JsonBody> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.byteLength;
      if (size > maxBytes) return { state: "too_large" };
      chunks.push(next.value);
    }
  } catch {
    return { state: "broken" };
  }
  const value = parseJsonBytes(Buffer.concat(chunks, size));
  return value === undefined ? { state: "not_json" } : { state: "read", value };
}
