import { type Insertable, type Kysely, type Selectable, sql } from "kysely";
import { countFound } from "../../area/count-found.ts";
import type { HookParentKey, WebhookTables } from "./tables.ts";

export type HookRow = Selectable<WebhookTables["platform_hooks"]>;
/** The values of a webhook that a caller sets. */
export type HookValues = Omit<
  Insertable<WebhookTables["platform_hooks"]>,
  "account" | "hook_id" | "parent_id" | "latest_result" | "version" | "created_by" | "created_ms"
>;

export interface HookParent {
  readonly account: string;
  readonly parent_id: number;
}

/** Columns that a list may be sorted by. */
export type HookSort = "hook_id" | "identifier" | "name" | "created_ms" | "updated_ms";

export interface HookPage {
  /** Part of identifier or name, case-insensitive; absent: all. */
  readonly search?: string | undefined;
  readonly sort: HookSort;
  readonly order: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
}

/** Texts sort by their code points on both engines. */
const toSortColumn = (sort: HookSort) =>
  sort === "identifier" || sort === "name" ? sql`${sql.ref(sort)} collate "C"` : sql.ref(sort);

export async function listHooks(
  db: Kysely<WebhookTables>,
  { account, parent_id }: HookParent,
  page: HookPage,
): Promise<{ rows: readonly HookRow[]; total: number }> {
  let found = db.selectFrom("platform_hooks").where((eb) => eb.and({ account, parent_id }));
  if (page.search !== undefined && page.search !== "") {
    const holds = (column: "identifier" | "name") =>
      sql<boolean>`strpos(lower(${sql.ref(column)}), lower(${page.search})) > 0`;
    found = found.where((eb) => eb.or([holds("identifier"), holds("name")]));
  }
  const rows = await found
    .selectAll()
    .orderBy(toSortColumn(page.sort), page.order)
    .orderBy("hook_id", page.order)
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { rows, total: await countFound(found) };
}

/** Finds a webhook by its identifier within the parent. */
export async function findHook(
  db: Kysely<WebhookTables>,
  { account, parent_id }: HookParent,
  identifier: string,
): Promise<HookRow | null> {
  const row = await db
    .selectFrom("platform_hooks")
    .selectAll()
    .where((eb) => eb.and({ account, parent_id, identifier }))
    .executeTakeFirst();
  return row ?? null;
}

/** Finds a webhook by its numeric id within the account. */
export async function findHookById(
  db: Kysely<WebhookTables>,
  account: string,
  hookId: number,
): Promise<HookRow | null> {
  const row = await db
    .selectFrom("platform_hooks")
    .selectAll()
    .where((eb) => eb.and({ account, hook_id: hookId }))
    .executeTakeFirst();
  return row ?? null;
}

/** Returns the enabled webhooks of all these parents. */
export async function listEnabledHooks(
  db: Kysely<WebhookTables>,
  account: string,
  parentIds: readonly number[],
): Promise<readonly HookRow[]> {
  if (parentIds.length === 0) return [];
  return db
    .selectFrom("platform_hooks")
    .selectAll()
    .where((eb) => eb.and({ account, enabled: true }))
    .where("parent_id", "in", parentIds)
    .orderBy("hook_id")
    .execute();
}

/** Returns the number of webhooks of the parent. */
export const countHooks = (db: Kysely<WebhookTables>, { account, parent_id }: HookParent): Promise<number> =>
  countFound(db.selectFrom("platform_hooks").where((eb) => eb.and({ account, parent_id })));

export function insertHook(
  trx: Kysely<WebhookTables>,
  hook: Insertable<WebhookTables["platform_hooks"]>,
): Promise<HookRow> {
  return trx.insertInto("platform_hooks").values(hook).returningAll().executeTakeFirstOrThrow();
}

export function updateHook(
  trx: Kysely<WebhookTables>,
  { account, hook_id }: Pick<HookRow, "account" | "hook_id">,
  values: HookValues,
): Promise<HookRow> {
  return trx
    .updateTable("platform_hooks")
    .set((eb) => ({ ...values, version: eb("version", "+", 1) }))
    .where((eb) => eb.and({ account, hook_id }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes the webhook with its deliveries and executions. */
export async function deleteHook(
  db: Kysely<WebhookTables>,
  { account, hook_id }: Pick<HookRow, "account" | "hook_id">,
): Promise<void> {
  await db
    .deleteFrom("platform_hooks")
    .where((eb) => eb.and({ account, hook_id }))
    .execute();
}

/** Returns the parent of the webhook. */
export function readHookParent(
  db: Kysely<WebhookTables>,
  { account, parent_id }: HookParent,
): Promise<HookParentKey & HookParent> {
  return db
    .selectFrom("platform_hook_parents")
    .selectAll()
    .where((eb) => eb.and({ account, parent_id }))
    .executeTakeFirstOrThrow();
}

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
