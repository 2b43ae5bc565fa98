import type { WebhookEvent } from "../../../platform/contract/shapes/webhook-shapes.ts";
import { transact } from "../../../store/database/transaction.ts";
import type { Context } from "../../area/deps.ts";
import { buildPrincipal, listSpacesAbove, readTriggers } from "../headers.ts";
import { addDeliveries } from "../store/deliveries.ts";
import { ensureHookParent, findHookParent, type HookRow, listEnabledHooks } from "../store/hooks.ts";
import type { HookParentKey, WebhookTables } from "../store/tables.ts";
import { buildPayload, type EventFacts } from "./request.ts";

/** Whether a webhook subscribes to an event; one without triggers subscribes to all. */
export function isTriggeredBy({ triggers }: Pick<HookRow, "triggers">, event: WebhookEvent): boolean {
  const events = readTriggers(triggers);
  return events.length === 0 || events.includes(event);
}

export interface QueuedDelivery {
  readonly delivery_id: number;
  readonly hook: HookRow;
}

/**
 * Enqueues one delivery of the event for each enabled webhook that subscribes to it: of the source, and for a
 * repository also of its spaces. All deliveries are stored before the first is enqueued.
 */
export async function announceEvent(
  { db, token, clock, enqueue }: Context<WebhookTables>,
  source: HookParentKey,
  { event, facts }: { readonly event: WebhookEvent; readonly facts: EventFacts },
): Promise<readonly QueuedDelivery[]> {
  const { account } = source;
  const queued = await transact(db, async (trx) => {
    const sourceId = await ensureHookParent(trx, source);
    const above = source.kind === "registry" ? [] : listSpacesAbove(source);
    const parents = [sourceId];
    for (const space of above)
      parents.push(...[await findHookParent(trx, space)].filter((id) => id !== null));
    const hooks = (await listEnabledHooks(trx, account, parents)).filter((hook) =>
      isTriggeredBy(hook, event),
    );
    const body = buildPayload({ event, source, sourceId, principal: buildPrincipal(token), facts });
    const created_ms = clock.now();
    const rows = hooks.map(({ hook_id }) => ({ account, hook_id, event, body, created_ms }));
    const ids = await addDeliveries(trx, rows);
    return ids.flatMap((delivery_id, index) => {
      const hook = hooks[index];
      return hook === undefined ? [] : [{ delivery_id, hook }];
    });
  });
  for (const { delivery_id: deliveryId } of queued)
    await enqueue({ kind: "webhook-delivery", account, deliveryId });
  return queued;
}
