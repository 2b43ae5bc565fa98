import { STATUS_CODES } from "node:http";
import { Agent, type Dispatcher, request as send } from "undici";
import type { WebhookResult } from "../../platform/contract/shapes/webhook-shapes.ts";
import { createGuardedConnector, ForbiddenTarget } from "../area/target-guard.ts";
import type { WebhookSettings } from "../area/webhook-settings.ts";
import type { HookRequest } from "./request.ts";

/** Most bytes that are stored of an answer's headers, and of its body. */
const KEPT_BYTES = 1_024;
/** More is read than kept, so that a secret which the answer quotes is found whole before the text is cut. */
const READ_BYTES = 64 * 1_024;
const NS_PER_MS = 1_000_000;

export interface HookAttempt {
  readonly result: WebhookResult;
  /** Empty after a success. Written by Tollgate, because a library's message may quote the request. */
  readonly error: string;
  readonly durationNs: number;
  /** `status`: the status line, e.g. `200 OK`. */
  readonly response: {
    readonly code: number;
    readonly status: string;
    readonly headers: string;
    readonly body: string;
  } | null;
}

/** Sends one POST. Redirects are not followed; every failure is a result. */
export async function sendOnce(request: HookRequest, settings: WebhookSettings): Promise<HookAttempt> {
  const { guard, resolve, timeoutMs } = settings;
  const connect = createGuardedConnector({ guard, resolve, timeoutMs, insecure: request.insecure });
  const agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 });
  const signal = AbortSignal.timeout(timeoutMs);
  const startedMs = performance.now();
  const finish = (outcome: Omit<HookAttempt, "durationNs">): HookAttempt => ({
    ...outcome,
    durationNs: Math.max(1, Math.round((performance.now() - startedMs) * NS_PER_MS)),
  });
  try {
    const { url, headers, body } = request;
    const answer = await send(url, { method: "POST", headers, body, dispatcher: agent, signal });
    return finish(await readHookResponse(answer, request));
  } catch (error) {
    return finish({ result: "FATAL_ERROR", error: explain(error, { signal, timeoutMs }), response: null });
  } finally {
    await agent.destroy();
  }
}

/** Reads the target's answer. An answer that cannot be read to its end may be retried, whatever its status. */
async function readHookResponse(
  answer: Dispatcher.ResponseData,
  request: HookRequest,
): Promise<Omit<HookAttempt, "durationNs">> {
  const { statusCode: code } = answer;
  const result = getDeliveryResult(code);
  const head = {
    code,
    status: `${code} ${STATUS_CODES[code] ?? ""}`.trim(),
    headers: cut(request.redact(formatHeaders(answer.headers))),
  };
  try {
    const body = cut(await readStart(answer.body, request));
    const error = result === "SUCCESS" ? "" : `the target answered with status ${code}`;
    return { result, error, response: { ...head, body } };
  } catch {
    const error = "the target's answer could not be read to its end";
    return { result: "RETRIABLE_ERROR", error, response: { ...head, body: "" } };
  }
}

/** What an answer's status means for the delivery: 408, 429 and 5xx but 501 may be better later, everything else will not. */
export function getDeliveryResult(status: number): WebhookResult {
  if (status >= 200 && status <= 299) return "SUCCESS";
  if (status === 408 || status === 429) return "RETRIABLE_ERROR";
  if (status >= 500 && status <= 599 && status !== 501) return "RETRIABLE_ERROR";
  return "FATAL_ERROR";
}

const formatHeaders = (headers: Dispatcher.ResponseData["headers"]): string =>
  Object.entries(headers)
    .flatMap(([name, value]) => [value ?? []].flat().map((one) => `${name}: ${one}\n`))
    .join("");

async function readStart(
  body: AsyncIterable<Uint8Array>,
  { redact: hide, longestSecret }: HookRequest,
): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.byteLength;
    if (size >= READ_BYTES) break;
  }
  const text = hide(new TextDecoder().decode(Buffer.concat(pieces)));
  // Where reading stopped, a secret may have been cut in two, which hiding did not find.
  return size < READ_BYTES ? text : text.slice(0, Math.max(0, text.length - longestSecret));
}

/** The first bytes, without half a character at the end and without U+0000, which the database does not keep. */
function cut(text: string): string {
  const bytes = Buffer.from(text.replaceAll("\u0000", "\ufffd"));
  if (bytes.byteLength <= KEPT_BYTES) return bytes.toString();
  return new TextDecoder().decode(bytes.subarray(0, KEPT_BYTES), { stream: true });
}

function explain(error: unknown, { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number }): string {
  const causes = [error, error instanceof Error ? error.cause : undefined];
  const forbidden = causes.find((cause) => cause instanceof ForbiddenTarget);
  if (forbidden !== undefined) return forbidden.message;
  if (signal.aborted) return `the target did not answer within ${timeoutMs} ms`;
  const code = causes
    .map((cause) => (cause instanceof Error && "code" in cause ? cause.code : undefined))
    .find((one) => typeof one === "string");
  return `the target could not be reached (${code ?? "UNKNOWN"})`;
}
