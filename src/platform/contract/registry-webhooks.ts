import { z } from "zod";
import { type Contract, declareEndpoint } from "./endpoint.ts";
import { count, createIntegerText, list, openEnum, optionalText } from "./shapes/fields.ts";
import type { Pagination } from "./shapes/pagination.ts";
import {
  description,
  displayName,
  hookParam,
  insecure,
  newHeaders,
  newIdentifier,
  RESULTS,
  requestMembers,
  ShownHeader,
  targetUrl,
} from "./shapes/webhook-shapes.ts";

/** Error statuses of every operation here (platform section 7; 412: see `createRegistryWebhook`). */
const READ_ERRORS = [404] as const;
const WRITE_ERRORS = [404, 412] as const;

const base = "/har/api/v1/registry/{registry_ref}/webhooks" as const;
const shared = {
  api: "registry",
  area: "registry-webhooks",
  source: "platform 4.2",
  slashes: ["registry_ref"],
  status: 200,
  errors: READ_ERRORS,
} as const;

/** Events that trigger a registry's webhook. */
const REGISTRY_TRIGGERS = ["ARTIFACT_CREATION", "ARTIFACT_DELETION"] as const;

const SORT_FIELDS = ["identifier", "name", "createdAt", "modifiedAt"] as const;
const ORDERS = ["asc", "desc", "ASC", "DESC"] as const;

const REGISTRY = {
  registry_ref: z
    .string()
    .regex(
      /^[A-Za-z0-9_.$-]{1,128}(\/[A-Za-z0-9_.$-]{1,128}){1,3}\/\+$/,
      "expected account/registry/+, account/org/registry/+ or account/org/project/registry/+",
    )
    .describe(
      "`account/registry/+`, `account/org/registry/+` or `account/org/project/registry/+`; the end `/+` belongs to it.",
    ),
};
const HOOK = { ...REGISTRY, webhook_identifier: hookParam };
const EXECUTION = {
  ...HOOK,
  webhook_execution_id: createIntegerText(1).describe("Id of the execution."),
};

const status = openEnum(["SUCCESS", "FAILURE", "ERROR"]);
const result = openEnum(RESULTS);
const wrapInRegistryEnvelope = <S extends z.ZodType>(data: S) => z.object({ data, status });

/** Body of create and update. */
export const RegistryWebhookBody = z
  .object({
    identifier: newIdentifier,
    name: displayName,
    url: targetUrl,
    enabled: z.boolean().describe("False: nothing is delivered."),
    insecure,
    description: description.optional(),
    extraHeaders: newHeaders.optional().describe("At most 20, sent with every delivery."),
    secretIdentifier: optionalText(
      128,
      "Name of the secret that deliveries are signed with; the operator's settings hold its value.",
    ),
    secretSpaceId: z.int().min(0).optional(),
    secretSpacePath: z.string().max(512).optional(),
    triggers: z
      .array(z.enum(REGISTRY_TRIGGERS))
      .max(REGISTRY_TRIGGERS.length)
      .optional()
      .describe("Absent or empty: every event."),
  })
  .meta({ id: "RegistryWebhookRequest" });
export type RegistryWebhookBody = z.output<typeof RegistryWebhookBody>;

export const RegistryWebhook = z
  .object({
    identifier: z.string(),
    name: z.string(),
    url: z.string(),
    enabled: z.boolean(),
    insecure: z.boolean(),
    description: z.string().nullish(),
    extraHeaders: list(ShownHeader),
    secretIdentifier: z.string().nullish(),
    secretSpaceId: z.int().nullish(),
    secretSpacePath: z.string().nullish(),
    triggers: list(openEnum(REGISTRY_TRIGGERS)).describe("Empty: every event."),
    createdAt: z.string().nullish().describe("Milliseconds since 1970, as text."),
    createdBy: z.int().nullish(),
    modifiedAt: z.string().nullish().describe("Milliseconds since 1970, as text."),
    internal: z.boolean().nullish(),
    latestExecutionResult: result.nullish().describe("Absent until there was a delivery."),
    version: z.int().nullish().describe("Counts the updates, from 0."),
  })
  .meta({ id: "RegistryWebhook" });

export const RegistryWebhookExecution = z
  .object({
    id: z.int(),
    webhookId: z.int(),
    created: z.int().describe("Milliseconds since 1970."),
    ...requestMembers,
    response: z
      .object({ status: z.string(), statusCode: z.int(), headers: z.string(), body: z.string() })
      .partial()
      .nullish()
      .describe("Headers and body are cut at 1,024 bytes each."),
    result,
    retriggerOf: z.int().nullish().describe("Id of the execution that this one repeats."),
    retriggerable: z.boolean().nullish(),
    triggerType: openEnum(REGISTRY_TRIGGERS),
  })
  .meta({ id: "RegistryWebhookExecution" });

