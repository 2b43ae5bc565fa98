import type { IncomingMessage, ServerResponse } from "node:http";
import { BodyMemory } from "../../kernel/body-memory.ts";
import {
  acceptReduced,
  type DeliveryBody,
  type DeliveryIntake,
  getReduceContext,
  isDeliveryId,
  type ReducedBody,
  reduceBody,
} from "./accept-delivery.ts";
import { REDUCERS } from "./events.ts";
import { assertWebhookSecret, hasSignatureShape, SignatureCheck } from "./payload/payload.ts";

export interface DeliveryReceiverOptions extends DeliveryIntake {
  readonly secret: string;
  /** Reduces large bodies, of which it may take the bytes, without blocking the event loop; default: they are reduced like all others. */
  readonly reduceLarge?: (body: DeliveryBody) => Promise<ReducedBody>;
  /** The sender of a request, for fair shares of memory; default: the connection's remote address. */
  readonly getClient?: (request: IncomingMessage) => string;
  /** Largest body in bytes; GitHub sends at most 25 MB. */
  readonly maxBytes?: number;
  /** For one whole body, in milliseconds. */
  readonly bodyTimeoutMs?: number;
  /** After a refusal the rest of the body is read and dropped for at most this long, so that the sender reads the answer. In milliseconds. */
  readonly lingerMs?: number;
}

/** Answers webhook deliveries; false: another address, not answered. */
export type DeliveryReceiver = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

interface DeliveryAnswer {
  readonly status: 202 | 400 | 401 | 405 | 408 | 413 | 415 | 503;
  readonly word: string;
}

const PATH = /^\/api\/github\/webhooks\/?(\?|$)/;
const MAX_BYTES = 25 * 1024 * 1024;
const BODY_TIMEOUT_MS = 9_000;
const LINGER_MS = 1_000;
/** Memory for all large bodies that are read at the same time, in multiples of the largest body. */
const LARGEST_AT_ONCE = 4;
/** Most deliveries are smaller; GitHub states the length of each. In bytes. */
const SMALL_BODY = 128 * 1024;
const SMALL_AT_ONCE = 128;

/**
 * Makes the receiver of all deliveries. It checks in this order: address, method, form of the headers, length, signature over the raw
 * bytes, event name, content; only then is anything stored. Answers carry one word and nothing of what was sent.
 */
export function createReceiver(options: DeliveryReceiverOptions): DeliveryReceiver {
  assertWebhookSecret(options.secret);
  const maxBytes = options.maxBytes ?? MAX_BYTES;
  const smallBody = Math.min(SMALL_BODY, maxBytes);
  const memory = new BodyMemory({
    large: maxBytes * LARGEST_AT_ONCE,
    small: smallBody * SMALL_AT_ONCE,
    smallBody,
  });
  const limits = { maxBytes, timeoutMs: options.bodyTimeoutMs ?? BODY_TIMEOUT_MS, memory };
  const getClient = options.getClient ?? ((request) => request.socket.remoteAddress ?? "");
  const { lingerMs = LINGER_MS } = options;
  const take = async (request: IncomingMessage): Promise<DeliveryAnswer> => {
    const refusal = refuseByHeaders(request, maxBytes);
    if (refusal !== null) return refuse(options, refusal);
    const signature = new SignatureCheck(options.secret, getHeader(request, "x-hub-signature-256"));
    const inspect = (chunk: Buffer) => signature.update(chunk);
    const body = await readBody(request, { ...limits, client: getClient(request), inspect });
    if (body.state !== "read") return refuse(options, UNREAD_ANSWERS[body.state]);
    if (!signature.isValid()) return refuse(options, UNSIGNED_ANSWER);
    return acceptBody(options, request, body.chunks);
  };
  return async (request, response) => {
    if (!PATH.test(request.url ?? "")) return false;
    sendResponse({ request, response, lingerMs }, await take(request));
    return true;
  };
}

const UNSIGNED_ANSWER: DeliveryAnswer = { status: 401, word: "not signed with the shared secret" };
const UNREAD_ANSWERS = {
  too_large: { status: 413, word: "too large" },
  too_slow: { status: 408, word: "too slow" },
  broken: { status: 400, word: "broken off" },
  busy: { status: 503, word: "busy" },
} as const satisfies Record<string, DeliveryAnswer>;

