import type { IncomingMessage, ServerResponse } from "node:http";
import { createNodeMiddleware } from "@octokit/webhooks";
import type { Logger } from "pino";
import { type ApplicationFunction, type ApplicationFunctionOptions, Probot } from "probot";
import { type BodyMemory, createBodyMemory } from "../../kernel/body-memory.ts";
import { MINUTE_MS } from "../../kernel/clock.ts";

type Webhooks = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

export interface GuardOptions {
  /** Largest body in bytes; GitHub sends at most 25 MB. */
  readonly maxBytes?: number;
  /** For one whole body, in milliseconds. */
  readonly bodyTimeoutMs?: number;
  /** After a refusal the rest of the body is read and dropped for at most this long, so that the sender reads the answer. In milliseconds. */
  readonly lingerMs?: number;
  /** Called for each request that reached no handler of an event. */
  readonly onRefused?: (outcome: "unsigned" | "refused") => void;
}

const PATH = "/api/github/webhooks";
const REQUESTED_PATH = /^\/api\/github\/webhooks\/?(\?|$)/;
const MAX_BYTES = 25 * 1024 * 1024;
const BODY_TIMEOUT_MS = 9_000;
const LINGER_MS = 1_000;
/** Memory for all large bodies that are read at the same time, in multiples of the largest body. */
const LARGEST_AT_ONCE = 4;

/**
 * Guards Probot's `webhooks`, which read bodies without any limit: reads the body within limits of size, time and memory, and hands it on as
 * `rawBody`. Answers carry nothing of what was sent.
 */
function guardWebhooks(
  webhooks: Webhooks,
  {
    maxBytes = MAX_BYTES,
    bodyTimeoutMs: timeoutMs = BODY_TIMEOUT_MS,
    lingerMs = LINGER_MS,
    onRefused = () => {},
  }: GuardOptions = {},
): Webhooks {
  const memory = createBodyMemory(maxBytes * LARGEST_AT_ONCE);
  return async (request, response) => {
    if (!REQUESTED_PATH.test(request.url ?? "")) return false;
    const body = await readBody(request, { maxBytes, timeoutMs, memory });
    if ("status" in body) {
      onRefused("refused");
      refuse(request, response, { ...body, lingerMs });
      return true;
    }
    response.once("finish", () => {
      if (response.statusCode === 400) onRefused("unsigned");
      else if (response.statusCode < 500 && response.statusCode > 400) onRefused("refused");
    });
    // Octokit does not recognise its path before `/?`, and takes `rawBody` only beside a `body`.
    Object.assign(request, { url: PATH, rawBody: body, body: null });
    // It rejects for a signed body that is JSON and no object.
    await webhooks(request, response).catch(() => refuse(request, response, { ...NO_DELIVERY, lingerMs }));
    return true;
  };
}

interface Refusal {
  readonly status: 400 | 408 | 413 | 503;
  readonly word: string;
}

const NO_DELIVERY: Refusal = { status: 400, word: "not a delivery" };
const TOO_LARGE: Refusal = { status: 413, word: "too large" };

interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly memory: BodyMemory;
}

/** Reads a body within the limits. Beyond them it stops storing, not reading: the caller decides when to close the connection. */
function readBody(
  request: IncomingMessage,
  { maxBytes, timeoutMs, memory }: BodyLimits,
): Promise<Uint8Array | Refusal> {
  const stated = Number(request.headers["content-length"]); // NaN: not stated
  if (stated > maxBytes) return Promise.resolve(TOO_LARGE);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (body: Uint8Array | Refusal): void => {
      clearTimeout(timer);
      request.off("data", onData).off("end", onEnd).off("error", onBroken).off("close", onBroken);
      held.release();
      resolve(body);
    };
    const held = memory.open(stated, () => finish({ status: 503, word: "busy" }));
    const timer = setTimeout(() => finish({ status: 408, word: "too slow" }), timeoutMs);
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBytes) finish(TOO_LARGE);
      else held.count(chunk);
    };
    const onEnd = (): void => finish(Buffer.concat(chunks));
    const onBroken = (): void => finish({ status: 400, word: "broken off" });
    request.on("data", onData).on("end", onEnd).on("error", onBroken).on("close", onBroken);
  });
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, word, lingerMs }: Refusal & { readonly lingerMs: number },
): void {
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

/** Handles a request and returns true, or returns false and leaves it untouched. */
export type NodeHandler = Parameters<ApplicationFunctionOptions["addHandler"]>[0];

interface ReceiverOptions extends GuardOptions {
  readonly appId: number;
  readonly privateKey: string;
  readonly webhookSecret: string;
  readonly apiUrl?: string;
  readonly log: Logger;
}

/** Octokit's default of 9 s would answer 202 before a delivery is stored; the handlers reject long before this. In ms. */
const ANSWER_MS = MINUTE_MS;

/**
 * Runs an application function in Probot. Returns the handlers of a server, in Probot's order: its `webhooks` behind a guard, then those
 * that the function added.
 */
export async function createReceiver(
  application: ApplicationFunction,
  { appId, privateKey, webhookSecret: secret, apiUrl: baseUrl, log, ...guard }: ReceiverOptions,
): Promise<readonly NodeHandler[]> {
  // Probot logs each forged delivery as an error; who sends many of them would fill the log. The outcomes are counted instead, and what
  // could not be stored is logged where it is known why.
  const quiet = log.child({}, { level: "fatal" });
  const probot = new Probot({ appId, privateKey, secret, baseUrl, log: quiet });
  const added: NodeHandler[] = [];
  await probot.load(application, { cwd: process.cwd(), addHandler: (handler) => void added.push(handler) });
  const webhooks = createNodeMiddleware(probot.webhooks, { timeout: ANSWER_MS, log: quiet });
  return [guardWebhooks(webhooks, guard), ...added];
}
