import { z } from "zod";
import { type Contract, declareEndpoint } from "./endpoint.ts";
import {
  AGAIN,
  CHANGED,
  CodeWebhook,
  CodeWebhookCreate,
  CodeWebhookExecution,
  CodeWebhookUpdate,
  EXECUTION,
  EXECUTIONS_QUERY,
  HOOK,
  LIST_QUERY,
  NEW,
  PAGED,
  READ_ERRORS,
  REPO,
  SPACE_QUERY,
  shared,
  WRITE_ERRORS,
} from "./shapes/code-webhook-shapes.ts";
import { list } from "./shapes/fields.ts";

const read = { ...shared, query: SPACE_QUERY, status: 200, errors: READ_ERRORS } as const;
const paged = { ...read, method: "GET", pagination: PAGED } as const;

/** The eight operations, but for the webhooks that they are about. */
const LIST = { ...paged, query: LIST_QUERY, response: list(CodeWebhook) } as const;
const CREATE = {
  ...shared,
  method: "POST",
  description: NEW,
  query: SPACE_QUERY,
  body: CodeWebhookCreate,
  response: CodeWebhook,
  status: 201,
  errors: WRITE_ERRORS,
} as const;
const GET = { ...read, method: "GET", response: CodeWebhook } as const;
const UPDATE = {
  ...read,
  method: "PATCH",
  description: CHANGED,
  body: CodeWebhookUpdate,
  response: CodeWebhook,
  errors: WRITE_ERRORS,
} as const;
const DELETE = { ...read, method: "DELETE", response: "empty", status: 204 } as const;
const LIST_EXECUTIONS = {
  ...paged,
  query: EXECUTIONS_QUERY,
  response: list(CodeWebhookExecution),
} as const;
const GET_EXECUTION = { ...read, method: "GET", response: CodeWebhookExecution } as const;
const RETRIGGER = {
  ...read,
  method: "POST",
  description: AGAIN,
  response: CodeWebhookExecution,
} as const;

const ofRepo = "/code/api/v1/repos/{repo_identifier}/webhooks" as const;

/** Webhooks of one repository (document 1, 4.3). */
export const repoWebhooks = {
  listRepoWebhooks: declareEndpoint({
    ...LIST,
    operation: "repo-list",
    path: ofRepo,
    summary: "Webhooks of a repository",
    params: z.object({ ...REPO }),
  }),
  createRepoWebhook: declareEndpoint({
    ...CREATE,
    operation: "repo-create",
    path: ofRepo,
    summary: "Add a webhook to a repository",
    params: z.object({ ...REPO }),
  }),
  getRepoWebhook: declareEndpoint({
    ...GET,
    operation: "repo-get",
    path: `${ofRepo}/{webhook_identifier}`,
    summary: "One webhook of a repository",
    params: z.object({ ...REPO, ...HOOK }),
  }),
  updateRepoWebhook: declareEndpoint({
    ...UPDATE,
    operation: "repo-update",
    path: `${ofRepo}/{webhook_identifier}`,
    summary: "Change a webhook of a repository",
    params: z.object({ ...REPO, ...HOOK }),
  }),
  deleteRepoWebhook: declareEndpoint({
    ...DELETE,
    operation: "repo-delete",
    path: `${ofRepo}/{webhook_identifier}`,
    summary: "Remove a webhook of a repository with its executions",
    params: z.object({ ...REPO, ...HOOK }),
  }),
  listRepoWebhookExecutions: declareEndpoint({
    ...LIST_EXECUTIONS,
    operation: "repo-list-executions",
    path: `${ofRepo}/{webhook_identifier}/executions`,
    summary: "Deliveries of a webhook of a repository, newest first",
    params: z.object({ ...REPO, ...HOOK }),
  }),
  getRepoWebhookExecution: declareEndpoint({
    ...GET_EXECUTION,
    operation: "repo-get-execution",
    path: `${ofRepo}/{webhook_identifier}/executions/{webhook_execution_id}`,
    summary: "One delivery of a webhook of a repository",
    params: z.object({ ...REPO, ...EXECUTION }),
  }),
  retriggerRepoWebhookExecution: declareEndpoint({
    ...RETRIGGER,
    operation: "repo-retrigger",
    path: `${ofRepo}/{webhook_identifier}/executions/{webhook_execution_id}/retrigger`,
    summary: "Deliver the same event of a repository again, at once",
    params: z.object({ ...REPO, ...EXECUTION }),
  }),
} as const satisfies Contract;

const ofSpace = "/code/api/v1/webhooks" as const;

/** Webhooks of the account, an organisation or a project (document 1, 4.3). */
export const spaceWebhooks = {
  listSpaceWebhooks: declareEndpoint({
    ...LIST,
    operation: "list",
    path: ofSpace,
    summary: "Webhooks of a space",
  }),
  createSpaceWebhook: declareEndpoint({
    ...CREATE,
    operation: "create",
    path: ofSpace,
    summary: "Add a webhook to a space",
  }),
  getSpaceWebhook: declareEndpoint({
    ...GET,
    operation: "get",
    path: `${ofSpace}/{webhook_identifier}`,
    summary: "One webhook of a space",
    params: z.object({ ...HOOK }),
  }),
  updateSpaceWebhook: declareEndpoint({
    ...UPDATE,
    operation: "update",
    path: `${ofSpace}/{webhook_identifier}`,
    summary: "Change a webhook of a space",
    params: z.object({ ...HOOK }),
  }),
  deleteSpaceWebhook: declareEndpoint({
    ...DELETE,
    operation: "delete",
    path: `${ofSpace}/{webhook_identifier}`,
    summary: "Remove a webhook of a space with its executions",
    params: z.object({ ...HOOK }),
  }),
  listSpaceWebhookExecutions: declareEndpoint({
    ...LIST_EXECUTIONS,
    operation: "list-executions",
    path: `${ofSpace}/{webhook_identifier}/executions`,
    summary: "Deliveries of a webhook of a space, newest first",
    params: z.object({ ...HOOK }),
  }),
  getSpaceWebhookExecution: declareEndpoint({
    ...GET_EXECUTION,
    operation: "get-execution",
    path: `${ofSpace}/{webhook_identifier}/executions/{webhook_execution_id}`,
    summary: "One delivery of a webhook of a space",
    params: z.object({ ...EXECUTION }),
  }),
  retriggerSpaceWebhookExecution: declareEndpoint({
    ...RETRIGGER,
    operation: "retrigger",
    path: `${ofSpace}/{webhook_identifier}/executions/{webhook_execution_id}/retrigger`,
    summary: "Deliver the same event of a space again, at once",
    params: z.object({ ...EXECUTION }),
  }),
} as const satisfies Contract;

/** Webhooks of code hosting, of one repository and of a space (document 1, 4.3). */
export const codeWebhooks = { ...repoWebhooks, ...spaceWebhooks } as const satisfies Contract;
