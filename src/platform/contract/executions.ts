import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { identifier, integerText, list, milliseconds, openEnum, orNull } from "./fields.ts";
import { TOTAL_HEADERS } from "./pagination.ts";

/** Error statuses of every operation on executions (provisioning 7; a request time-out is 408, a lock 423, a cancelled call 499). */
export const EXECUTION_ERRORS = [400, 401, 403, 404, 408, 409, 423, 499, 500, 502] as const;

export const PROJECT = { org: identifier, project: identifier };
export const EXECUTION = { ...PROJECT, pipeline_execution_id: identifier };
export const STAGE = { ...EXECUTION, pipeline_stage_id: identifier };

/** `none`: not ended yet. */
export const EXECUTION_STATUSES = ["none", "success", "failure"] as const;

/** One stage run tied to a workspace (provisioning 2.5). */
export const Execution = z.object({
  account: orNull(z.string()),
  org: z.string(),
  project: z.string(),
  pipeline: orNull(z.string()),
  pipeline_execution_id: z.string(),
  pipeline_stage_id: z.string(),
  workspace: z.string(),
  status: openEnum(EXECUTION_STATUSES),
  created: orNull(milliseconds),
});
export type Execution = z.output<typeof Execution>;

export const listExecutions = endpoint({
  api: "provisioning",
  area: "executions",
  operation: "list",
  method: "GET",
  path: "/api/orgs/{org}/projects/{project}/executions",
  summary: "Stage runs of a project, newest first",
  source: "provisioning 4.2",
  params: z.object(PROJECT),
  query: z.object({
    limit: integerText(1, 1000).default(30),
    page: integerText(1).default(1),
    workspace: z.string().optional(),
    pipeline_execution_id: z.string().optional(),
    pipeline_name: z.string().optional(),
    status: z.array(z.enum(EXECUTION_STATUSES)).optional(),
    start_time: integerText(0).optional(),
    end_time: integerText(0).optional(),
  }),
  response: list(Execution),
  status: 200,
  errors: EXECUTION_ERRORS,
  pagination: {
    ask: { by: "page", in: "query", page: "page", size: "limit", first: 1 },
    items: [],
    total: TOTAL_HEADERS,
  },
});

export const createExecution = endpoint({
  api: "provisioning",
  area: "executions",
  operation: "create",
  method: "POST",
  path: "/api/orgs/{org}/projects/{project}/executions",
  summary: "Record a stage run of a pipeline",
  source: "provisioning 4.2",
  params: z.object(PROJECT),
  body: z.object({
    pipeline: identifier,
    pipeline_execution_id: identifier,
    pipeline_stage_id: identifier,
    workspace: identifier,
  }),
  response: Execution,
  status: 200,
  errors: EXECUTION_ERRORS,
});

export const getExecution = endpoint({
  api: "provisioning",
  area: "executions",
  operation: "get",
  method: "GET",
  path: "/api/orgs/{org}/projects/{project}/executions/{pipeline_execution_id}/{pipeline_stage_id}",
  summary: "One stage run",
  source: "provisioning 4.2",
  params: z.object(STAGE),
  response: Execution,
  status: 200,
  errors: EXECUTION_ERRORS,
});

/** `hash` is the commit, `name` the branch or tag, `type` says which of the two; other members are ignored. */
export const GitAuditData = z.object({
  hash: z.string().max(128),
  name: z.string().max(1024),
  repo_url: z.string().max(2048),
  type: z.string().max(128),
});
export type GitAuditData = z.output<typeof GitAuditData>;

export const recordAuditEvent = endpoint({
  api: "provisioning",
  area: "executions",
  operation: "audit-event",
  method: "POST",
  path: "/api/orgs/{org}/projects/{project}/executions/{pipeline_execution_id}/{pipeline_stage_id}/audit-event",
  summary: "Add audit data (repository and commit) to a stage run",
  source: "provisioning 4.2",
  params: z.object(STAGE),
  body: z.object({ audit: z.object({ git_audit_data: GitAuditData }) }),
  response: "empty",
  status: 200,
  errors: EXECUTION_ERRORS,
});
