import { z } from "zod";
import { type Contract, declareEndpoint } from "./endpoint.ts";
import {
  createIntegerText,
  identifier,
  list,
  milliseconds,
  openEnum,
  optionalText,
  orNull,
} from "./shapes/fields.ts";
import { TOTAL_HEADERS } from "./shapes/pagination.ts";

/** Error statuses of every operation on executions (provisioning 7; a request time-out is 408, a lock 423, a cancelled call 499). */
export const EXECUTION_ERRORS = [404, 408, 409, 423, 502] as const;

export const executionDefaults = {
  api: "provisioning",
  area: "executions",
  source: "provisioning 4.2",
  status: 200,
  errors: EXECUTION_ERRORS,
} as const;

export const PROJECT = { org: identifier, project: identifier };
export const EXECUTION = { ...PROJECT, pipeline_execution_id: identifier };
export const STAGE = { ...EXECUTION, pipeline_stage_id: identifier };

/** `none`: not yet ended. */
const EXECUTION_STATUSES = ["none", "success", "failure"] as const;

/** One stage of an execution, tied to a workspace (provisioning 2.5). */
export const Execution = z
  .object({
    account: orNull(z.string()),
    org: z.string(),
    project: z.string(),
    pipeline: orNull(z.string()).describe("Identifier of the pipeline."),
    pipeline_execution_id: z.string(),
    pipeline_stage_id: z.string().describe("Identifier of the stage's run."),
    workspace: z.string(),
    status: openEnum(EXECUTION_STATUSES).describe(
      "`none` until the stage has ended; `success` and `failure` are final.",
    ),
    created: orNull(milliseconds).describe("Unix milliseconds."),
    no_changes_by: z
      .string()
      .optional()
      .describe(
        "Tollgate's own: who stated that there is nothing to plan for this workspace; there is no plan. Absent: nobody.",
      ),
  })
  .meta({ id: "Execution" });
export type Execution = z.output<typeof Execution>;

/** `hash` is the commit, `name` the branch or tag, and `type` states which of the two; other members are ignored. */
const GitAuditData = z
  .object({
    hash: z.string().max(128).describe("The commit, up to 128 characters."),
    name: z.string().max(1024).describe("Branch or tag, up to 1,024 characters."),
    repo_url: z
      .string()
      .max(2048)
      .describe("Address of the repository in any form that git takes, up to 2,048 characters."),
    type: z.string().max(128).describe("`branch` or `tag`."),
  })
  .meta({ id: "GitAuditData" });
export type GitAuditData = z.output<typeof GitAuditData>;

/** Executions (provisioning 4.2), by the name that handlers use. */
export const executions = {
  listExecutions: declareEndpoint({
    ...executionDefaults,
    operation: "list",
    method: "GET",
    path: "/api/orgs/{org}/projects/{project}/executions",
    summary: "Stage runs of a project, newest first",
    description:
      "Ordered by creation, the newest first, then by execution and stage. All filters that are given must fit. A page beyond the last is empty.",
    params: z.object(PROJECT),
    query: z.object({
      limit: createIntegerText(1, 100).default(30).describe("Per page: 1 to 100, default 30."),
      page: createIntegerText(1).default(1).describe("Counts from 1."),
      workspace: optionalText(128, "Identifier of a workspace."),
      pipeline: optionalText(128, "Identifier of a pipeline."),
      pipeline_execution_id: optionalText(
        128,
        "Identifier of an execution of a pipeline; where no execution has it, the identifier of a pipeline.",
      ),
      pipeline_name: optionalText(
        128,
        "Name of a pipeline; the embedded platform knows its identifier only.",
      ),
      status: z
        .array(z.enum(EXECUTION_STATUSES))
        .max(100)
        .optional()
        .describe("Any of these; may be repeated."),
      start_time: createIntegerText(0)
        .optional()
        .describe("Created at this time or later, Unix milliseconds."),
      end_time: createIntegerText(0)
        .optional()
        .describe("Created at this time or earlier, Unix milliseconds."),
    }),
    aliases: { pipeline: ["pipeline_identifier", "pipeline_id"] },
    response: list(Execution),
    pagination: {
      ask: { by: "page", in: "query", page: "page", size: "limit", first: 1 },
      items: [],
      total: TOTAL_HEADERS,
      headers: { "x-total-items": "total", "x-total-pages": "pages" },
    },
  }),
  createExecution: declareEndpoint({
    ...executionDefaults,
    operation: "create",
    method: "POST",
    path: "/api/orgs/{org}/projects/{project}/executions",
    summary: "Record a stage run of a pipeline",
    description:
      "The record has the status `none`. Sending the same again answers with the record as it is; the same stage with another pipeline or workspace is a conflict (409).",
    params: z.object(PROJECT),
    body: z.object({
      pipeline: identifier.describe("Identifier of the pipeline, 1 to 128 characters."),
      pipeline_execution_id: identifier.describe("Its execution, 1 to 128 characters."),
      pipeline_stage_id: identifier.describe("The stage's run in it, 1 to 128 characters."),
      workspace: identifier.describe("The workspace it runs for, 1 to 128 characters."),
    }),
    response: Execution,
  }),
  getExecution: declareEndpoint({
    ...executionDefaults,
    operation: "get",
    method: "GET",
    path: "/api/orgs/{org}/projects/{project}/executions/{pipeline_execution_id}/{pipeline_stage_id}",
    summary: "One stage run",
    params: z.object(STAGE),
    response: Execution,
  }),
  recordAuditEvent: declareEndpoint({
    ...executionDefaults,
    operation: "audit-event",
    method: "POST",
    path: "/api/orgs/{org}/projects/{project}/executions/{pipeline_execution_id}/{pipeline_stage_id}/audit-event",
    summary: "Add audit data (repository and commit) to a stage run",
    description:
      "Each event is stored. Where `hash` is a full commit id and `repo_url` names exactly an owner and a repository, the execution belongs to that commit from now on.",
    params: z.object(STAGE),
    body: z.object({ audit: z.object({ git_audit_data: GitAuditData }) }),
    response: "empty",
  }),
} as const satisfies Contract;

export const { listExecutions, createExecution, getExecution, recordAuditEvent } = executions;
