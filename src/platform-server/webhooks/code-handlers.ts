import type { z } from "zod";
import type {
  CodeWebhook,
  CodeWebhookCreate,
  CodeWebhookExecution,
  CodeWebhookUpdate,
  codeWebhooks,
  EXECUTIONS_QUERY,
  LIST_QUERY,
} from "../../platform/contract/code-webhooks.ts";
import type { WebhookEvent } from "../../platform/contract/shapes/webhook-shapes.ts";
import type { Area, Context } from "../area/area.ts";
import { refuse } from "../area/problem.ts";
import type { HookParentKey } from "../tables/webhooks.ts";
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
import { parseCodeParent, type SpaceQuery } from "./parents.ts";

/** A request about the webhooks of a repository, or of a space where none is named. */
interface ScopeInput<Query = SpaceQuery> {
  readonly params?: { readonly repo_identifier?: string };
  readonly query: SpaceQuery & Query;
}
interface HookInput<Query = SpaceQuery> extends ScopeInput<Query> {
  readonly params: { readonly repo_identifier?: string; readonly webhook_identifier: string };
}
interface ExecutionInput extends HookInput {
  readonly params: HookInput["params"] & { readonly webhook_execution_id: number };
}

const SORTS = {
  id: "hook_id",
  uid: "identifier",
  identifier: "identifier",
  display_name: "name",
  created: "created_ms",
  updated: "updated_ms",
} as const satisfies Readonly<Record<string, HookQuery["sort"]>>;

async function list(input: ScopeInput<z.output<typeof LIST_QUERY>>, context: Context) {
  const { page, limit, query: search, sort, order } = input.query;
  const parent = getParent(input, context);
  const query = { search, sort: SORTS[sort], order, limit, offset: (page - 1) * limit };
  const { rows, total } = await listHooks(context, parent, query);
  return { body: rows.map((row) => toWireHook(row, parent)), total };
}

async function create(input: ScopeInput & { readonly body: CodeWebhookCreate }, context: Context) {
  const parent = getParent(input, context);
  const row = await createHook(context, parent, parseCreateDraft(input.body));
  return { body: toWireHook(row, parent) };
}

async function get(input: HookInput, context: Context) {
  return { body: toWireHook(await readNamedHook(input, context), getParent(input, context)) };
}

async function update(input: HookInput & { readonly body: CodeWebhookUpdate }, context: Context) {
  const hook = await readNamedHook(input, context);
  const row = await changeHook(context, hook, (newest) => parseUpdateDraft(input.body, newest));
  return { body: toWireHook(row, getParent(input, context)) };
}

async function remove(input: HookInput, context: Context) {
  await deleteHook(context, await readNamedHook(input, context));
  return { body: undefined };
}

async function listExecutions(input: HookInput<z.output<typeof EXECUTIONS_QUERY>>, context: Context) {
  const { page, limit } = input.query;
  const hook = await readNamedHook(input, context);
  const { rows, total } = await listHookExecutions(context, hook, { limit, offset: (page - 1) * limit });
  return { body: rows.map(toWireExecution), total };
}

async function getExecution(input: ExecutionInput, context: Context) {
  const hook = await readNamedHook(input, context);
  const execution = await readHookExecution(context, hook, input.params.webhook_execution_id);
  return { body: toWireExecution(execution) };
}

async function retrigger(input: ExecutionInput, context: Context) {
  const hook = await readNamedHook(input, context);
  const execution = await retriggerExecution(context, hook, input.params.webhook_execution_id);
  return { body: toWireExecution(execution) };
}

