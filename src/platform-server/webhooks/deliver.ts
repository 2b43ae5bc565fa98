import { STATUS_CODES } from "node:http";
import { Agent, type Dispatcher, request as send } from "undici";
import { TollgateError } from "../../kernel/errors.ts";
import type { WebhookResult } from "../../platform/contract/shapes/webhook-shapes.ts";
import type { DialectName } from "../../platform/contract/wire/translate.ts";
import { findRow, has, updateRows } from "../../store/database/statements.ts";
import { transact } from "../../store/database/transaction.ts";
import type { Deps } from "../area/area.ts";
import { createGuardedConnector, ForbiddenTarget } from "../area/target-guard.ts";
import type { WebhookSettings } from "../area/webhook-settings.ts";
import type { Db, Row } from "../tables/tables.ts";
import { type HookRequest, prepareRequest } from "./request.ts";

/** Largest number of attempts per event and webhook. The queue's own limit is higher; its pauses increase from 1 s. */
export const MAX_TRIES = 5;

type DeliveryDeps = Pick<Deps, "db" | "clock" | "dialect" | "webhooks">;

/**
 * Performs one enqueued delivery. A delivery that was completed or abandoned, or whose webhook was deleted or
 * disabled, has no effect.
 *
 * @throws TollgateError `platform_failed`, retryable, when the attempt failed and may be repeated
 */
export async function deliverWebhook(
  deps: DeliveryDeps,
  { account, deliveryId: delivery_id }: { readonly account: string; readonly deliveryId: number },
): Promise<void> {
  const { db } = deps;
  const delivery = await db
    .updateTable("platform_hook_deliveries")
    .set((eb) => ({ attempts: eb("attempts", "+", 1) }))
    .where(has({ account, delivery_id, done: false }))
    .where("attempts", "<", MAX_TRIES)
    .returningAll()
    .executeTakeFirst();
  if (delivery === undefined) return;
  const { event, body, hook_id } = delivery;
  const hook = await findRow(db, "platform_hooks", { account, hook_id, enabled: true });
  const execution = hook && (await attemptDelivery(deps, { hook, event, body, retriggerOf: null }));
  if (execution?.result === "RETRIABLE_ERROR" && delivery.attempts < MAX_TRIES)
    throw new TollgateError("platform_failed", `webhook delivery ${delivery_id} failed and is tried again`, {
      retryable: true,
    });
  await updateRows(db, "platform_hook_deliveries", { account, delivery_id }, { done: true });
}

/** Returns deliveries of every account without an attempt, oldest first, for the queue. */
export const listUntriedDeliveries = (db: Db) =>
  db
    .selectFrom("platform_hook_deliveries")
    .select(["account", "delivery_id"])
    .where(has({ done: false, attempts: 0 }))
    .orderBy("delivery_id")
    .execute();

/** Deletes executions before a time (ms since 1970), and earlier deliveries that are completed or abandoned. */
export async function deleteExpiredHookRecords(db: Db, beforeMs: number): Promise<void> {
  for (const table of ["platform_hook_executions", "platform_hook_deliveries"] as const)
    await db.deleteFrom(table).where("created_ms", "<", beforeMs).execute();
}

interface WebhookAttempt {
  readonly hook: Row<"platform_hooks">;
  readonly event: string;
  readonly body: string;
  /** The execution that this one repeats; null: none. */
  readonly retriggerOf: number | null;
}

const IDENTITIES: Readonly<Record<DialectName, string>> = { neutral: "Platform", live: "Harness" };

/** Sends a delivery once and records it as the webhook's latest execution; null when the webhook was deleted meanwhile. */
export async function attemptDelivery(
  { db, clock, webhooks, dialect }: DeliveryDeps,
  { hook, event, body, retriggerOf }: WebhookAttempt,
): Promise<Row<"platform_hook_executions"> | null> {
  const created_ms = clock.now();
  const { account, hook_id, parent_id } = hook;
  const { kind } = await db
    .selectFrom("platform_hook_parents")
    .select("kind")
    .where(has({ account, parent_id }))
    .executeTakeFirstOrThrow();
  const settings = { ...webhooks, identity: webhooks.identity ?? IDENTITIES[dialect] };
  const request = await prepareRequest({ hook, parentKind: kind, event, body }, settings);
  const { result, error, durationNs, response }: HookAttempt =
    request.error === null
      ? await sendOnce(request, settings)
      : { result: "FATAL_ERROR", error: request.error, durationNs: 0, response: null };
  return transact(db, async (trx) => {
    if ((await updateRows(trx, "platform_hooks", { account, hook_id }, { latest_result: result })) === 0)
      return null;
    return trx
      .insertInto("platform_hook_executions")
      .values({
        account,
        hook_id,
        retrigger_of: retriggerOf,
        event,
        result,
        error,
        duration_ns: durationNs,
        request_url: request.url,
        request_headers: request.redactedHeaders,
        request_body: body,
        response_code: response?.code ?? null,
        response_status: response?.status ?? "",
        response_headers: response?.headers ?? "",
        response_body: response?.body ?? "",
        created_ms,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Most bytes that are stored of an answer's headers, and of its body. */
const KEPT_BYTES = 1_024;
/** More is read than kept, so that a secret which the answer quotes is found whole before the text is cut. */
const READ_BYTES = 64 * 1_024;
const NS_PER_MS = 1_000_000;

interface HookAttempt {
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
async function sendOnce(request: HookRequest, settings: WebhookSettings): Promise<HookAttempt> {
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
