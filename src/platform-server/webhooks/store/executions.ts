import type { Insertable, Kysely, Selectable } from "kysely";
import { countFound } from "../../area/count-found.ts";
import type { WebhookTables } from "./tables.ts";

export type HookExecutionRow = Selectable<WebhookTables["platform_hook_executions"]>;

interface OneHook {
  readonly account: string;
  readonly hook_id: number;
}

/** Stores an execution and marks it as the webhook's latest; null when the webhook was deleted meanwhile. */
export async function addExecution(
  trx: Kysely<WebhookTables>,
  execution: Insertable<WebhookTables["platform_hook_executions"]>,
): Promise<HookExecutionRow | null> {
  const { account, hook_id, result } = execution;
  const hook = await trx
    .updateTable("platform_hooks")
    .set({ latest_result: result })
    .where((eb) => eb.and({ account, hook_id }))
    .returning("hook_id")
    .executeTakeFirst();
  if (hook === undefined) return null;
  return trx
    .insertInto("platform_hook_executions")
    .values(execution)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Returns one page of a webhook's executions, newest first. */
export async function listHookExecutions(
  db: Kysely<WebhookTables>,
  { account, hook_id }: OneHook,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ rows: readonly HookExecutionRow[]; total: number }> {
  const found = db.selectFrom("platform_hook_executions").where((eb) => eb.and({ account, hook_id }));
  const rows = await found
    .selectAll()
    .orderBy("execution_id", "desc")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { rows, total: await countFound(found) };
}

export async function findHookExecution(
  db: Kysely<WebhookTables>,
  { account, hook_id }: OneHook,
  executionId: number,
): Promise<HookExecutionRow | null> {
  const row = await db
    .selectFrom("platform_hook_executions")
    .selectAll()
    .where((eb) => eb.and({ account, hook_id, execution_id: executionId }))
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Deletes executions before a time (ms since 1970), and earlier deliveries that are completed or abandoned.
 */
export async function deleteExpiredHookRecords(db: Kysely<WebhookTables>, beforeMs: number): Promise<void> {
  await db.deleteFrom("platform_hook_executions").where("created_ms", "<", beforeMs).execute();
  await db.deleteFrom("platform_hook_deliveries").where("created_ms", "<", beforeMs).execute();
}
