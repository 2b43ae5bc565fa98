import { z } from "zod";
import { CostChangeBody } from "./cost-changes.ts";
import { declareEndpoint } from "./endpoint.ts";
import { EXECUTION, EXECUTION_ERRORS, PROJECT } from "./executions.ts";
import { AttributeChange, CHANGE_TYPES, CountsMarker } from "./resource-changes.ts";
import { createBooleanText, identifier, list, openEnum } from "./shapes/fields.ts";

/**
 * A row of the non-indexed listing as read: only the members that are shown or counted, without attribute
 * values.
 */
export const ListedChange = z.object({
  provider: z.string().optional(),
  type: z.string().optional(),
  name: z.string().optional(),
  module: z.string().optional(),
  mode: z.string().optional(),
  resource_address: z.string().optional(),
  previous_address: z.string().optional(),
  action_reason: z.string().optional(),
  resource_id: z.string().optional(),
  change: openEnum(CHANGE_TYPES).optional(),
  drift: z.boolean().optional(),
  sensitive: z.boolean().optional(),
  changes: z.record(z.string(), AttributeChange).nullish(),
});
export type ListedChange = z.output<typeof ListedChange>;

/**
 * Reads a whole snapshot at once, for stages that are not indexed (provisioning 4.2; read rule 4 names this
 * operation without describing it).
 */
export const listChanges = declareEndpoint({
  api: "provisioning",
  area: "executions",
  operation: "resource-changes",
  method: "GET",
  path: "/api/orgs/{org}/projects/{project}/executions/{pipeline_execution_id}/resource-changes",
  summary: "Non-indexed listing of resource changes",
  description:
    "All rows of one stage at once, up to 20,000; more are refused (400) and are for the paged reads. An execution with several committed stages needs `pipeline_stage_id` (400 without). `planned_changes` holds the unchanged ones too. 404: no stage of the execution is committed.",
  source: "provisioning 4.2, read rule 4",
  params: z.object(EXECUTION),
  query: z.object({
    exclude_state: createBooleanText()
      .default(false)
      .describe("True: no resources, data sources and outputs."),
    pipeline_stage_id: z
      .string()
      .max(128)
      .default("")
      .describe("The stage's run; empty: the only one. Up to 128 characters."),
  }),
  response: z.object({
    pipeline_execution: z.string().optional(),
    pipeline_stage: z.string().optional(),
    stage_id: z.string().optional(),
    workspace_id: z.string().optional(),
    planned_changes: list(ListedChange),
    drift_changes: list(ListedChange),
    resources: list(ListedChange),
    data_sources: list(ListedChange),
    outputs: list(ListedChange),
  }),
  status: 200,
  errors: EXECUTION_ERRORS,
  extra: true,
});

/**
 * Reads the commit marker, which the documents describe only as an upload (provisioning 2.8; read rule 6
 * requires clients to read its totals).
 */
export const readChangeCounts = declareEndpoint({
  api: "provisioning",
  area: "executions",
  operation: "resource-change-counts",
  method: "GET",
  path: "/api/orgs/{org}/projects/{project}/executions/{pipeline_execution_id}/resource-changes/counts",
  summary: "The counts that committed a stage's resource changes",
  description: "404: the stage's resource changes are not committed.",
  source: "provisioning 2.8 and 4.2, read rule 6",
  params: z.object(EXECUTION),
  query: z.object({
    pipeline_stage_id: identifier.describe("The stage's run, 1 to 128 characters."),
  }),
  response: CountsMarker,
  status: 200,
  errors: EXECUTION_ERRORS,
  extra: true,
});

/** `repository`: "owner/name". */
const COMMIT = {
  repository: z.string().regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/, "expected owner/name"),
  sha: z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, "expected a full commit id in lower case"),
};

/** Data that the platform computes and an import must provide: final status, costs, and the execution's commit. */
export const IngestBody = z.object({
  org: identifier,
  project: identifier,
  pipeline_execution_id: identifier,
  pipeline_stage_id: identifier,
  status: z.enum(["success", "failure"]).describe("How the stage ended; final."),
  cost: CostChangeBody.optional().describe("Costs of this one stage; absent: not estimated."),
  modules: z.record(z.string(), CostChangeBody).optional().describe("The same per module."),
  commit: z.object(COMMIT).optional(),
});
export type IngestBody = z.output<typeof IngestBody>;

export const ingest = declareEndpoint({
  api: "tollgate",
  area: "tollgate",
  operation: "ingest",
  method: "POST",
  path: "/tollgate/v1/ingest",
  summary: "End a stage run with its costs per stage and module, and bind it to a commit",
  description:
    "What is said is final: the same again changes nothing, another status or other costs are a conflict (409). Costs and commits that were not said yet may be added later. Each cost change must name this stage and its workspace (400). 404: the stage run was not recorded.",
  source: "Tollgate",
  body: IngestBody,
  response: z.object({ accepted: z.literal(true) }),
  status: 200,
  errors: [400, 401, 403, 404, 409, 413, 415, 500],
  extra: true,
});

export const unbindCommit = declareEndpoint({
  api: "tollgate",
  area: "tollgate",
  operation: "unbind-commit",
  method: "DELETE",
  path: "/tollgate/v1/orgs/{org}/projects/{project}/executions/{pipeline_execution_id}/commits/{sha}",
  summary:
    "Remove the binding of an execution to a commit, which was recorded by mistake or by a leaked token",
  description:
    "Pull requests whose head is this commit of `repository` are evaluated again, without the execution. It is bound again when its import is repeated, or while a trusted status or check names it. 404: it is not bound to the commit.",
  source: "Tollgate",
  params: z.object({ ...EXECUTION, sha: COMMIT.sha }),
  query: z.object({ repository: COMMIT.repository.describe("`owner/name`") }),
  response: "empty",
  status: 204,
  errors: [400, 404],
  extra: true,
});

export const releaseProject = declareEndpoint({
  api: "tollgate",
  area: "tollgate",
  operation: "release-project",
  method: "DELETE",
  path: "/tollgate/v1/orgs/{org}/projects/{project}/owner",
  summary: "Take a project from the repository that owns it by its name",
  description:
    "The next repository of this name that uses the project owns it, with what is recorded there. 404: no repository owns it.",
  source: "Tollgate",
  params: z.object(PROJECT),
  response: "empty",
  status: 204,
  errors: [400, 404],
  extra: true,
});
