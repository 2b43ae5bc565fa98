import { type Dispatcher, errors, Pool } from "undici";
import type { EncodedRequest } from "./contract/wire/codec.ts";
import { createFailure, type Failure } from "./errors.ts";

export interface TransportLimits {
  /** Time limit for connecting, TLS included, in ms. */
  readonly connectMs: number;
  /** Time limit from sending to the answer's headers, connecting included, in ms. */
  readonly headersMs: number;
  /** Time limit between two chunks of the answer's body, in ms. */
  readonly bodyMs: number;
  readonly maxAnswerBytes: number;
  readonly connections: number;
}

export interface HttpRequest extends EncodedRequest {
  readonly method: Dispatcher.HttpMethod;
  /** Time limit of this attempt as a whole, in ms. */
  readonly remainingMs: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface Transport {
  /** Sends one request. Returns a failure when no complete answer arrives; statuses and contents are not checked here. */
  send(request: HttpRequest): Promise<HttpAnswer | Failure>;
  close(): Promise<void>;
}

/** Aborts an attempt; the message names the exceeded time limit. */
class TimeLimitError extends Error {}

/** Maximum size of an error's body, which is read for its message only, in bytes. */
const MAX_ERROR_BYTES = 65_536;

/** Creates keep-alive connections to one origin. It follows no redirects and decompresses no answers. */
export function createTransport(origin: string, limits: TransportLimits): Transport {
  const pool = new Pool(origin, {
    connections: limits.connections,
    connect: { timeout: limits.connectMs },
    allowH2: false,
    // These timers are precise to the millisecond and identify the exceeded limit; undici's tick once a
    // second.
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
    return createFailure("too_large", `the answer is larger than ${maxBytes} bytes`, { status });
  }
  return { status, headers: flatten(headers), body: size > limit ? new Uint8Array() : Buffer.concat(pieces) };
}

/** Returns headers with lower-case names and without cookies. */
function flatten(headers: Dispatcher.ResponseData["headers"]): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && name !== "set-cookie")
      flat[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}

const NO_TIME: readonly string[] = ["UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT"];

/** Maps a transport error to a failure. It never quotes a library's message, which may contain the request. */
function readTransportError(error: unknown): Failure {
  if (error instanceof TimeLimitError) return createFailure("timed_out", error.message);
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) {
    return createFailure("malformed", "the answer is not HTTP as it should be", { code: error.name });
  }
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "UNKNOWN";
  if (NO_TIME.includes(code)) return createFailure("timed_out", "no connection in time", { code });
  return createFailure("unavailable", `no connection, or it broke (${code})`, { code });
}
