import nock from "nock";
import { describe, expect, test } from "vitest";
import { getCostChange, listModuleCosts, listStageCosts } from "../../src/platform/contract/cost-changes.ts";
import type { Endpoint, LooseInput } from "../../src/platform/contract/endpoint.ts";
import {
  createExecution,
  getExecution,
  listExecutions,
  recordAuditEvent,
} from "../../src/platform/contract/executions.ts";
import { ingest, listChanges, readChangeCounts } from "../../src/platform/contract/own-operations.ts";
import { endpoints } from "../../src/platform/contract/registry.ts";
import {
  countChangeFilters,
  getChangeRow,
  listChangeRows,
  uploadChangeCounts,
  uploadChangePage,
} from "../../src/platform/contract/resource-changes.ts";
import { getPushDisabled } from "../../src/platform/contract/settings.ts";
import { closeNetwork } from "../world/network.ts";
import { createRig, TOKEN } from "./client-for-test.ts";

const HOST = "http://platform.test";
const project = { org: "acme", project: "shop" };
const execution = { ...project, pipeline_execution_id: "-Ju_1" };
const stage = { ...execution, pipeline_stage_id: "st$1" };
const PROJECT = "/api/orgs/acme/projects/shop";
const STAGE = `${PROJECT}/executions/-Ju_1/st%241`;
const row = {
  account: "acc123",
  org: "acme",
  project: "shop",
  pipeline: "plan",
  pipeline_execution_id: "-Ju_1",
  pipeline_stage_id: "st$1",
  workspace: "prod",
  status: "none",
  created: 1,
};
const cost = {
  currency: "USD",
  diff: {},
  total_monthly_cost: "37.890",
  past_total_monthly_cost: "19.54",
  diff_total_monthly_cost: "18.35",
  percentage_change_total_monthly_cost: 93.91,
  stage_execution_id: "st$1",
  stage_id: "IaC",
  workspace_id: "prod",
};
const readCost = { ...cost, total_monthly_cost: "37.89", percentage_change_total_monthly_cost: "93.91" };
const counts = {
  PlannedTotal: 0,
  PlannedByChangeType: { added: 0, changed: 0, deleted: 0, unchanged: 0 },
  Drift: 0,
  Resources: 0,
  DataSources: 0,
  Outputs: 0,
};
const facets = {
  categories: { drift_changes: 0, outputs: 1, planned_changes: 2, resources: 3 },
  change_types: { added: 1, changed: 0, deleted: 1, imported: 0, removed: 0, unchanged: 0 },
  modules: { root: 2 },
  providers: null,
  types: {},
};
const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** What is called with what, the path and query that must arrive, the answer, and what the caller must get. */
type Expectation = readonly [Endpoint, LooseInput, string, unknown, unknown];
const EXPECTATIONS: readonly Expectation[] = [
  [
    listExecutions,
    { params: project, query: { workspace: "prod", status: ["none", "success"], limit: 5 } },
    `${PROJECT}/executions?workspace=prod&status=none&status=success&limit=5`,
    [{ ...row, status: "a status of next year" }],
    [{ ...row, status: "a status of next year" }],
  ],
  [
    createExecution,
    {
      params: project,
      body: {
        pipeline: "plan",
        pipeline_execution_id: "-Ju_1",
        pipeline_stage_id: "st$1",
        workspace: "prod",
      },
    },
    `${PROJECT}/executions`,
    row,
    row,
  ],
  [getExecution, { params: stage }, STAGE, row, row],
  [
    recordAuditEvent,
    {
      params: stage,
      body: {
        audit: {
          git_audit_data: {
            hash: "0".repeat(40),
            name: "main",
            repo_url: "https://x.test/a/b",
            type: "branch",
          },
        },
      },
    },
    `${STAGE}/audit-event`,
    undefined,
    undefined,
  ],
  [
    uploadChangePage,
    {
      params: { ...stage, category: "planned_changes", page: 1 },
      query: { change: "deleted" },
      body: json([]),
    },
    `${STAGE}/resource-changes/planned_changes/1?change=deleted`,
    undefined,
    undefined,
  ],
  [
    uploadChangeCounts,
    { params: stage, headers: { "content-digest": "sha256=00" }, body: json(counts) },
    `${STAGE}/resource-changes/counts`,
    undefined,
    undefined,
  ],
  [
    listChangeRows,
    {
      params: { ...stage, category: "planned_changes" },
      query: { type: ["aws_a", "aws_b"], search: "a b&c=ü", page_size: 100, page: 2 },
    },
    `${STAGE}/resource-changes/planned_changes/rows?type=aws_a&type=aws_b&search=a+b%26c%3D%C3%BC&page_size=100&page=2`,
    { page: 2, pageSize: 100, rows: null, totalItems: 0, totalPages: 0 },
    { page: 2, pageSize: 100, rows: [], totalItems: 0, totalPages: 0 },
  ],
  [
    getChangeRow,
    { params: { ...stage, category: "outputs", ordinal: 0 } },
    `${STAGE}/resource-changes/outputs/rows/0`,
    {
      category: "outputs",
      ordinal: 0,
      name: "url",
      attributes: null,
      changes: {},
      sensitive_attributes: null,
    },
    { category: "outputs", ordinal: 0, name: "url", attributes: {}, changes: {}, sensitive_attributes: [] },
  ],
  [
    countChangeFilters,
    { params: stage, query: { category: ["planned_changes"], module: ["root"] } },
    `${STAGE}/resource-changes/filter-counts?category=planned_changes&module=root`,
    facets,
    { ...facets, providers: {} },
  ],
  [
    getCostChange,
    { params: execution, query: { pipeline_stage_id: "st$1" } },
    `${PROJECT}/executions/-Ju_1/cost-changes?pipeline_stage_id=st%241`,
    cost,
    readCost,
  ],
  [
    listStageCosts,
    { params: execution },
    `${PROJECT}/executions/-Ju_1/cost-changes-all-stages`,
    [cost],
    [readCost],
  ],
  [
    listModuleCosts,
    { params: execution },
    `${PROJECT}/executions/-Ju_1/cost-changes-all-stages-by-modules`,
    [{ modules: { root: cost }, stage_execution_id: "st$1", stage_id: "IaC", workspace_id: "prod" }],
    [{ modules: { root: readCost }, stage_execution_id: "st$1", stage_id: "IaC", workspace_id: "prod" }],
  ],
  [
    getPushDisabled,
    { params: project },
    `${PROJECT}/settings/disabled`,
    { disabled: true },
    { disabled: true },
  ],
  [
    listChanges,
    { params: execution, query: { exclude_state: true, pipeline_stage_id: "st$1" } },
    `${PROJECT}/executions/-Ju_1/resource-changes?exclude_state=true&pipeline_stage_id=st%241`,
    {
      planned_changes: [{ type: "aws_a", name: "a", change: "added", attributes: { password: "x" } }],
      outputs: null,
    },
    {
      planned_changes: [{ type: "aws_a", name: "a", change: "added" }],
      drift_changes: [],
      resources: [],
      data_sources: [],
      outputs: [],
    },
  ],
  [
    readChangeCounts,
    { params: execution, query: { pipeline_stage_id: "st$1" } },
    `${PROJECT}/executions/-Ju_1/resource-changes/counts?pipeline_stage_id=st%241`,
    counts,
    counts,
  ],
  [
    ingest,
    {
      body: {
        ...execution,
        pipeline_stage_id: "st$1",
        status: "success",
        cost: { ...cost, diff_total_monthly_cost: "" },
      },
    },
    "/tollgate/v1/ingest",
    { accepted: true },
    { accepted: true },
  ],
];

