import nock from "nock";
import { describe, expect, test } from "vitest";
import type { Endpoint, LooseInput } from "../../src/platform/contract/endpoint.ts";
import { getExecution, listExecutions } from "../../src/platform/contract/executions.ts";
import { ingest } from "../../src/platform/contract/own-operations.ts";
import {
  getChangeRow,
  listChangeRows,
  listChanges,
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
  status: "a status of next year",
  created: 1,
};
const written = { ...execution, pipeline_stage_id: "st$1", status: "success" };
const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** What is called with what, the path and query that must arrive, the answer, and what the caller must get. */
type Expectation = readonly [Endpoint, LooseInput, string, unknown, unknown];
/** Ids and words that must be encoded, each kind of body, and answers that are read leniently; test/platform-operations calls every operation. */
const EXPECTATIONS: readonly Expectation[] = [
  [
    listExecutions,
    { params: project, query: { workspace: "prod", status: ["none", "success"], limit: 5 } },
    `${PROJECT}/executions?workspace=prod&status=none&status=success&limit=5`,
    [row],
    [row],
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
    { category: "outputs", ordinal: 0, attributes: null, changes: {}, sensitive_attributes: null },
    { category: "outputs", ordinal: 0, attributes: {}, changes: {}, sensitive_attributes: [] },
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
  [ingest, { body: written }, "/tollgate/v1/ingest", { accepted: true }, { accepted: true }],
];

closeNetwork();

describe("requests and answers", () => {
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
    ["a slash in an execution", getExecution, { params: { ...stage, pipeline_execution_id: "a/b" } }],
    ["an encoded slash in a stage", getExecution, { params: { ...stage, pipeline_stage_id: "a%2fb" } }],
    ["a missing id", getPushDisabled, { params: { org: "acme" } }],
    ["an unknown category", listChangeRows, { params: { ...stage, category: "secrets" } }],
    ["an unknown parameter", getPushDisabled, { params: project, query: { workspace: "x" } }],
    ["a limit too high", listExecutions, { params: project, query: { limit: 101 } }],
    ["a status to write that is not known", ingest, { body: { ...written, status: "fine" } }],
    ["no body", ingest, {}],
    ["text for bytes", uploadChangePage, { params: { ...stage, category: "outputs", page: 1 }, body: "{}" }],
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
