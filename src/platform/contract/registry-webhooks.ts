import { z } from "zod";
import { type Contract, declareEndpoint } from "./endpoint.ts";
import { list } from "./shapes/fields.ts";
import {
  createPagination,
  EXECUTION,
  HOOK,
  ORDERS,
  page,
  paging,
  REGISTRY,
  RegistryWebhook,
  RegistryWebhookBody,
  RegistryWebhookExecution,
  SORT_FIELDS,
  status,
  wrapInRegistryEnvelope,
} from "./shapes/registry-webhook-shapes.ts";

/** Error statuses of every operation here (platform section 7; 412: see `createRegistryWebhook`). */
const READ_ERRORS = [400, 401, 403, 404, 500] as const;
const WRITE_ERRORS = [400, 401, 403, 404, 412, 500] as const;

const base = "/har/api/v1/registry/{registry_ref}/webhooks" as const;
const shared = {
  api: "registry",
  area: "registry-webhooks",
  source: "platform 4.2",
  slashes: ["registry_ref"],
} as const;

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
      search_term: z
        .string()
        .max(256)
        .optional()
        .describe("Part of the identifier or the name, in any case."),
    }),
    response: wrapInRegistryEnvelope(z.object({ ...page, webhooks: list(RegistryWebhook) })),
    status: 200,
    errors: READ_ERRORS,
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
    status: 200,
    errors: READ_ERRORS,
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
    status: 200,
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
    status: 200,
    errors: READ_ERRORS,
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
    status: 200,
    errors: READ_ERRORS,
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
    status: 200,
    errors: READ_ERRORS,
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
    status: 200,
    errors: READ_ERRORS,
  }),
} as const satisfies Contract;
