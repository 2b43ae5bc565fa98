import type { Insertable, Kysely, Selectable } from "kysely";
import type { WebhookTables } from "./tables.ts";

export type DeliveryRow = Selectable<WebhookTables["platform_hook_deliveries"]>;
export type DeliveryKey = Pick<DeliveryRow, "account" | "delivery_id">;
export type NewDelivery = Pick<
  Insertable<WebhookTables["platform_hook_deliveries"]>,
  "account" | "hook_id" | "event" | "body" | "created_ms"
>;

/** Stores pending deliveries; returns their ids in the same order. */
export async function addDeliveries(
  trx: Kysely<WebhookTables>,
  deliveries: readonly NewDelivery[],
): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const delivery of deliveries) {
    const row = await trx
      .insertInto("platform_hook_deliveries")
      .values(delivery)
      .returning("delivery_id")
      .executeTakeFirstOrThrow();
    ids.push(row.delivery_id);
  }
  return ids;
}

const pickDeliveryKey = ({ account, delivery_id }: DeliveryKey): DeliveryKey => ({ account, delivery_id });

/**
 * Counts one attempt and returns the updated delivery; null when it is done, was attempted `maxTries` times,
 * or its webhook is deleted.
 */
export async function claimDelivery(
  db: Kysely<WebhookTables>,
  key: DeliveryKey,
  maxTries: number,
): Promise<DeliveryRow | null> {
  const row = await db
    .updateTable("platform_hook_deliveries")
    .set((eb) => ({ attempts: eb("attempts", "+", 1) }))
    .where((eb) => eb.and({ ...pickDeliveryKey(key), done: false }))
    .where("attempts", "<", maxTries)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Ends a delivery: no further attempt is made. */
export async function endDelivery(db: Kysely<WebhookTables>, key: DeliveryKey): Promise<void> {
  await db
    .updateTable("platform_hook_deliveries")
    .set({ done: true })
    .where((eb) => eb.and(pickDeliveryKey(key)))
    .execute();
}

/** Returns deliveries of every account without an attempt, oldest first, for the queue. */
export function listUntriedDeliveries(db: Kysely<WebhookTables>): Promise<readonly DeliveryKey[]> {
  return db
    .selectFrom("platform_hook_deliveries")
    .select(["account", "delivery_id"])
    .where("done", "=", false)
    .where("attempts", "=", 0)
    .orderBy("delivery_id")
    .execute();
}
