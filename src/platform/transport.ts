import { type Dispatcher, errors, Pool } from "undici";
import type { EncodedRequest } from "./contract/wire/codec.ts";
import { type Failure, failure } from "./errors.ts";

export interface TransportLimits {
  /** Until the connection stands, TLS included, in ms. */
  readonly connectMs: number;
  /** From sending to the answer's head, connecting included, in ms. */
  readonly headersMs: number;
  /** Between two pieces of the answer's body, in ms. */
  readonly bodyMs: number;
  /** An answer's body, in bytes. */
  readonly maxAnswerBytes: number;
  /** Connections kept open side by side. */
  readonly connections: number;
}

export interface HttpRequest extends EncodedRequest {
  readonly method: Dispatcher.HttpMethod;
  /** What is left for this try as a whole, in ms. */
  readonly remainingMs: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface Transport {
  /** One try. Everything that keeps an answer from arriving is a failure; statuses and contents are not judged here. */
  send(request: HttpRequest): Promise<HttpAnswer | Failure>;
  close(): Promise<void>;
}

/** Ends a try; its message says which time ran out. */
class TimeLimitError extends Error {}

/** An error's body is read for its message only, up to so many bytes. */
const MAX_ERROR_BYTES = 65_536;

/** Keep-alive connections to one origin. Redirects are not followed; answers are not decompressed, none are asked for compressed. */
export function createTransport(origin: string, limits: TransportLimits): Transport {
  const pool = new Pool(origin, {
    connections: limits.connections,
    connect: { timeout: limits.connectMs },
    allowH2: false,
    // Our own timers are exact to the millisecond and tell which time ran out; undici's tick once a second.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    send: (request) => send(pool, limits, request),
    close: () => pool.destroy(),
  };
}

async function send(
  pool: Pool,
  limits: TransportLimits,
  request: HttpRequest,
): Promise<HttpAnswer | Failure> {
  const abort = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const endAfter = (ms: number, missing: string): NodeJS.Timeout => {
    const timer = setTimeout(
      () => abort.abort(new TimeLimitError(`${missing} within ${Math.round(ms)} ms`)),
      ms,
    );
    timers.push(timer);
    return timer;
  };
  endAfter(request.remainingMs, "no complete answer");
  const head = endAfter(limits.headersMs, "no answer");
  try {
    const { method, target: path, headers, body } = request;
    const answer = await pool.request({ method, path, headers, body, signal: abort.signal });
    clearTimeout(head);
    const idle = endAfter(limits.bodyMs, "nothing more of the answer");
    return await readAnswer(answer, limits.maxAnswerBytes, () => idle.refresh());
  } catch (error) {
    return readTransportError(abort.signal.aborted ? abort.signal.reason : error);
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

async function readAnswer(
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  maxBytes: number,
  onPiece: () => void,
): Promise<HttpAnswer | Failure> {
  const isError = status >= 300;
  const limit = isError ? Math.min(MAX_ERROR_BYTES, maxBytes) : maxBytes;
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    onPiece();
    size += piece.byteLength;
    if (size > limit) break; // leaving the loop closes the connection: the rest is never received
    pieces.push(piece);
  }
  if (size > limit && !isError) {
    return failure("too_large", `the answer is larger than ${maxBytes} bytes`, { status });
  }
  return { status, headers: flatten(headers), body: size > limit ? new Uint8Array() : Buffer.concat(pieces) };
}

/** Lower-case names; cookies are not for callers. */
function flatten(headers: Dispatcher.ResponseData["headers"]): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && name !== "set-cookie")
      flat[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}

const NO_TIME: readonly string[] = ["UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT"];

/** What a broken try means. The words are ours: a library's message may quote what was sent. */
function readTransportError(error: unknown): Failure {
  if (error instanceof TimeLimitError) return failure("timed_out", error.message);
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) {
    return failure("malformed", "the answer is not HTTP as it should be", { code: error.name });
  }
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "UNKNOWN";
  if (NO_TIME.includes(code)) return failure("timed_out", "no connection in time", { code });
  return failure("unavailable", `no connection, or it broke (${code})`, { code });
}
