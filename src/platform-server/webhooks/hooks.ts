import { sql } from "kysely";
import type { NewHeader } from "../../platform/contract/shapes/webhook-shapes.ts";
import { deleteRows, findRow, has } from "../../store/database/statements.ts";
import { transact } from "../../store/database/transaction.ts";
import type { Token } from "../../store/tokens.ts";
import type { Context } from "../area/area.ts";
import { refuse } from "../area/problem.ts";
import { countFound, type Piece, readPiece } from "../area/read-piece.ts";
import type { Db, Row } from "../tables/tables.ts";
import type { HookParentKey } from "../tables/webhooks.ts";
import { attemptDelivery } from "./deliver.ts";
import { sealHeaders, sealSecret } from "./headers.ts";
import { ensureParent, findParentId } from "./parents.ts";

export type HookRow = Row<"platform_hooks">;
export type HookExecutionRow = Row<"platform_hook_executions">;

/** Each event of a parent goes to each of them. */
const MAX_HOOKS = 250;

/** A requested webhook; its secrets are not yet encrypted. */
export interface HookDraft
  extends Pick<HookRow, "identifier" | "name" | "description" | "url" | "enabled" | "insecure">,
    Partial<Pick<HookRow, "secret_identifier" | "secret_space_id" | "secret_space_path">> {
  readonly triggers: readonly string[];
  /** Absent: unchanged. */
  readonly headers: readonly NewHeader[] | undefined;
  /** Absent: unchanged; empty: no secret. */
  readonly secret: string | undefined;
}

export interface HookQuery extends Piece {
  /** Part of identifier or name, case-insensitive; absent: all. */
  readonly search?: string | undefined;
  readonly sort: "hook_id" | "identifier" | "name" | "created_ms" | "updated_ms";
  readonly order: "asc" | "desc";
}

export async function listHooks(
  { db, account }: Context,
  key: HookParentKey,
  { search = "", sort, order, ...piece }: HookQuery,
): Promise<{ rows: readonly HookRow[]; total: number }> {
  const parent_id = await findParentId(db, key);
  if (parent_id === null) return { rows: [], total: 0 };
  const holds = (column: "identifier" | "name") =>
    sql<boolean>`strpos(lower(${sql.ref(column)}), lower(${search})) > 0`;
  // Texts sort by their code points on both engines.
  const isText = sort === "identifier" || sort === "name";
  const found = db
    .selectFrom("platform_hooks")
    .selectAll()
    .where(has({ account, parent_id }))
    .$if(search !== "", (all) => all.where((eb) => eb.or([holds("identifier"), holds("name")])))
    .orderBy(isText ? sql`${sql.ref(sort)} collate "C"` : sql.ref(sort), order)
    .orderBy("hook_id", order);
  return readPiece(found, piece);
}

/** Returns a webhook by its identifier; where `allowsNumber`, by its id too. @throws Refusal */
export async function readHook(
  { db, account }: Context,
  key: HookParentKey,
  { identifier, allowsNumber = false }: { readonly identifier: string; readonly allowsNumber?: boolean },
): Promise<HookRow> {
  const parent_id = (await findParentId(db, key)) ?? refuseUnknownHook();
  const hook_id = allowsNumber && /^\d{1,15}$/.test(identifier) ? Number(identifier) : null;
  const named = hook_id === null ? { identifier } : { hook_id };
  return (await findRow(db, "platform_hooks", { account, parent_id, ...named })) ?? refuseUnknownHook();
}

