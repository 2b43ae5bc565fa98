import type { Documented } from "./documented-operation.ts";

/** Document 3: provisioning. Every operation takes the account in a header. */

const PROJECT = "/api/orgs/{org}/projects/{project}";
const SETTINGS = `${PROJECT}/settings` as const;
const EXECUTIONS = `${PROJECT}/executions` as const;
const EXECUTION = `${EXECUTIONS}/{pipeline_execution_id}` as const;
const STAGE = `${EXECUTION}/{pipeline_stage_id}` as const;
const CHANGES = `${STAGE}/resource-changes` as const;

const PIPELINE = {
  account: "acc",
  org: "acme",
  project: "payments",
  operation: "plan",
  provisioner: "iac_tool_1",
  pipeline: "deploy",
  workspace: "",
  updated: 1_700_000_000_000,
};
const DRIFT = {
  enabled: true,
  provisioner: "iac_tool_1",
  pipeline_id: "p",
  run_every: 1,
  run_every_unit: "days",
};
const EPHEMERAL = {
  enabled: true,
  provisioner: "iac_tool_1",
  pipeline_id: "p",
  ttl_value: 1,
  ttl_unit: "days",
  destroy_on_date: "2026-01-31",
  delete_workspace: true,
  delete_delay_value: 1,
  delete_delay_unit: "days",
  delete_on_date: "2026-02-28",
};
const JOB = { job_id: 1, status: "accepted" };

/** Settings operations list their success alone. */
const settings: readonly Documented[] = [
  { at: `GET ${SETTINGS}/default-pipelines`, query: "workspace=", answer: [PIPELINE], status: 200 },
  {
    at: `PUT ${SETTINGS}/default-pipelines`,
    body: {
      required: ["operation", "pipeline", "provisioner", "updated"],
      example: { operation: "plan", pipeline: "p", provisioner: "iac_tool_1", updated: 1, workspace: "" },
    },
    answer: null,
    status: 200,
  },
  {
    at: `DELETE ${SETTINGS}/default-pipelines`,
    body: {
      required: ["operation", "provisioner"],
      example: { operation: "plan", provisioner: "iac_tool_1", workspace: "" },
    },
    answer: null,
    status: 200,
  },
  { at: `GET ${SETTINGS}/disabled`, answer: { disabled: false }, status: 200 },
  { at: `GET ${SETTINGS}/drift-config`, query: "provisioner!", answer: DRIFT, status: 200 },
  {
    at: `PUT ${SETTINGS}/drift-config`,
    body: {
      required: ["pipeline_id", "provisioner", "run_every", "run_every_unit"],
      example: { pipeline_id: "p", provisioner: "iac_tool_1", run_every: 1, run_every_unit: "hours" },
    },
    answer: JOB,
    status: 202,
  },
  { at: `DELETE ${SETTINGS}/drift-config`, query: "provisioner!", answer: JOB, status: 202 },
  { at: `GET ${SETTINGS}/ephemeral-config`, query: "provisioner!", answer: EPHEMERAL, status: 200 },
  {
    at: `PUT ${SETTINGS}/ephemeral-config`,
    body: {
      required: ["pipeline_id", "provisioner"],
      example: {
        pipeline_id: "p",
        provisioner: "iac_tool_1",
        destroy_delay_value: 1,
        destroy_delay_unit: "hours",
        destroy_on_date: "2026-01-31",
        delete_delay_value: 1,
        delete_delay_unit: "hours",
        delete_on_date: "2026-02-28",
        delete_workspace: true,
      },
    },
    answer: JOB,
    status: 202,
  },
  { at: `DELETE ${SETTINGS}/ephemeral-config`, query: "provisioner!", answer: JOB, status: 202 },
];