/** Before the signature is verified, the name of the event is not trusted either. */
function refuse({ onAnswer }: DeliveryIntake, answer: DeliveryAnswer): DeliveryAnswer {
  onAnswer?.("unverified", answer === UNSIGNED_ANSWER ? "unsigned" : "refused");
  return answer;
}

/** Everything that can be refused before one byte of the body is read. */
function refuseByHeaders(request: IncomingMessage, maxBytes: number): DeliveryAnswer | null {
  if (request.method !== "POST") return { status: 405, word: "POST only" };
  if (!/^application\/json\s*(;|$)/i.test(getHeader(request, "content-type")))
    return { status: 415, word: "JSON only" };
  const encoding = getHeader(request, "content-encoding");
  if (encoding !== "" && encoding !== "identity") return { status: 415, word: "no encodings" };
  if (Number(getHeader(request, "content-length")) > maxBytes) return UNREAD_ANSWERS.too_large;
  if (!hasSignatureShape(getHeader(request, "x-hub-signature-256"))) return UNSIGNED_ANSWER;
  const named =
    getHeader(request, "x-github-event") !== "" && isDeliveryId(getHeader(request, "x-github-delivery"));
  return named ? null : { status: 400, word: "no event or delivery id" };
}

const IGNORED_ANSWER: DeliveryAnswer = { status: 202, word: "ignored" };

/** Larger bodies are reduced by `reduceLarge`. One of this size takes about 10 ms, in bytes. */
const LARGE_BODY = 1024 * 1024;

/** Reduces a verified body and stores the delivery. The body of an unknown event is not even parsed. */
async function acceptBody(
  options: DeliveryReceiverOptions,
  request: IncomingMessage,
  chunks: readonly Buffer[],
): Promise<DeliveryAnswer> {
  const name = getHeader(request, "x-github-event");
  const id = getHeader(request, "x-github-delivery");
  if (!REDUCERS.has(name)) {
    options.onAnswer?.(name, "ignored");
    return IGNORED_ANSWER;
  }
  const { reduceLarge = reduceBody } = options;
  const bytes = Buffer.concat(chunks);
  try {
    const reduce = bytes.length > LARGE_BODY ? reduceLarge : reduceBody;
    const reduced = await reduce({ name, bytes, context: getReduceContext(options) });
    if (reduced.state !== "not_json")
      return { status: 202, word: await acceptReduced(options, { id, name, reduced }) };
    options.onAnswer?.(name, "refused");
    return { status: 400, word: "not JSON" };
  } catch (error) {
    options.log.warn(
      { delivery: id, err: error },
      "a delivery could not be stored; GitHub lists it as failed",
    );
    return { status: 503, word: "not stored" };
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly lingerMs: number;
}

function sendResponse({ request, response, lingerMs }: Exchange, { status, word }: DeliveryAnswer): void {
  const text = `${word}\n`;
  const headers = { "content-type": "text/plain; charset=utf-8", "content-length": Buffer.byteLength(text) };
  if (request.complete) {
    response.writeHead(status, headers).end(text);
    return;
  }
  // The whole answer is sent now. Ending it now would close the connection while the body still arrives, and the kernel answers
  // that with a reset, which can reach the sender before it has read the answer.
  response.writeHead(status, { ...headers, connection: "close" }).write(text);
  const finish = (): void => {
    clearTimeout(linger);
    response.end(() => request.socket.destroySoon());
  };
  const linger = setTimeout(finish, lingerMs).unref();
  request.on("error", () => undefined).once("close", finish);
  request.once("end", finish).resume();
}

const getHeader = (request: IncomingMessage, name: string): string => {
  const value = request.headers[name];
  return typeof value === "string" ? value : "";
};

type BodyResult =
  | { readonly state: "read"; readonly chunks: readonly Buffer[] }
  | { readonly state: "too_large" | "too_slow" | "broken" | "busy" };

interface BodyLimits {
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
function readBody(request: IncomingMessage, limits: BodyLimits): Promise<BodyResult> {
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