/** @throws Refusal */
export function createHook(context: Context, key: HookParentKey, draft: HookDraft): Promise<HookRow> {
  const { db, account, token, clock } = context;
  return transact(db, async (trx) => {
    const parent_id = await ensureParent(trx, key);
    await lockParent(trx, { account, parent_id });
    await refuseTaken(trx, { account, parent_id, hook_id: null }, draft);
    const parents = trx.selectFrom("platform_hooks").where(has({ account, parent_id }));
    if ((await countFound(parents)) >= MAX_HOOKS)
      refuse("bad_request", `there are ${MAX_HOOKS} webhooks already, and no more are possible`);
    const created = { created_by: getPrincipalNumber(token), created_ms: clock.now(), latest_result: null };
    return trx
      .insertInto("platform_hooks")
      .values({ account, parent_id, ...(await checkDraft(context, draft, null)), ...created })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/**
 * Changes a webhook. `change` receives the newest state, so that concurrent changes of different members are
 * all preserved. @throws Refusal
 */
export function changeHook(
  context: Context,
  { account, parent_id, hook_id }: HookRow,
  change: (row: HookRow) => HookDraft,
): Promise<HookRow> {
  return transact(context.db, async (trx) => {
    await lockParent(trx, { account, parent_id });
    const row = (await findRow(trx, "platform_hooks", { account, hook_id })) ?? refuseUnknownHook();
    const draft = change(row);
    await refuseTaken(trx, row, draft);
    const values = await checkDraft(context, draft, row);
    return trx
      .updateTable("platform_hooks")
      .set((eb) => ({ ...values, version: eb("version", "+", 1) }))
      .where(has({ account, hook_id }))
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Deletes the webhook with its deliveries and executions. */
export async function deleteHook({ db }: Context, { account, hook_id }: HookRow): Promise<void> {
  await deleteRows(db, "platform_hooks", { account, hook_id });
}

/** Returns one page of a webhook's executions, newest first. */
export function listHookExecutions(
  { db }: Context,
  { account, hook_id }: HookRow,
  piece: Piece,
): Promise<{ readonly rows: readonly HookExecutionRow[]; readonly total: number }> {
  const found = db.selectFrom("platform_hook_executions").selectAll().where(has({ account, hook_id }));
  return readPiece(found.orderBy("execution_id", "desc"), piece);
}

/** @throws Refusal */
export async function readHookExecution(
  { db }: Context,
  { account, hook_id }: HookRow,
  execution_id: number,
): Promise<HookExecutionRow> {
  const row = await findRow(db, "platform_hook_executions", { account, hook_id, execution_id });
  return row ?? refuse("not_found", "this webhook has no such execution");
}

/** Sends what an execution sent again, to where the webhook points now, before it answers. Disabled webhooks too: somebody asks for it. */
export async function retriggerExecution(
  context: Context,
  hook: HookRow,
  executionId: number,
): Promise<HookExecutionRow> {
  const { event, request_body: body } = await readHookExecution(context, hook, executionId);
  const sent = await attemptDelivery(context, { hook, event, body, retriggerOf: executionId });
  return sent ?? refuseUnknownHook();
}

/** Returns a numeric id of the caller: the platform has tokens instead of users. Derived from the token's public id, so it is stable. */
export const getPrincipalNumber = ({ id }: Pick<Token, "id">): number => Number.parseInt(id.slice(0, 12), 16);

function refuseUnknownHook(): never {
  refuse("not_found", "there is no such webhook");
}

async function lockParent(trx: Db, key: Pick<HookRow, "account" | "parent_id">): Promise<void> {
  await trx.selectFrom("platform_hook_parents").select("parent_id").where(has(key)).forUpdate().execute();
}

async function refuseTaken(
  trx: Db,
  { account, parent_id, hook_id }: { account: string; parent_id: number; hook_id: number | null },
  { identifier }: HookDraft,
): Promise<void> {
  const other = await findRow(trx, "platform_hooks", { account, parent_id, identifier });
  if (other !== undefined && other.hook_id !== hook_id)
    refuse("bad_request", `there is a webhook ${JSON.stringify(identifier)} already`);
}

/** The draft as it is to be stored. @throws Refusal */
async function checkDraft(
  { account, clock, webhooks: { guard, seal } }: Context,
  { headers, secret, triggers, ...draft }: HookDraft,
  before: HookRow | null,
) {
  const refused = guard.refusal(draft.url);
  if (refused !== null) refuse("bad_request", refused);
  const stored = before?.headers ?? "[]";
  return {
    ...{ secret_identifier: null, secret_space_id: null, secret_space_path: null },
    ...draft,
    triggers: JSON.stringify([...new Set(triggers)]),
    headers: headers === undefined ? stored : await sealHeaders(headers, { account, seal, before: stored }),
    secret:
      secret === undefined
        ? (before?.secret ?? null)
        : secret === ""
          ? null
          : await sealSecret(secret, { account, seal }),
    updated_ms: clock.now(),
  };
}
