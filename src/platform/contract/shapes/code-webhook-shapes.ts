import { z } from "zod";
import { createIntegerText, identifier, list, milliseconds, openEnum } from "./fields.ts";
import { type Pagination, TOTAL_HEADERS } from "./pagination.ts";
import {
  CODE_TRIGGERS,
  description,
  displayName,
  hookParam,
  insecure,
  newHeaders,
  newIdentifier,
  requestMembers,
  ShownHeader,
  targetUrl,
} from "./webhook-shapes.ts";

/**
 * The scope of a webhook of code hosting: the account, an org or a project. A repository's webhook has it
 * too.
 */
export const SPACE = {
  orgIdentifier: identifier.optional().describe("Organisation; absent: the account itself."),
  projectIdentifier: identifier.optional().describe("Project; needs `orgIdentifier`."),
};
export const REPO = { repo_identifier: identifier.describe("Identifier of the repository.") };
export const HOOK = {
  webhook_identifier: hookParam.describe("Identifier of the webhook, or its numeric id."),
};
export const EXECUTION = {
  ...HOOK,
  webhook_execution_id: createIntegerText(1).describe("Id of the execution."),
};

/** Sort fields of the list; each names a member of the webhook. */
export const SORTS = ["id", "uid", "identifier", "display_name", "created", "updated"] as const;

const paging = {
  page: createIntegerText(1).default(1),
  limit: createIntegerText(1, 100).default(30).describe("Items of a page, at most 100."),
};
export const LIST_QUERY = z.object({
  ...SPACE,
  ...paging,
  query: z.string().max(256).optional().describe("Part of the identifier or the display name, in any case."),
  sort: z.enum(SORTS).default("identifier"),
  order: z.enum(["asc", "desc"]).default("desc"),
});
export const EXECUTIONS_QUERY = z.object({ ...SPACE, ...paging });
export const PAGED = {
  ask: { by: "page", in: "query", page: "page", size: "limit", first: 1 },
  items: [],
  total: TOTAL_HEADERS,
  headers: {
    "x-page": "page",
    "x-per-page": "size",
    "x-total": "total",
    "x-total-pages": "pages",
    "x-next-page": "next",
  },
} as const satisfies Pagination;

const triggers = z.array(z.enum(CODE_TRIGGERS)).max(CODE_TRIGGERS.length);
const settings = {
  display_name: displayName.optional().describe("Absent: the identifier."),
  description: description.optional(),
  url: targetUrl,
  secret: z
    .string()
    .max(4096)
    .optional()
    .describe(
      "Deliveries are signed with it. Never shown: see `has_secret`. Empty: none. At most 4,096 characters.",
    ),
  enabled: z.boolean().optional().describe("False: nothing is delivered. Absent in a new webhook: true."),
  insecure: insecure.optional(),
  triggers: triggers.optional().describe("Empty, or absent in a new webhook: every event."),
  extra_headers: newHeaders.optional().describe("At most 20, sent with every delivery."),
};

export const CodeWebhookCreate = z
  .object({
    identifier: newIdentifier.optional().describe("Required, unless the older name `uid` is given."),
    uid: newIdentifier.optional().describe("Older name of `identifier`."),
    ...settings,
  })
  .meta({ id: "CodeWebhookCreate" });
export type CodeWebhookCreate = z.output<typeof CodeWebhookCreate>;

export const CodeWebhookUpdate = z
  .object({ identifier: newIdentifier, uid: newIdentifier, ...settings })
  .partial()
  .meta({ id: "CodeWebhookUpdate", description: "What is left out stays as it is." });
export type CodeWebhookUpdate = z.output<typeof CodeWebhookUpdate>;

const result = openEnum(["success", "retriable_error", "fatal_error"]);

export const CodeWebhook = z
  .object({
    id: z.int(),
    version: z.int().describe("Counts the updates, from 0."),
    parent_id: z.int(),
    parent_type: openEnum(["repo", "space", "registry"]),
    created_by: z.int(),
    created: milliseconds,
    updated: milliseconds,
    scope: z.int().describe("0 a repository, 1 the account, 2 an organisation, 3 a project."),
    identifier: z.string(),
    uid: z.string().nullish().describe("The identifier under its older name."),
    display_name: z.string(),
    description: z.string().nullish(),
    url: z.string(),
    enabled: z.boolean(),
    insecure: z.boolean(),
    triggers: list(openEnum(CODE_TRIGGERS)).describe("Empty: every event."),
    latest_execution_result: result.nullish().describe("Absent until there was a delivery."),
    extra_headers: list(ShownHeader),
    has_secret: z.boolean(),
  })
  .meta({ id: "CodeWebhook" });

export const CodeWebhookExecution = z
  .object({
    id: z.int(),
    retrigger_of: z.int().nullish().describe("Id of the execution that this one repeats."),
    retriggerable: z.boolean().nullish(),
    created: milliseconds,
    webhook_id: z.int(),
    trigger_type: openEnum(CODE_TRIGGERS),
    result,
    ...requestMembers,
    response: z
      .object({ status_code: z.int(), status: z.string(), headers: z.string(), body: z.string() })
      .partial()
      .nullish()
      .describe("Headers and body are cut at 1,024 bytes each."),
  })
  .meta({ id: "CodeWebhookExecution" });

/** Error statuses of every operation here (platform section 7; 412: see `KEPT`). */
export const READ_ERRORS = [400, 401, 403, 404, 500] as const;
export const WRITE_ERRORS = [400, 401, 403, 404, 412, 500] as const;
export const SPACE_QUERY = z.object(SPACE);

const LEFT_OUT_ON_UPDATE =
  "Secret and masked headers are stored encrypted: without the operator's `TOLLGATE_KEY` they are refused with 412.";
export const NEW = `An identifier that is taken is a 400. ${LEFT_OUT_ON_UPDATE}`;
export const CHANGED = `What the body leaves out stays as it is; an empty \`secret\` removes it; a masked header whose value is sent as \`******\` keeps its value. ${LEFT_OUT_ON_UPDATE}`;
export const AGAIN =
  "Sends before it answers, and answers with the new execution, whose `retrigger_of` names the old one. A failed delivery is an answer like any other: see `result`.";

export const shared = { api: "code", area: "code-webhooks", source: "platform 4.3" } as const;