closeNetwork();

describe("every endpoint's request and answer", () => {
  // The other areas' requests are told apart, on a real server, in test/platform-operations.
  test("no endpoint of the executions is left out", () => {
    const expected = endpoints.filter(({ area }) => area === "executions").map(({ operation }) => operation);
    expect(EXPECTATIONS.map(([{ operation }]) => operation)).toEqual(expect.arrayContaining(expected));
  });

  test.each(EXPECTATIONS.map((e) => [`${e[0].area} ${e[0].operation}`, e] as const))(
    "%s",
    async (_, expected) => {
      const [endpoint, input, target, answer, value] = expected;
      let headers: unknown;
      let body: string | undefined;
      const scope = nock(HOST)
        .intercept((path) => path === target, endpoint.method)
        .reply(async (request: Request) => {
          headers = Object.fromEntries(request.headers);
          body = await request.text();
          return [
            endpoint.status,
            answer === undefined ? "" : JSON.stringify(answer),
            { "x-total-items": "7" },
          ];
        });
      const { client, pauses } = createRig(HOST);
      const outcome = await client.call(endpoint, input);
      await client.close();

      expect(outcome).toMatchObject({ ok: true, value, headers: { "x-total-items": "7" } });
      expect(scope.isDone()).toBe(true);
      expect(pauses).toEqual([]);
      expect(headers).toMatchObject({
        "x-api-key": TOKEN,
        "platform-account": "acc123",
        "accept-encoding": "identity",
      });
      const sent =
        input.body instanceof Uint8Array ? new TextDecoder().decode(input.body) : JSON.stringify(input.body);
      expect(body).toBe(sent ?? "");
      if (input.body === undefined) return;
      expect(headers).toMatchObject({
        "content-type": input.body instanceof Uint8Array ? "application/octet-stream" : "application/json",
        "content-length": `${sent?.length}`,
      });
    },
  );
});

