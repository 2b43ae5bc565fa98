import type { Insertable, Kysely, Selectable } from "kysely";
import type { Tables } from "../tables.ts";
import type { PlatformHookDeliveriesTable } from "./tables.ts";

export type DeliveryRow = Selectable<PlatformHookDeliveriesTable>;
export type NewDelivery = Pick<
  Insertable<PlatformHookDeliveriesTable>,
  "account" | "hook_id" | "event" | "body" | "created_ms"
>;

/** Keeps deliveries to be made; returns their numbers in the same order. */
export async function addDeliveries(
  trx: Kysely<Tables>,
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

/** Null once its webhook is gone. */
export async function findDelivery(
  db: Kysely<Tables>,
  account: string,
  deliveryId: number,
): Promise<DeliveryRow | null> {
  const row = await db
    .selectFrom("platform_hook_deliveries")
    .selectAll()
    .where((eb) => eb.and({ account, delivery_id: deliveryId }))
    .executeTakeFirst();
  return row ?? null;
}

/** Notes how far a delivery is. */
export async function noteDelivery(
  db: Kysely<Tables>,
  { account, delivery_id }: Pick<DeliveryRow, "account" | "delivery_id">,
  state: Pick<DeliveryRow, "attempts" | "done">,
): Promise<void> {
  await db
    .updateTable("platform_hook_deliveries")
    .set(state)
    .where((eb) => eb.and({ account, delivery_id }))
    .execute();
}