const page = {
  itemCount: count.nullish().describe("How many there are in all."),
  pageCount: count.nullish(),
  pageIndex: count.nullish().describe("The page that was asked for, from 1."),
  pageSize: count.nullish(),
};
const paging = {
  page: createIntegerText(1).default(1),
  size: createIntegerText(1, 100).default(20).describe("Items of a page, at most 100."),
};
const createPagination = (member: string): Pagination => ({
  ask: { by: "page", in: "query", page: "page", size: "size", first: 1 },
  items: ["data", member],
  total: { in: "body", path: ["data", "itemCount"] },
});

/** Webhooks of package registries (document 1, 4.2). */
export const registryWebhooks = {
  listRegistryWebhooks: declareEndpoint({
    ...shared,
    operation: "list",
    method: "GET",
    path: base,
    summary: "Webhooks of a registry",
    params: z.object(REGISTRY),
    query: z.object({
      ...paging,
      sort_order: z.enum(ORDERS).default("desc"),
      sort_field: z.enum(SORT_FIELDS).default("createdAt"),
      search_term: optionalText(256, "Part of the identifier or the name, in any case."),
    }),
    response: wrapInRegistryEnvelope(z.object({ ...page, webhooks: list(RegistryWebhook) })),
    pagination: createPagination("webhooks"),
  }),
  createRegistryWebhook: declareEndpoint({
    ...shared,
    operation: "create",
    method: "POST",
    path: base,
    summary: "Add a webhook to a registry",
    description:
      "An identifier that is taken is a 400. Masked headers are stored encrypted: without the operator's `TOLLGATE_KEY` they are refused with 412.",
    params: z.object(REGISTRY),
    body: RegistryWebhookBody,
    response: wrapInRegistryEnvelope(RegistryWebhook),
    status: 201,
    errors: WRITE_ERRORS,
  }),
  getRegistryWebhook: declareEndpoint({
    ...shared,
    operation: "get",
    method: "GET",
    path: `${base}/{webhook_identifier}`,
    summary: "One webhook of a registry",
    params: z.object(HOOK),
    response: wrapInRegistryEnvelope(RegistryWebhook),
  }),
  updateRegistryWebhook: declareEndpoint({
    ...shared,
    operation: "update",
    method: "PUT",
    path: `${base}/{webhook_identifier}`,
    summary: "Replace a webhook of a registry",
    description:
      "What the body leaves out is taken away. A masked header whose value is sent as `******` keeps its value.",
    params: z.object(HOOK),
    body: RegistryWebhookBody,
    response: wrapInRegistryEnvelope(RegistryWebhook),
    errors: WRITE_ERRORS,
  }),
  deleteRegistryWebhook: declareEndpoint({
    ...shared,
    operation: "delete",
    method: "DELETE",
    path: `${base}/{webhook_identifier}`,
    summary: "Remove a webhook of a registry with its executions",
    params: z.object(HOOK),
    response: z.object({ status }),
  }),
  listRegistryWebhookExecutions: declareEndpoint({
    ...shared,
    operation: "list-executions",
    method: "GET",
    path: `${base}/{webhook_identifier}/executions`,
    summary: "Deliveries of a webhook, newest first",
    params: z.object(HOOK),
    query: z.object(paging),
    response: wrapInRegistryEnvelope(z.object({ ...page, executions: list(RegistryWebhookExecution) })),
    pagination: createPagination("executions"),
  }),
  getRegistryWebhookExecution: declareEndpoint({
    ...shared,
    operation: "get-execution",
    method: "GET",
    path: `${base}/{webhook_identifier}/executions/{webhook_execution_id}`,
    summary: "One delivery of a webhook",
    params: z.object(EXECUTION),
    response: wrapInRegistryEnvelope(RegistryWebhookExecution),
  }),
  retriggerRegistryWebhookExecution: declareEndpoint({
    ...shared,
    operation: "retrigger",
    method: "GET",
    path: `${base}/{webhook_identifier}/executions/{webhook_execution_id}/retrigger`,
    summary: "Deliver the same event again, at once",
    description:
      "A GET that acts: it sends before it answers, and answers with the new execution, whose `retriggerOf` names the old one. A failed delivery is an answer like any other: see `result`.",
    params: z.object(EXECUTION),
    response: wrapInRegistryEnvelope(RegistryWebhookExecution),
  }),
} as const satisfies Contract;
