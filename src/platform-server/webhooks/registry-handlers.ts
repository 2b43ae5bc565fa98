import type { z } from "zod";
import type {
  RegistryWebhook,
  RegistryWebhookBody,
  RegistryWebhookExecution,
  registryWebhooks,
} from "../../platform/contract/registry-webhooks.ts";
import type { WebhookEvent, WebhookResult } from "../../platform/contract/shapes/webhook-shapes.ts";
import type { Area } from "../area/area.ts";
import type { Context } from "../area/deps.ts";
import { isProblem, type Problem } from "../area/problem.ts";
import { parseRegistryParent, readShownHeaders, readTriggers } from "./headers.ts";
import type { HookDraft } from "./manage.ts";
import { changeHook, createHook, hookIn, requireExecution, retriggerExecution } from "./manage.ts";
import { type HookExecutionRow, listHookExecutions } from "./store/executions.ts";
import { deleteHook, findHookParent, type HookRow, type HookSort, listHooks } from "./store/hooks.ts";
import type { WebhookTables } from "./store/tables.ts";

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

/** Registries write events in their own words. */
const EVENTS = {
  ARTIFACT_CREATION: "artifact_created",
  ARTIFACT_DELETION: "artifact_deleted",
} as const satisfies Readonly<Record<string, WebhookEvent>>;
type Trigger = keyof typeof EVENTS;

const toTrigger = (event: string): Trigger =>
  event === EVENTS.ARTIFACT_DELETION ? "ARTIFACT_DELETION" : "ARTIFACT_CREATION";

const parseRegistryDraft = (body: RegistryWebhookBody): HookDraft => ({
  identifier: body.identifier,
  name: body.name,
  description: body.description ?? "",
  url: body.url,
  enabled: body.enabled,
  insecure: body.insecure,
  triggers: (body.triggers ?? []).map((trigger) => EVENTS[trigger]),
  headers: body.extraHeaders ?? [],
  secret: "",
  secret_identifier: body.secretIdentifier ?? null,
  secret_space_id: body.secretSpaceId ?? null,
  secret_space_path: body.secretSpacePath ?? null,
});

function toWireRegistryHook(row: HookRow): z.input<typeof RegistryWebhook> {
  return {
    identifier: row.identifier,
    name: row.name,
    url: row.url,
    enabled: row.enabled,
    insecure: row.insecure,
    description: row.description,
    extraHeaders: readShownHeaders(row.headers),
    triggers: readTriggers(row.triggers).map(toTrigger),
    createdAt: `${row.created_ms}`,
    createdBy: row.created_by,
    modifiedAt: `${row.updated_ms}`,
    internal: false,
    version: row.version,
    ...(row.secret_identifier === null ? {} : { secretIdentifier: row.secret_identifier }),
    ...(row.secret_space_id === null ? {} : { secretSpaceId: row.secret_space_id }),
    ...(row.secret_space_path === null ? {} : { secretSpacePath: row.secret_space_path }),
    ...(row.latest_result === null ? {} : { latestExecutionResult: parseResult(row.latest_result) }),
  };
}

const toWireRegistryExecution = (row: HookExecutionRow): z.input<typeof RegistryWebhookExecution> => ({
  id: row.execution_id,
  webhookId: row.hook_id,
  created: row.created_ms,
  duration: row.duration_ns,
  error: row.error,
  request: { url: row.request_url, headers: row.request_headers, body: row.request_body },
  ...(row.response_code === null
    ? {}
    : {
        response: {
          status: row.response_status,
          statusCode: row.response_code,
          headers: row.response_headers,
          body: row.response_body,
        },
      }),
  result: parseResult(row.result),
  ...(row.retrigger_of === null ? {} : { retriggerOf: row.retrigger_of }),
  retriggerable: true,
  triggerType: toTrigger(row.event),
});

const parseResult = (text: string) => text as WebhookResult; // only results are stored
