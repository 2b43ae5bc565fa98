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

/** Returns the numeric id of a parent; null when it was never named. */
export async function findHookParent(db: Kysely<WebhookTables>, key: HookParentKey): Promise<number | null> {
  const row = await db
    .selectFrom("platform_hook_parents")
    .select("parent_id")
    .where((eb) => eb.and(pickParentKey(key)))
    .executeTakeFirst();
  return row?.parent_id ?? null;
}

/** Returns the numeric id of a parent, and creates it if missing. */
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

/** Locks the parent's webhooks against other writers until the transaction ends. */
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
