import { transact } from "../../../store/database/transaction.ts";
import type { Deps } from "../../area/deps.ts";
import { createDeliverySettings } from "../../outbound/webhook-settings.ts";
import { addExecution, type HookExecutionRow } from "../store/executions.ts";
import { type HookRow, readHookParent } from "../store/hooks.ts";
import type { WebhookTables } from "../store/tables.ts";
import { prepareRequest } from "./request.ts";
import { type HookAttempt, sendOnce } from "./send.ts";

export type WebhookDeps = Pick<Deps<WebhookTables>, "db" | "clock" | "dialect" | "webhooks">;

export interface WebhookAttempt {
  readonly hook: HookRow;
  readonly event: string;
  readonly body: string;
  /** The execution that this one repeats; null: none. */
  readonly retriggerOf: number | null;
}

/** Sends a delivery once and records it; null when the webhook was deleted meanwhile. */
export async function attemptDelivery(
  deps: WebhookDeps,
  attempt: WebhookAttempt,
): Promise<HookExecutionRow | null> {
  const { hook, event, body, retriggerOf } = attempt;
  const created_ms = deps.clock.now();
  const settings = createDeliverySettings(deps.webhooks, deps.dialect);
  const { kind } = await readHookParent(deps.db, hook);
  const prepared = prepareRequest({ hook, parentKind: kind, event, body }, settings);
  const tried =
    prepared.state === "ready"
      ? await sendOnce(prepared.request, settings)
      : createUnsentAttempt(prepared.error);
  const { response } = tried;
  const record = {
    account: hook.account,
    hook_id: hook.hook_id,
    retrigger_of: retriggerOf,
    event,
    result: tried.result,
    error: tried.error,
    duration_ns: tried.durationNs,
    request_url: prepared.request.url,
    request_headers: prepared.request.redactedHeaders,
    request_body: body,
    response_code: response?.code ?? null,
    response_status: response?.status ?? "",
    response_headers: response?.headers ?? "",
    response_body: response?.body ?? "",
    created_ms,
  };
  return transact(deps.db, (trx) => addExecution(trx, record));
}

const createUnsentAttempt = (error: string): HookAttempt => ({
  result: "FATAL_ERROR",
  error,
  durationNs: 0,
  response: null,
});
