import type { Context } from "../area/deps.ts";
import type { Problem } from "../area/problem.ts";
import { attemptDelivery } from "./delivery/attempt.ts";
import { noSuchExecution, noSuchHook } from "./manage.ts";
import { findHookExecution, type HookExecutionRow } from "./store/executions.ts";
import type { HookRow } from "./store/hooks.ts";
import type { WebhookTables } from "./store/tables.ts";

export async function executionOf(
  { db }: Context<WebhookTables>,
  hook: HookRow,
  executionId: number,
): Promise<HookExecutionRow | Problem<"not_found">> {
  return (await findHookExecution(db, hook, executionId)) ?? noSuchExecution();
}

/** Sends what an execution sent again, to where the webhook points now, before it answers. Disabled webhooks too: somebody asks for it. */
export async function retrigger(
  context: Context<WebhookTables>,
  hook: HookRow,
  { execution_id: retriggerOf, event, request_body: body }: HookExecutionRow,
): Promise<HookExecutionRow | Problem<"not_found">> {
  return (await attemptDelivery(context, { hook, event, body, retriggerOf })) ?? noSuchHook();
}