/** Webhooks of code hosting, of one repository and of a space (document 1, 4.3). */
export const codeWebhooksHandlers: Area<typeof codeWebhooks> = {
  ...{ listRepoWebhooks: list, listSpaceWebhooks: list },
  ...{ createRepoWebhook: create, createSpaceWebhook: create },
  ...{ getRepoWebhook: get, getSpaceWebhook: get },
  ...{ updateRepoWebhook: update, updateSpaceWebhook: update },
  ...{ deleteRepoWebhook: remove, deleteSpaceWebhook: remove },
  ...{ listRepoWebhookExecutions: listExecutions, listSpaceWebhookExecutions: listExecutions },
  ...{ getRepoWebhookExecution: getExecution, getSpaceWebhookExecution: getExecution },
  ...{ retriggerRepoWebhookExecution: retrigger, retriggerSpaceWebhookExecution: retrigger },
};

const getParent = ({ params, query }: ScopeInput, { token }: Context): HookParentKey =>
  parseCodeParent(query, token, params?.repo_identifier);

const readNamedHook = (input: HookInput, context: Context): Promise<HookRow> =>
  readHook(context, getParent(input, context), {
    identifier: input.params.webhook_identifier,
    allowsNumber: true,
  });

function parseCreateDraft(body: CodeWebhookCreate): HookDraft {
  const identifier = body.identifier ?? body.uid ?? refuse("bad_request", "body.identifier: is required");
  return {
    identifier,
    name: body.display_name ?? identifier,
    description: body.description ?? "",
    url: body.url,
    enabled: body.enabled ?? true,
    insecure: body.insecure ?? false,
    triggers: body.triggers ?? [],
    headers: body.extra_headers ?? [],
    secret: body.secret ?? "",
  };
}

/** Converts an update body to a draft; omitted members stay unchanged. */
const parseUpdateDraft = (body: CodeWebhookUpdate, row: HookRow): HookDraft => ({
  identifier: body.identifier ?? body.uid ?? row.identifier,
  name: body.display_name ?? row.name,
  description: body.description ?? row.description,
  url: body.url ?? row.url,
  enabled: body.enabled ?? row.enabled,
  insecure: body.insecure ?? row.insecure,
  triggers: body.triggers ?? readTriggers(row.triggers),
  headers: body.extra_headers,
  secret: body.secret,
});

/** 0 a repository, else how deep the space lies. */
function getScopeNumber({ kind, org, project }: HookParentKey): number {
  if (kind === "repo") return 0;
  return 1 + [org, project].filter((part) => part !== "").length;
}

const toWireHook = (row: HookRow, parent: HookParentKey): z.input<typeof CodeWebhook> => ({
  id: row.hook_id,
  version: row.version,
  parent_id: row.parent_id,
  parent_type: parent.kind,
  created_by: row.created_by,
  created: row.created_ms,
  updated: row.updated_ms,
  scope: getScopeNumber(parent),
  identifier: row.identifier,
  uid: row.identifier,
  display_name: row.name,
  description: row.description,
  url: row.url,
  enabled: row.enabled,
  insecure: row.insecure,
  triggers: readTriggers(row.triggers),
  ...(row.latest_result === null ? {} : { latest_execution_result: parseResult(row.latest_result) }),
  extra_headers: readShownHeaders(row.headers),
  has_secret: row.secret !== null,
});

const toWireExecution = (row: HookExecutionRow): z.input<typeof CodeWebhookExecution> => ({
  id: row.execution_id,
  ...(row.retrigger_of === null ? {} : { retrigger_of: row.retrigger_of }),
  retriggerable: true,
  created: row.created_ms,
  webhook_id: row.hook_id,
  trigger_type: row.event as WebhookEvent, // only events are stored
  result: parseResult(row.result),
  duration: row.duration_ns,
  error: row.error,
  request: { url: row.request_url, headers: row.request_headers, body: row.request_body },
  ...(row.response_code === null
    ? {}
    : {
        response: {
          status_code: row.response_code,
          status: row.response_status,
          headers: row.response_headers,
          body: row.response_body,
        },
      }),
});

const parseResult = (text: string) => text.toLowerCase() as "success" | "retriable_error" | "fatal_error"; // only results are stored
