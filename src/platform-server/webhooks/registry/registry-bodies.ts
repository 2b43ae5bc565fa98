import type { z } from "zod";
import type {
  RegistryWebhook,
  RegistryWebhookBody,
  RegistryWebhookExecution,
} from "../../../platform/contract/registry-webhooks.ts";
import type { WebhookEvent, WebhookResult } from "../../../platform/contract/shapes/webhook-shapes.ts";
import { readShownHeaders } from "../hook/headers.ts";
import { readTriggers } from "../hook/triggers.ts";
import type { HookDraft } from "../manage.ts";
import type { HookExecutionRow } from "../store/executions.ts";
import type { HookRow } from "../store/hooks.ts";

/** Registries write events in their own words. */
const EVENTS = {
  ARTIFACT_CREATION: "artifact_created",
  ARTIFACT_DELETION: "artifact_deleted",
} as const satisfies Readonly<Record<string, WebhookEvent>>;
type Trigger = keyof typeof EVENTS;

const toTrigger = (event: string): Trigger =>
  event === EVENTS.ARTIFACT_DELETION ? "ARTIFACT_DELETION" : "ARTIFACT_CREATION";

export const parseRegistryDraft = (body: RegistryWebhookBody): HookDraft => ({
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

export function toWireRegistryHook(row: HookRow): z.input<typeof RegistryWebhook> {
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

export const toWireRegistryExecution = (row: HookExecutionRow): z.input<typeof RegistryWebhookExecution> => ({
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
