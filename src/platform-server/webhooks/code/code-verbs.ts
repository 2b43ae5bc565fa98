import type { z } from "zod";
import type {
  CodeWebhookCreate,
  CodeWebhookUpdate,
  EXECUTIONS_QUERY,
  LIST_QUERY,
} from "../../../platform/contract/shapes/code-webhook-shapes.ts";
import type { Context } from "../../area/deps.ts";
import { createProblem, isProblem } from "../../area/problem.ts";
import { changeHook, createHook, hookIn, requireExecution, retriggerExecution } from "../manage.ts";
import { type HookExecutionRow, listHookExecutions } from "../store/executions.ts";
import { deleteHook, type HookRow, type HookSort, listHooks } from "../store/hooks.ts";
import { findHookParent } from "../store/parents.ts";
import type { HookParentKey, WebhookTables } from "../store/tables.ts";
import { parseCreateDraft, parseUpdateDraft, toWireCodeExecution, toWireCodeHook } from "./code-bodies.ts";

const SORTS = {
  id: "hook_id",
  uid: "identifier",
  identifier: "identifier",
  display_name: "name",
  created: "created_ms",
  updated: "updated_ms",
} as const satisfies Readonly<Record<string, HookSort>>;

export interface HookParams {
  readonly webhook_identifier: string;
}
export interface ExecutionParams extends HookParams {
  readonly webhook_execution_id: number;
}

/** The eight operations on webhooks of one parent, which is a repository or a space. */
export class CodeVerbs {
  readonly #context: Context<WebhookTables>;
  readonly #parent: HookParentKey;

  constructor(context: Context<WebhookTables>, parent: HookParentKey) {
    this.#context = context;
    this.#parent = parent;
  }

  async list({ page, limit, query: search, sort, order }: z.output<typeof LIST_QUERY>) {
    const { db } = this.#context;
    const parent_id = await findHookParent(db, this.#parent);
    const where = { search, sort: SORTS[sort], order, limit, offset: (page - 1) * limit };
    const { rows, total } =
      parent_id === null
        ? { rows: [], total: 0 }
        : await listHooks(db, { account: this.#parent.account, parent_id }, where);
    return { body: rows.map((row) => toWireCodeHook(row, this.#parent)), total };
  }

  async create(body: CodeWebhookCreate) {
    const draft = parseCreateDraft(body);
    if (draft === null) return createProblem("bad_request", "body.identifier: is required");
    const row = await createHook(this.#context, this.#parent, draft);
    return isProblem(row) ? row : this.#hookBody(row);
  }

  async get(params: HookParams) {
    const hook = await this.#find(params);
    return isProblem(hook) ? hook : this.#hookBody(hook);
  }

  async update(params: HookParams, body: CodeWebhookUpdate) {
    const hook = await this.#find(params);
    if (isProblem(hook)) return hook;
    const row = await changeHook(this.#context, hook, (newest) => parseUpdateDraft(body, newest));
    return isProblem(row) ? row : this.#hookBody(row);
  }

  async delete(params: HookParams) {
    const hook = await this.#find(params);
    if (isProblem(hook)) return hook;
    await deleteHook(this.#context.db, hook);
    return { body: undefined };
  }

  async listExecutions(params: HookParams, { page, limit }: z.output<typeof EXECUTIONS_QUERY>) {
    const hook = await this.#find(params);
    if (isProblem(hook)) return hook;
    const where = { limit, offset: (page - 1) * limit };
    const { rows, total } = await listHookExecutions(this.#context.db, hook, where);
    return { body: rows.map(toWireCodeExecution), total };
  }

  async getExecution(params: ExecutionParams) {
    const found = await this.#findExecution(params);
    return isProblem(found) ? found : { body: toWireCodeExecution(found.execution) };
  }

  async retrigger(params: ExecutionParams) {
    const found = await this.#findExecution(params);
    if (isProblem(found)) return found;
    const row = await retriggerExecution(this.#context, found.hook, found.execution);
    return isProblem(row) ? row : { body: toWireCodeExecution(row) };
  }

  #hookBody(row: HookRow) {
    return { body: toWireCodeHook(row, this.#parent) };
  }

  #find({ webhook_identifier: identifier }: HookParams) {
    return hookIn(this.#context, this.#parent, { identifier, allowsNumber: true });
  }

  async #findExecution(params: ExecutionParams) {
    const hook = await this.#find(params);
    if (isProblem(hook)) return hook;
    const execution = await requireExecution(this.#context, hook, params.webhook_execution_id);
    return isProblem(execution) ? execution : { hook, execution: execution satisfies HookExecutionRow };
  }
}
