import { z } from "zod";
import { type Contract, declareEndpoint } from "./endpoint.ts";
import {
  createIntegerText,
  identifier,
  list,
  milliseconds,
  openEnum,
  optionalText,
} from "./shapes/fields.ts";
import { type Pagination, TOTAL_HEADERS } from "./shapes/pagination.ts";
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
} from "./shapes/webhook-shapes.ts";

/** The scope of a webhook of code hosting: the account, an org or a project. A repository's webhook has it too. */
const SPACE = {
  orgIdentifier: identifier.optional().describe("Organisation; absent: the account itself."),
  projectIdentifier: identifier.optional().describe("Project; needs `orgIdentifier`."),
};
const HOOK = {
  webhook_identifier: hookParam.describe("Identifier of the webhook, or its numeric id."),
};
const EXECUTION = {
  ...HOOK,
  webhook_execution_id: createIntegerText(1).describe("Id of the execution."),
};

/** Sort fields of the list; each names a member of the webhook. */
const SORTS = ["id", "uid", "identifier", "display_name", "created", "updated"] as const;

const paging = {
  page: createIntegerText(1).default(1),
  limit: createIntegerText(1, 100).default(30).describe("Items of a page, at most 100."),
};
export const LIST_QUERY = z.object({
  ...SPACE,
  ...paging,
  query: optionalText(256, "Part of the identifier or the display name, in any case."),
  sort: z.enum(SORTS).default("identifier"),
  order: z.enum(["asc", "desc"]).default("desc"),
});
export const EXECUTIONS_QUERY = z.object({ ...SPACE, ...paging });
const PAGED = {
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
  secret: optionalText(
    4096,
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
const READ_ERRORS = [404] as const;
const WRITE_ERRORS = [404, 412] as const;
const SPACE_QUERY = z.object(SPACE);

const LEFT_OUT_ON_UPDATE =
  "Secret and masked headers are stored encrypted: without the operator's `TOLLGATE_KEY` they are refused with 412.";
const NEW = `An identifier that is taken is a 400. ${LEFT_OUT_ON_UPDATE}`;
const CHANGED = `What the body leaves out stays as it is; an empty \`secret\` removes it; a masked header whose value is sent as \`******\` keeps its value. ${LEFT_OUT_ON_UPDATE}`;
const AGAIN =
  "Sends before it answers, and answers with the new execution, whose `retrigger_of` names the old one. A failed delivery is an answer like any other: see `result`.";

const shared = { api: "code", area: "code-webhooks", source: "platform 4.3" } as const;

const read = { ...shared, query: SPACE_QUERY, status: 200, errors: READ_ERRORS } as const;

/** The eight operations on the webhooks of one kind of parent, below `base`. `of`: the parent in words. */
const describeOperations = <const Base extends string, const Prefix extends string, Params extends object>(
  base: Base,
  { prefix, params, of }: { readonly prefix: Prefix; readonly params: Params; readonly of: string },
) =>
  ({
    list: {
      ...read,
      operation: `${prefix}list`,
      method: "GET",
      path: base,
      summary: `Webhooks of ${of}`,
      params: z.object({ ...params }),
      query: LIST_QUERY,
      pagination: PAGED,
      response: list(CodeWebhook),
    },
    create: {
      ...read,
      operation: `${prefix}create`,
      method: "POST",
      path: base,
      summary: `Add a webhook to ${of}`,
      description: NEW,
      params: z.object({ ...params }),
      body: CodeWebhookCreate,
      response: CodeWebhook,
      status: 201,
      errors: WRITE_ERRORS,
    },
    get: {
      ...read,
      operation: `${prefix}get`,
      method: "GET",
      path: `${base}/{webhook_identifier}`,
      summary: `One webhook of ${of}`,
      params: z.object({ ...params, ...HOOK }),
      response: CodeWebhook,
    },
    update: {
      ...read,
      operation: `${prefix}update`,
      method: "PATCH",
      path: `${base}/{webhook_identifier}`,
      summary: `Change a webhook of ${of}`,
      description: CHANGED,
      params: z.object({ ...params, ...HOOK }),
      body: CodeWebhookUpdate,
      response: CodeWebhook,
      errors: WRITE_ERRORS,
    },
    delete: {
      ...read,
      operation: `${prefix}delete`,
      method: "DELETE",
      path: `${base}/{webhook_identifier}`,
      summary: `Remove a webhook of ${of} with its executions`,
      params: z.object({ ...params, ...HOOK }),
      response: "empty",
      status: 204,
    },
    listExecutions: {
      ...read,
      operation: `${prefix}list-executions`,
      method: "GET",
      path: `${base}/{webhook_identifier}/executions`,
      summary: `Deliveries of a webhook of ${of}, newest first`,
      params: z.object({ ...params, ...HOOK }),
      query: EXECUTIONS_QUERY,
      pagination: PAGED,
      response: list(CodeWebhookExecution),
    },
    getExecution: {
      ...read,
      operation: `${prefix}get-execution`,
      method: "GET",
      path: `${base}/{webhook_identifier}/executions/{webhook_execution_id}`,
      summary: `One delivery of a webhook of ${of}`,
      params: z.object({ ...params, ...EXECUTION }),
      response: CodeWebhookExecution,
    },
    retrigger: {
      ...read,
      operation: `${prefix}retrigger`,
      method: "POST",
      path: `${base}/{webhook_identifier}/executions/{webhook_execution_id}/retrigger`,
      summary: `Deliver the same event of ${of} again, at once`,
      description: AGAIN,
      params: z.object({ ...params, ...EXECUTION }),
      response: CodeWebhookExecution,
    },
  }) as const;

const ofRepo = describeOperations("/code/api/v1/repos/{repo_identifier}/webhooks", {
  prefix: "repo-",
  params: { repo_identifier: identifier.describe("Identifier of the repository.") },
  of: "a repository",
});
const ofSpace = describeOperations("/code/api/v1/webhooks", { prefix: "", params: {}, of: "a space" });

/** Webhooks of one repository (document 1, 4.3). */
export const repoWebhooks = {
  listRepoWebhooks: declareEndpoint(ofRepo.list),
  createRepoWebhook: declareEndpoint(ofRepo.create),
  getRepoWebhook: declareEndpoint(ofRepo.get),
  updateRepoWebhook: declareEndpoint(ofRepo.update),
  deleteRepoWebhook: declareEndpoint(ofRepo.delete),
  listRepoWebhookExecutions: declareEndpoint(ofRepo.listExecutions),
  getRepoWebhookExecution: declareEndpoint(ofRepo.getExecution),
  retriggerRepoWebhookExecution: declareEndpoint(ofRepo.retrigger),
} as const satisfies Contract;

/** Webhooks of the account, an organisation or a project (document 1, 4.3). */
export const spaceWebhooks = {
  listSpaceWebhooks: declareEndpoint(ofSpace.list),
  createSpaceWebhook: declareEndpoint(ofSpace.create),
  getSpaceWebhook: declareEndpoint(ofSpace.get),
  updateSpaceWebhook: declareEndpoint(ofSpace.update),
  deleteSpaceWebhook: declareEndpoint(ofSpace.delete),
  listSpaceWebhookExecutions: declareEndpoint(ofSpace.listExecutions),
  getSpaceWebhookExecution: declareEndpoint(ofSpace.getExecution),
  retriggerSpaceWebhookExecution: declareEndpoint(ofSpace.retrigger),
} as const satisfies Contract;

/** Webhooks of code hosting, of one repository and of a space (document 1, 4.3). */
export const codeWebhooks = { ...repoWebhooks, ...spaceWebhooks } as const satisfies Contract;