const RECORD = {
  account: "acc",
  org: "acme",
  project: "payments",
  pipeline: "deploy",
  pipeline_execution_id: "run-1",
  pipeline_stage_id: "stage-1",
  workspace: "prod",
  status: "success",
  created: 1_700_000_000_000,
};
const ROW = {
  category: "planned_changes",
  change: "changed",
  change_count: 1,
  detail_bytes: 10,
  drift: false,
  mode: "managed",
  module: "root",
  name: "web",
  ordinal: 0,
  provider: "p",
  resource_address: "t.web",
  resource_id: "i",
  sensitive: false,
  type: "t",
  value: null,
};
const DETAIL = {
  ...ROW,
  attributes: { "*": null },
  changes: { "*": { change: "changed", drift: false, old: null, new: null, sensitive: false } },
  sensitive_attributes: ["password"],
};
const RESOURCE_COST = {
  current_monthly_cost: "2.00",
  previous_monthly_cost: "1.00",
  diff_monthly_cost: "1.00",
  percentage_change_monthly_cost: 100,
};
const COST = {
  currency: "USD",
  diff: {
    "*": {
      ...RESOURCE_COST,
      diff: [{ name: "t.web", ...RESOURCE_COST, subresources: { "*": RESOURCE_COST } }],
    },
  },
  total_monthly_cost: "2.00",
  past_total_monthly_cost: "1.00",
  diff_total_monthly_cost: "1.00",
  percentage_change_total_monthly_cost: 100,
  stage_execution_id: "stage-1",
  stage_id: "plan",
  workspace_id: "prod",
};
const FILTER_COUNTS = {
  categories: { drift_changes: 0, outputs: 0, planned_changes: 1, resources: 0 },
  change_types: { added: 0, changed: 1, deleted: 0, imported: 0, removed: 0, unchanged: 0 },
  modules: { "*": 1 },
  providers: { "*": 1 },
  types: { "*": 1 },
};
const CHANGE_TYPES = "deleted|added|changed|unchanged|removed|imported";

const executions: readonly Documented[] = [
  // The document names the filters in prose only.
  { at: `GET ${EXECUTIONS}`, query: "limit=30 page=1", paged: true, answer: [RECORD] },
  {
    at: `POST ${EXECUTIONS}`,
    body: {
      required: [],
      example: { pipeline: "p", pipeline_execution_id: "e", pipeline_stage_id: "s", workspace: "w" },
    },
    answer: RECORD,
  },
  { at: `GET ${STAGE}`, answer: RECORD },
  {
    at: `POST ${STAGE}/audit-event`,
    body: {
      required: [],
      example: { audit: { git_audit_data: { hash: "h", name: "n", repo_url: "u", type: "branch" } } },
    },
    answer: null,
  },
  { at: `POST ${CHANGES}/{category}/{page}`, query: `change(${CHANGE_TYPES})`, body: "bytes", answer: null },
  {
    at: `GET ${CHANGES}/{category}/rows`,
    query: "provider* type* module* page=1",
    paged: true,
    answer: { page: 1, pageSize: 25, rows: [ROW], totalItems: 1, totalPages: 1 },
  },
  { at: `GET ${CHANGES}/{category}/rows/{ordinal}`, answer: DETAIL },
  { at: `POST ${CHANGES}/counts`, body: "bytes", answer: null },
  {
    at: `GET ${CHANGES}/filter-counts`,
    query: "provider* type* module* search category*",
    answer: FILTER_COUNTS,
  },
  { at: `GET ${EXECUTION}/cost-changes`, answer: COST },
  { at: `GET ${EXECUTION}/cost-changes-all-stages`, answer: [COST] },
  {
    at: `GET ${EXECUTION}/cost-changes-all-stages-by-modules`,
    answer: [
      { modules: { "*": COST }, stage_execution_id: "stage-1", stage_id: "plan", workspace_id: "prod" },
    ],
  },
];

/** Section 7 names ten errors of every operation on executions; docs/platform-reference.md gives their numbers. */
const ERRORS = [400, 401, 403, 404, 408, 409, 423, 499, 500, 502];

export const PROVISIONING_DOCUMENT = [
  ...settings,
  ...executions.map((one): Documented => ({ status: 200, errors: ERRORS, ...one })),
].map((one): Documented => ({ header: "Platform-Account", ...one }));
