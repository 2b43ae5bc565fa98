import type { z } from "zod";
import type {
  RegistryWebhook,
  RegistryWebhookBody,
  RegistryWebhookExecution,
  registryWebhooks,
} from "../../platform/contract/registry-webhooks.ts";
import type { WebhookEvent, WebhookResult } from "../../platform/contract/shapes/webhook-shapes.ts";
import type { Area, Context } from "../area/area.ts";
import { readShownHeaders, readTriggers } from "./headers.ts";
import {
  changeHook,
  createHook,
  deleteHook,
  type HookDraft,
  type HookExecutionRow,
  type HookQuery,
  type HookRow,
  listHookExecutions,
  listHooks,
  readHook,
  readHookExecution,
  retriggerExecution,
} from "./hooks.ts";
import { parseRegistryParent } from "./parents.ts";

const SORTS = {
  identifier: "identifier",
  name: "name",
  createdAt: "created_ms",
  modifiedAt: "updated_ms",
} as const satisfies Readonly<Record<string, HookQuery["sort"]>>;

/** Webhooks of package registries (document 1, 4.2). */
export const registryWebhooksHandlers: Area<typeof registryWebhooks> = {
  listRegistryWebhooks: async ({ params, query }, context) => {
    const { rows, total } = await listHooks(
      context,
      parseRegistryParent(params.registry_ref, context.token),
      {
        search: query.search_term,
        sort: SORTS[query.sort_field],
        order: query.sort_order.toLowerCase() === "asc" ? "asc" : "desc",
        ...toPiece(query),
      },
    );
    return answer({ ...countPages(query, total), webhooks: rows.map(toWireHook) });
  },

  createRegistryWebhook: async ({ params, body }, context) => {
    const parent = parseRegistryParent(params.registry_ref, context.token);
    return answer(toWireHook(await createHook(context, parent, parseDraft(body))));
  },

  getRegistryWebhook: async ({ params }, context) => answer(toWireHook(await readNamedHook(params, context))),

  updateRegistryWebhook: async ({ params, body }, context) => {
    const hook = await readNamedHook(params, context);
    return answer(toWireHook(await changeHook(context, hook, () => parseDraft(body))));
  },

  deleteRegistryWebhook: async ({ params }, context) => {
    await deleteHook(context, await readNamedHook(params, context));
    return { body: { status: "SUCCESS" } };
  },

  listRegistryWebhookExecutions: async ({ params, query }, context) => {
    const hook = await readNamedHook(params, context);
    const { rows, total } = await listHookExecutions(context, hook, toPiece(query));
    return answer({ ...countPages(query, total), executions: rows.map(toWireExecution) });
  },

  getRegistryWebhookExecution: async ({ params }, context) => {
    const hook = await readNamedHook(params, context);
    return answer(toWireExecution(await readHookExecution(context, hook, params.webhook_execution_id)));
  },

  retriggerRegistryWebhookExecution: async ({ params }, context) => {
    const hook = await readNamedHook(params, context);
    return answer(toWireExecution(await retriggerExecution(context, hook, params.webhook_execution_id)));
  },
};

interface PageQuery {
  readonly page: number;
  readonly size: number;
}

const answer = <T>(data: T) => ({ body: { data, status: "SUCCESS" as const } });

const toPiece = ({ page, size }: PageQuery) => ({ limit: size, offset: (page - 1) * size });

const countPages = ({ page, size }: PageQuery, total: number) => ({
  itemCount: total,
  pageCount: Math.ceil(total / size),
  pageIndex: page,
  pageSize: size,
});

const readNamedHook = (
  params: { readonly registry_ref: string; readonly webhook_identifier: string },
  context: Context,
): Promise<HookRow> =>
  readHook(context, parseRegistryParent(params.registry_ref, context.token), {
    identifier: params.webhook_identifier,
  });

/** Registries write events in their own words. */
const EVENTS = {
  ARTIFACT_CREATION: "artifact_created",
  ARTIFACT_DELETION: "artifact_deleted",
} as const satisfies Readonly<Record<string, WebhookEvent>>;
type Trigger = keyof typeof EVENTS;

const toTrigger = (event: string): Trigger =>
  event === EVENTS.ARTIFACT_DELETION ? "ARTIFACT_DELETION" : "ARTIFACT_CREATION";

const parseDraft = (body: RegistryWebhookBody): HookDraft => ({
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

function toWireHook(row: HookRow): z.input<typeof RegistryWebhook> {
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

const toWireExecution = (row: HookExecutionRow): z.input<typeof RegistryWebhookExecution> => ({
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
