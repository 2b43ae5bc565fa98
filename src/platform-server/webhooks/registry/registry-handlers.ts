import type { registryWebhooks } from "../../../platform/contract/registry-webhooks.ts";
import type { Area } from "../../area/area.ts";
import type { Context } from "../../area/deps.ts";
import { isProblem, type Problem } from "../../area/problem.ts";
import { parseRegistryParent } from "../hook/scope.ts";
import { changeHook, createHook, hookIn, requireExecution, retriggerExecution } from "../manage.ts";
import { type HookExecutionRow, listHookExecutions } from "../store/executions.ts";
import { deleteHook, type HookRow, type HookSort, listHooks } from "../store/hooks.ts";
import { findHookParent } from "../store/parents.ts";
import type { WebhookTables } from "../store/tables.ts";
import { parseRegistryDraft, toWireRegistryExecution, toWireRegistryHook } from "./registry-bodies.ts";

type RegistryProblem = Problem<"bad_request" | "forbidden" | "not_found">;

const SORTS = {
  identifier: "identifier",
  name: "name",
  createdAt: "created_ms",
  modifiedAt: "updated_ms",
} as const satisfies Readonly<Record<string, HookSort>>;

const toHookBody = (row: HookRow) => ({
  body: { data: toWireRegistryHook(row), status: "SUCCESS" as const },
});
const toExecutionBody = (row: HookExecutionRow) => ({
  body: { data: toWireRegistryExecution(row), status: "SUCCESS" as const },
});
const buildHookPage = ({ page, size }: { page: number; size: number }, total: number) => ({
  itemCount: total,
  pageCount: Math.ceil(total / size),
  pageIndex: page,
  pageSize: size,
});

interface HookParams {
  readonly registry_ref: string;
  readonly webhook_identifier: string;
}

async function find(
  context: Context<WebhookTables>,
  { registry_ref, webhook_identifier: identifier }: HookParams,
): Promise<HookRow | RegistryProblem> {
  const key = parseRegistryParent(registry_ref, context.token);
  return isProblem(key) ? key : hookIn(context, key, { identifier });
}

async function findExecution(
  context: Context<WebhookTables>,
  params: HookParams & { readonly webhook_execution_id: number },
): Promise<{ hook: HookRow; execution: HookExecutionRow } | RegistryProblem> {
  const hook = await find(context, params);
  if (isProblem(hook)) return hook;
  const execution = await requireExecution(context, hook, params.webhook_execution_id);
  return isProblem(execution) ? execution : { hook, execution };
}

/** Webhooks of package registries (document 1, 4.2). */
export const registryWebhooksHandlers: Area<typeof registryWebhooks, WebhookTables> = {
  listRegistryWebhooks: async ({ params, query }, context) => {
    const key = parseRegistryParent(params.registry_ref, context.token);
    if (isProblem(key)) return key;
    const parent_id = await findHookParent(context.db, key);
    const { rows, total } =
      parent_id === null
        ? { rows: [], total: 0 }
        : await listHooks(
            context.db,
            { account: key.account, parent_id },
            {
              search: query.search_term,
              sort: SORTS[query.sort_field],
              order: query.sort_order.toLowerCase() === "asc" ? "asc" : "desc",
              limit: query.size,
              offset: (query.page - 1) * query.size,
            },
          );
    const data = { ...buildHookPage(query, total), webhooks: rows.map(toWireRegistryHook) };
    return { body: { data, status: "SUCCESS" } };
  },

  createRegistryWebhook: async ({ params, body }, context) => {
    const key = parseRegistryParent(params.registry_ref, context.token);
    if (isProblem(key)) return key;
    const row = await createHook(context, key, parseRegistryDraft(body));
    return isProblem(row) ? row : toHookBody(row);
  },

  getRegistryWebhook: async ({ params }, context) => {
    const hook = await find(context, params);
    return isProblem(hook) ? hook : toHookBody(hook);
  },

  updateRegistryWebhook: async ({ params, body }, context) => {
    const hook = await find(context, params);
    if (isProblem(hook)) return hook;
    const row = await changeHook(context, hook, () => parseRegistryDraft(body));
    return isProblem(row) ? row : toHookBody(row);
  },

  deleteRegistryWebhook: async ({ params }, context) => {
    const hook = await find(context, params);
    if (isProblem(hook)) return hook;
    await deleteHook(context.db, hook);
    return { body: { status: "SUCCESS" } };
  },

  listRegistryWebhookExecutions: async ({ params, query }, context) => {
    const hook = await find(context, params);
    if (isProblem(hook)) return hook;
    const { rows, total } = await listHookExecutions(context.db, hook, {
      limit: query.size,
      offset: (query.page - 1) * query.size,
    });
    const data = { ...buildHookPage(query, total), executions: rows.map(toWireRegistryExecution) };
    return { body: { data, status: "SUCCESS" } };
  },

  getRegistryWebhookExecution: async ({ params }, context) => {
    const found = await findExecution(context, params);
    return isProblem(found) ? found : toExecutionBody(found.execution);
  },

  retriggerRegistryWebhookExecution: async ({ params }, context) => {
    const found = await findExecution(context, params);
    if (isProblem(found)) return found;
    const row = await retriggerExecution(context, found.hook, found.execution);
    return isProblem(row) ? row : toExecutionBody(row);
  },
};
