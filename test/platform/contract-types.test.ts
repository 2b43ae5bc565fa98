import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import type { Decimal } from "../../src/kernel/money.ts";
import type { PlatformClient } from "../../src/platform/client.ts";
import type { getCostChange, listStageCosts } from "../../src/platform/contract/cost-changes.ts";
import {
  type ClientInput,
  declareEndpoint,
  type EndpointInput,
  type EndpointOutput,
  type ResponseBody,
} from "../../src/platform/contract/endpoint.ts";
import { getExecution, listExecutions } from "../../src/platform/contract/executions.ts";
import { contract, endpoints, sortNamesByRoute } from "../../src/platform/contract/registry.ts";
import { type listChangeRows, uploadChangePage } from "../../src/platform/contract/resource-changes.ts";
import { getPushDisabled } from "../../src/platform/contract/settings.ts";
import type { Area } from "../../src/platform-server/area/area.ts";
import { createProblem } from "../../src/platform-server/area/problem.ts";

const row = {
  api: "provisioning",
  area: "x",
  operation: "y",
  method: "GET",
  summary: "",
  source: "",
  response: "empty",
  status: 200,
  errors: [],
} as const;
const one = z.object({ id: z.string() });
const params = { org: "acme", project: "shop" };

describe("what does not compile", () => {
  // The compiler checks the lines marked below: one that compiles after all is an error. None of this is ever run.
  const declarations = () => [
    declareEndpoint({ ...row, path: "/x/{id}", params: one }),
    declareEndpoint({ ...row, path: "/x" }),
    // @ts-expect-error the path names {id}, the params name nothing
    declareEndpoint({ ...row, path: "/x/{id}" }),
    // @ts-expect-error the params name another parameter
    declareEndpoint({ ...row, path: "/x/{id}", params: z.object({ other: z.string() }) }),
    // @ts-expect-error the params name one parameter too many
    declareEndpoint({ ...row, path: "/x/{id}", params: z.object({ id: z.string(), other: z.string() }) }),
    // @ts-expect-error the path names no parameter
    declareEndpoint({ ...row, path: "/x", params: one }),
    // @ts-expect-error not a method
    declareEndpoint({ ...row, path: "/x", method: "FETCH" }),
  ];

  const calls = (client: PlatformClient) => [
    client.call(getPushDisabled, { params }),
    client.call(listExecutions, { params, query: { status: ["none"], limit: 3 } }),
    // @ts-expect-error no project
    client.call(getPushDisabled, { params: { org: "acme" } }),
    // @ts-expect-error no params at all
    client.call(getPushDisabled, {}),
    // @ts-expect-error no such parameter
    client.call(getPushDisabled, { params, query: { limit: 3 } }),
    // @ts-expect-error a number as text
    client.call(listExecutions, { params, query: { limit: "3" } }),
    // @ts-expect-error a status that may not be written
    client.call(listExecutions, { params, query: { status: ["running"] } }),
    // @ts-expect-error no body
    client.call(uploadChangePage, {
      params: { ...params, pipeline_execution_id: "e", pipeline_stage_id: "s", category: "outputs", page: 1 },
    }),
  ];

  const some = { getExecution, getPushDisabled };
  const execution = {
    account: "a",
    org: "o",
    project: "p",
    pipeline: "l",
    pipeline_execution_id: "e",
    pipeline_stage_id: "s",
    workspace: "w",
    created: 1,
  };
  const complete: Area<typeof some, object> = {
    getExecution: () => ({ body: { ...execution, status: "none" } }),
    getPushDisabled: ({ params: { project } }) => ({
      body: { disabled: project === "shop" },
      headers: { etag: "x" },
    }),
  };
  // @ts-expect-error a handler is missing
  const incomplete: Area<typeof some, object> = { getPushDisabled: () => ({ body: { disabled: true } }) };
  const wrong: Area<typeof some, object> = {
    // @ts-expect-error a status that may not be written
    getExecution: () => ({ body: { ...execution, status: "running" } }),
    // @ts-expect-error a body of another shape
    getPushDisabled: () => ({ body: { disabled: "true" } }),
  };
  const undocumented: Area<typeof some, object> = {
    getExecution: () => createProblem("not_found", "documented"),
    // @ts-expect-error an error status that the endpoint does not declare
    getPushDisabled: () => createProblem("precondition_failed", "not documented"),
  };

  test("is checked by the compiler", () => {
    expect([declarations, calls, complete, incomplete, wrong, undocumented]).toHaveLength(6);
  });
});

