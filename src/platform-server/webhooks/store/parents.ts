import type { Kysely } from "kysely";
import type { HookParentKey, WebhookTables } from "./tables.ts";

/** The key alone, whatever else the object holds. */
const pickParentKey = ({ account, kind, org, project, name }: HookParentKey): HookParentKey => ({
  account,
  kind,
  org,
  project,
  name,
});

/** Number of what webhooks belong to; null when nobody named it yet. */
export async function findHookParent(db: Kysely<WebhookTables>, key: HookParentKey): Promise<number | null> {
  const row = await db
    .selectFrom("platform_hook_parents")
    .select("parent_id")
    .where((eb) => eb.and(pickParentKey(key)))
    .executeTakeFirst();
  return row?.parent_id ?? null;
}

/** As `findHookParent`, and makes it where it is missing. */
export async function ensureHookParent(db: Kysely<WebhookTables>, key: HookParentKey): Promise<number> {
  await db
    .insertInto("platform_hook_parents")
    .values(pickParentKey(key))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { parent_id } = await db
    .selectFrom("platform_hook_parents")
    .select("parent_id")
    .where((eb) => eb.and(pickParentKey(key)))
    .executeTakeFirstOrThrow();
  return parent_id;
}

/** Keeps other writers of the parent's webhooks waiting until the transaction ends. */
export async function lockHookParent(
  trx: Kysely<WebhookTables>,
  account: string,
  parentId: number,
): Promise<void> {
  await trx
    .selectFrom("platform_hook_parents")
    .select("parent_id")
    .where((eb) => eb.and({ account, parent_id: parentId }))
    .forUpdate()
    .execute();
}
