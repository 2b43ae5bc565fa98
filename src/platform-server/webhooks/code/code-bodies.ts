import type { z } from "zod";
import type {
  CodeWebhook,
  CodeWebhookCreate,
  CodeWebhookExecution,
  CodeWebhookUpdate,
} from "../../../platform/contract/shapes/code-webhook-shapes.ts";
import type { WebhookEvent } from "../../../platform/contract/shapes/webhook-shapes.ts";
import { readShownHeaders } from "../hook/headers.ts";
import { readTriggers } from "../hook/triggers.ts";
import type { HookDraft } from "../manage.ts";
import type { HookExecutionRow } from "../store/executions.ts";
import type { HookRow } from "../store/hooks.ts";
import type { HookParentKey } from "../store/tables.ts";

type Result = "success" | "retriable_error" | "fatal_error";

const NO_SECRET_NAME = { secret_identifier: null, secret_space_id: null, secret_space_path: null };

/** Converts a create body to a draft; null: it has no identifier. */
export function parseCreateDraft(body: CodeWebhookCreate): HookDraft | null {
  const identifier = body.identifier ?? body.uid;
  if (identifier === undefined) return null;
  return {
    ...NO_SECRET_NAME,
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
export const parseUpdateDraft = (body: CodeWebhookUpdate, row: HookRow): HookDraft => ({
  ...NO_SECRET_NAME,
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

export const toWireCodeHook = (row: HookRow, parent: HookParentKey): z.input<typeof CodeWebhook> => ({
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

export const toWireCodeExecution = (row: HookExecutionRow): z.input<typeof CodeWebhookExecution> => ({
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

const parseResult = (text: string) => text.toLowerCase() as Result; // only results are stored
