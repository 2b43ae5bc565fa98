import { TollgateError } from "../../kernel/errors.ts";
import type { DialectName } from "../../platform/contract/wire/dialect.ts";
import { findRow, has, updateRows } from "../../store/database/statements.ts";
import { transact } from "../../store/database/transaction.ts";
import type { Deps } from "../area/area.ts";
import type { Db, Row } from "../tables/tables.ts";
import { prepareRequest } from "./request.ts";
import { type HookAttempt, sendOnce } from "./send.ts";

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
  const request = prepareRequest({ hook, parentKind: kind, event, body }, settings);
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
