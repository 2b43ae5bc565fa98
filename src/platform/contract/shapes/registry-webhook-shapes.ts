import { z } from "zod";
import { count, createIntegerText, list, openEnum } from "./fields.ts";
import type { Pagination } from "./pagination.ts";
import {
  description,
  displayName,
  hookParam,
  insecure,
  newHeaders,
  newIdentifier,
  RESULTS,
  SentRequest,
  ShownHeader,
  targetUrl,
} from "./webhook-shapes.ts";

/** Events that trigger a registry's webhook. */
export const REGISTRY_TRIGGERS = ["ARTIFACT_CREATION", "ARTIFACT_DELETION"] as const;

export const SORT_FIELDS = ["identifier", "name", "createdAt", "modifiedAt"] as const;
export const ORDERS = ["asc", "desc", "ASC", "DESC"] as const;

export const REGISTRY = {
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
export const HOOK = { ...REGISTRY, webhook_identifier: hookParam };
export const EXECUTION = {
  ...HOOK,
  webhook_execution_id: createIntegerText(1).describe("Id of the execution."),
};

export const status = openEnum(["SUCCESS", "FAILURE", "ERROR"]);
const result = openEnum(RESULTS);
export const wrapInRegistryEnvelope = <S extends z.ZodType>(data: S) => z.object({ data, status });

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
    secretIdentifier: z
      .string()
      .max(128)
      .optional()
      .describe(
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
    duration: z.int().describe("Nanoseconds from the first byte sent to the end of the answer."),
    error: z.string().nullish().describe("Why it failed; absent or empty when it did not."),
    request: SentRequest.nullish(),
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

export const page = {
  itemCount: count.nullish().describe("How many there are in all."),
  pageCount: count.nullish(),
  pageIndex: count.nullish().describe("The page that was asked for, from 1."),
  pageSize: count.nullish(),
};
export const paging = {
  page: createIntegerText(1).default(1),
  size: createIntegerText(1, 100).default(20).describe("Items of a page, at most 100."),
};
export const createPagination = (member: string): Pagination => ({
  ask: { by: "page", in: "query", page: "page", size: "size", first: 1 },
  items: ["data", member],
  total: { in: "body", path: ["data", "itemCount"] },
});
