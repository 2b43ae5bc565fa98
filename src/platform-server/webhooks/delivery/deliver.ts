import { TollgateError } from "../../../kernel/errors.ts";
import { claimDelivery, endDelivery } from "../store/deliveries.ts";
import { findHookById } from "../store/hooks.ts";
import { attemptDelivery, type WebhookDeps } from "./send.ts";

/**
 * Largest number of attempts per event and webhook. The queue's own limit is higher; its pauses increase from
 * 1 s.
 */
export const MAX_TRIES = 5;

/**
 * Performs one enqueued delivery. A delivery that was completed or abandoned, or whose webhook was deleted or
 * disabled, has no effect.
 *
 * @throws TollgateError `platform_failed`, retryable, when the attempt failed and may be repeated
 */
export async function deliverWebhook(
  deps: WebhookDeps,
  { account, deliveryId }: { readonly account: string; readonly deliveryId: number },
): Promise<void> {
  const delivery = await claimDelivery(deps.db, { account, delivery_id: deliveryId }, MAX_TRIES);
  if (delivery === null) return;
  const hook = await findHookById(deps.db, account, delivery.hook_id);
  if (hook === null || !hook.enabled) return endDelivery(deps.db, delivery);
  const { event, body } = delivery;
  const execution = await attemptDelivery(deps, { hook, event, body, retriggerOf: null });
  if (execution?.result !== "RETRIABLE_ERROR" || delivery.attempts >= MAX_TRIES)
    return endDelivery(deps.db, delivery);
  throw new TollgateError("platform_failed", `webhook delivery ${deliveryId} failed and is tried again`, {
    retryable: true,
  });
}