describe("types that are inferred", () => {
  test("by client and server", () => {
    expectTypeOf<ClientInput<typeof getCostChange>>().toEqualTypeOf<{
      readonly params: { org: string; project: string; pipeline_execution_id: string };
      readonly query?: { pipeline_stage_id?: string | undefined };
    }>();
    expectTypeOf<EndpointInput<typeof listExecutions>["query"]["limit"]>().toEqualTypeOf<number>();
    expectTypeOf<EndpointInput<typeof listChangeRows>["params"]["category"]>().toEqualTypeOf<
      "planned_changes" | "unchanged" | "drift_changes" | "resources" | "data_sources" | "outputs"
    >();
    expectTypeOf<EndpointInput<typeof uploadChangePage>["body"]>().toEqualTypeOf<Uint8Array>();
    expectTypeOf<EndpointOutput<typeof uploadChangePage>>().toEqualTypeOf<undefined>();
    expectTypeOf<
      EndpointOutput<typeof listStageCosts>[number]["total_monthly_cost"]
    >().toEqualTypeOf<Decimal | null>();
    expectTypeOf<ResponseBody<typeof listStageCosts>[number]["total_monthly_cost"]>().toEqualTypeOf<
      string | null
    >();
  });
});

describe("the registry", () => {
  test("names every operation once, and every path and method once", () => {
    const operations = endpoints.map(({ area, operation }) => `${area} ${operation}`);
    const routes = endpoints.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, "{}")}`);
    expect(new Set(operations).size).toBe(endpoints.length);
    expect(new Set(routes).size).toBe(endpoints.length);
    expect(operations.every((name) => /^[a-z]+(-[a-z]+)* [a-z]+(-[a-z]+)*$/.test(name))).toBe(true);
  });

  test("marks what the documents do not describe", () => {
    const extra = endpoints.filter((one) => one.extra);
    expect(extra.filter(({ api }) => api !== "tollgate").map(({ path }) => path)).toEqual([
      "/api/orgs/{org}/projects/{project}/executions/{pipeline_execution_id}/resource-changes",
      "/api/orgs/{org}/projects/{project}/executions/{pipeline_execution_id}/resource-changes/counts",
    ]);
    const ours = endpoints.filter(({ api }) => api === "tollgate");
    expect(ours.every((one) => one.extra && one.path.startsWith("/tollgate/v1/"))).toBe(true);
  });

  test("orders routes so that the first match is right: literal segments before parameters", () => {
    const base = "/api/orgs/o/projects/p/executions";
    const firstMatch = (method: string, path: string) =>
      sortNamesByRoute(contract).find((name) => {
        const found = contract[name as keyof typeof contract]; // the names are the contract's own keys
        return (
          found.method === method && new RegExp(`^${found.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(path)
        );
      });
    expect([
      firstMatch("GET", `${base}/e/cost-changes`),
      firstMatch("GET", `${base}/e/s`),
      firstMatch("GET", `${base}/e/resource-changes`),
      firstMatch("GET", `${base}/e/resource-changes/counts`),
      firstMatch("POST", `${base}/e/s/resource-changes/counts`),
      firstMatch("POST", `${base}/e/s/resource-changes/outputs/1`),
      firstMatch("GET", `${base}/e/s/resource-changes/filter-counts`),
    ]).toEqual([
      "getCostChange",
      "getExecution",
      "listChanges",
      "readChangeCounts",
      "uploadChangeCounts",
      "uploadChangePage",
      "countChangeFilters",
    ]);
  });
});
