import type { NewHeader } from "../../platform/contract/shapes/webhook-shapes.ts";
import { transact } from "../../store/database/transaction.ts";
import type { Context } from "../area/deps.ts";
import { createProblem, isProblem, type Problem } from "../area/problem.ts";
import { attemptDelivery } from "./delivery/send.ts";
import { getPrincipalNumber, type SealResult, sealHeaders } from "./headers.ts";
import { findHookExecution, type HookExecutionRow } from "./store/executions.ts";
import {
  countHooks,
  ensureHookParent,
  findHook,
  findHookById,
  findHookParent,
  type HookParent,
  type HookRow,
  type HookValues,
  insertHook,
  lockHookParent,
  updateHook,
} from "./store/hooks.ts";
import type { HookParentKey, WebhookTables } from "./store/tables.ts";

/** Each event of a parent goes to each of them. */
const MAX_HOOKS = 250;

/** A requested webhook; its secrets are not yet encrypted. */
export interface HookDraft
  extends Omit<HookValues, "headers" | "secret" | "triggers" | "updated_ms" | "version"> {
  readonly triggers: readonly string[];
  /** Absent: unchanged. */
  readonly headers: readonly NewHeader[] | undefined;
  /** Absent: unchanged; empty: no secret. */
  readonly secret: string | undefined;
}

export type WebhookProblem = Problem<"bad_request" | "precondition_failed">;
type WebhookNotFound = Problem<"not_found">;

const createUnknownHookProblem = (): WebhookNotFound =>
  createProblem("not_found", "there is no such webhook");

/** A webhook by its identifier; where `allowsNumber`, by its id too. */
export async function hookIn(
  { db }: Context<WebhookTables>,
  key: HookParentKey,
  { identifier, allowsNumber = false }: { readonly identifier: string; readonly allowsNumber?: boolean },
): Promise<HookRow | WebhookNotFound> {
  const parent_id = await findHookParent(db, key);
  if (parent_id === null) return createUnknownHookProblem();
  const parent: HookParent = { account: key.account, parent_id };
  if (allowsNumber && /^\d{1,15}$/.test(identifier)) {
    const row = await findHookById(db, key.account, Number(identifier));
    return row?.parent_id === parent_id ? row : createUnknownHookProblem();
  }
  return (await findHook(db, parent, identifier)) ?? createUnknownHookProblem();
}

export function createHook(
  context: Context<WebhookTables>,
  key: HookParentKey,
  draft: HookDraft,
): Promise<HookRow | WebhookProblem> {
  const { db, token, clock } = context;
  return transact(db, async (trx) => {
    const parent: HookParent = { account: key.account, parent_id: await ensureHookParent(trx, key) };
    await lockHookParent(trx, parent.account, parent.parent_id);
    if ((await findHook(trx, parent, draft.identifier)) !== null) return createTakenProblem(draft);
    if ((await countHooks(trx, parent)) >= MAX_HOOKS)
      return createProblem(
        "bad_request",
        `there are ${MAX_HOOKS} webhooks already, and no more are possible`,
      );
    const values = indexAttributeChanges(context, draft, null);
    if (isProblem(values)) return values;
    const created = { created_by: getPrincipalNumber(token), created_ms: clock.now(), latest_result: null };
    return insertHook(trx, { ...parent, ...values, ...created });
  });
}

/**
 * Changes a webhook. `change` receives the newest state, so that concurrent changes of different members are
 * all preserved.
 */
export function changeHook(
  context: Context<WebhookTables>,
  found: HookRow,
  change: (row: HookRow) => HookDraft,
): Promise<HookRow | WebhookProblem | WebhookNotFound> {
  return transact(context.db, async (trx) => {
    await lockHookParent(trx, found.account, found.parent_id);
    const row = await findHookById(trx, found.account, found.hook_id);
    if (row === null) return createUnknownHookProblem();
    const draft = change(row);
    const other = await findHook(trx, row, draft.identifier);
    if (other !== null && other.hook_id !== row.hook_id) return createTakenProblem(draft);
    const values = indexAttributeChanges(context, draft, row);
    return isProblem(values) ? values : updateHook(trx, row, values);
  });
}

export async function requireExecution(
  { db }: Context<WebhookTables>,
  hook: HookRow,
  executionId: number,
): Promise<HookExecutionRow | WebhookNotFound> {
  return (
    (await findHookExecution(db, hook, executionId)) ??
    createProblem("not_found", "this webhook has no such execution")
  );
}

/** Sends what an execution sent again, to where the webhook points now, before it answers. Disabled webhooks too: somebody asks for it. */
export async function retriggerExecution(
  context: Context<WebhookTables>,
  hook: HookRow,
  { execution_id: retriggerOf, event, request_body: body }: HookExecutionRow,
): Promise<HookExecutionRow | WebhookNotFound> {
  return (await attemptDelivery(context, { hook, event, body, retriggerOf })) ?? createUnknownHookProblem();
}

const createTakenProblem = ({ identifier }: HookDraft): WebhookProblem =>
  createProblem("bad_request", `there is a webhook ${JSON.stringify(identifier)} already`);

/** The draft as it is to be stored, or why it may not be. */
function indexAttributeChanges(
  context: Context<WebhookTables>,
  draft: HookDraft,
  before: HookRow | null,
): HookValues | WebhookProblem {
  const refused = context.webhooks.guard.refusal(draft.url);
  if (refused !== null) return createProblem("bad_request", refused);
  const { account } = context.token;
  const { box } = context.webhooks;
  const stored = before?.headers ?? "[]";
  const headers: SealResult<string> =
    draft.headers === undefined
      ? { state: "sealed", value: stored }
      : sealHeaders(draft.headers, { account, box, before: stored });
  if (headers.state === "wrong") return createProblem("bad_request", headers.message);
  const secret = sealSecret(context, draft.secret, before);
  if (headers.state === "keyless" || secret.state !== "sealed") return createMissingKeyProblem();
  return {
    ...draft,
    triggers: JSON.stringify([...new Set(draft.triggers)]),
    headers: headers.value,
    secret: secret.value,
    updated_ms: context.clock.now(),
  };
}

function sealSecret(
  { token, webhooks }: Context<WebhookTables>,
  secret: string | undefined,
  before: HookRow | null,
): SealResult<string | null> {
  if (secret === undefined) return { state: "sealed", value: before?.secret ?? null };
  if (secret === "") return { state: "sealed", value: null };
  if (webhooks.box === null) return { state: "keyless" };
  return { state: "sealed", value: webhooks.box.seal(token.account, secret) };
}

const createMissingKeyProblem = (): WebhookProblem =>
  createProblem(
    "precondition_failed",
    "this platform stores no secrets: its operator has not set TOLLGATE_KEY, so no secret and no masked header can be stored",
  );