describe("the address", () => {
  test("the live dialect sends its account header below its gateway prefix, and the prefix survives", async () => {
    const scope = nock("https://app.platform.test", {
      reqheaders: { "harness-account": "acc123" },
      badheaders: ["platform-account"],
    })
      .get(`/base/gateway/iacm${PROJECT}/settings/disabled`)
      .reply(200, { disabled: false });
    const { client } = createRig("https://app.platform.test/base/", { dialect: "live" });
    expect(await client.call(getPushDisabled, { params: project })).toMatchObject({ ok: true });
    expect(scope.isDone()).toBe(true);
  });

  test.each([
    ["/iacm", `/iacm${PROJECT}/settings/disabled`],
    ["", `${PROJECT}/settings/disabled`],
  ])("a prefix of its own: %s", async (prefix, path) => {
    nock(HOST).get(path).reply(200, { disabled: false });
    const { client } = createRig(HOST, { dialect: "live", prefix });
    expect(await client.call(getPushDisabled, { params: project })).toMatchObject({ ok: true });
  });

  test.each([
    [{ url: "file:///etc" }],
    [{ url: "https://user:word@app.test" }],
    [{ url: "nonsense" }],
    [{ prefix: "/a/../b" }],
    [{ prefix: "/a?b" }],
    [{ prefix: "a" }],
    [{ token: "" }],
    [{ token: "a b" }],
    [{ account: "a/b" }],
  ])("refuses %o", (wrong) => {
    expect(() => createRig(HOST, wrong)).toThrowError(expect.objectContaining({ code: "settings_invalid" }));
  });
});

describe("requests that break the contract are not sent", () => {
  test.each<[string, Endpoint, LooseInput]>([
    ["dots", getPushDisabled, { params: { org: "..", project: "shop" } }],
    ["a slash in an execution", getExecution, { params: { ...stage, pipeline_execution_id: "a/b" } }],
    ["an encoded slash in a stage", getExecution, { params: { ...stage, pipeline_stage_id: "a%2fb" } }],
    ["129 characters", getPushDisabled, { params: { org: "a".repeat(129), project: "shop" } }],
    ["an empty id", getPushDisabled, { params: { org: "", project: "shop" } }],
    ["a missing id", getPushDisabled, { params: { org: "acme" } }],
    ["an unknown category", listChangeRows, { params: { ...stage, category: "secrets" } }],
    ["an unknown parameter", getPushDisabled, { params: project, query: { workspace: "x" } }],
    ["a limit too high", listExecutions, { params: project, query: { limit: 101 } }],
    ["page 0", uploadChangePage, { params: { ...stage, category: "outputs", page: 0 }, body: json([]) }],
    [
      "a status to write that is not known",
      ingest,
      { body: { ...execution, pipeline_stage_id: "s", status: "fine" } },
    ],
    [
      "money that is no decimal",
      ingest,
      {
        body: {
          ...execution,
          pipeline_stage_id: "s",
          status: "success",
          cost: { ...cost, total_monthly_cost: "1e3" },
        },
      },
    ],
    ["no body", ingest, {}],
    ["text for bytes", uploadChangeCounts, { params: stage, body: "{}" }],
    ["a body for a read", getPushDisabled, { params: project, body: {} }],
  ])("%s", async (_, endpoint, input) => {
    const { client } = createRig(HOST);
    const outcome = await client.call(endpoint, input);
    expect(outcome).toMatchObject({
      ok: false,
      failure: { kind: "rejected", status: null, code: "invalid_request", retryAfterMs: null },
    });
  });
});
