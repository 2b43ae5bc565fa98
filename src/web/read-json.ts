import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { z } from "zod";
import { within } from "../kernel/clock.ts";
import { parseJsonBytes } from "../kernel/parse-json.ts";
import { PARSE_OPTIONS } from "../kernel/parse-options.ts";
import { shorten } from "../kernel/shorten.ts";

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

/** A request is refused: Hono answers with the message and what the sender can do, as JSON. It contains no part of a credential. */
export class RefusalError extends HTTPException {
  override readonly name = "RefusalError";
  readonly hint: string;

  constructor(status: ContentfulStatusCode, message: string, hint: string) {
    super(status, { message, res: Response.json({ message, hint }, { status }) });
    this.hint = hint;
  }
}

export const refuse = (status: ContentfulStatusCode, message: string, hint: string): RefusalError =>
  new RefusalError(status, message, hint);

/** In characters. */
const MAX_MESSAGE = 1_000;

/** Reads a JSON body of a schema, as `readJson`. Throws the refusal of any other one; `hint`: what to send. */
export async function readBody<S extends z.ZodType>(
  request: Request,
  { schema, limits, hint }: { readonly schema: S; readonly limits: JsonBodyLimits; readonly hint: string },
): Promise<z.output<S>> {
  const body = await readJson(request, limits);
  if (body.state !== "read" && body.state !== "not_json") {
    const [status, message, way] = BODY_PROBLEMS[body.state];
    throw refuse(status, message, way);
  }
  const parsed = schema.safeParse(body.state === "read" ? body.value : undefined, PARSE_OPTIONS);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.message}`);
  throw refuse(400, shorten(problems.join("; "), MAX_MESSAGE), hint);
}

const BODY_PROBLEMS = {
  wrong_type: [415, "the body is not JSON", "Send content-type: application/json."],
  too_large: [413, "the body is too large", "Send less in one call."],
  too_slow: [408, "the body took too long", "Send it again."],
  broken: [400, "the body ended early", "Send it again."],
} as const;
