import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { PlatformClient } from "../../src/platform/client.ts";
import { declareEndpoint } from "../../src/platform/contract/endpoint.ts";
import { getExecution, listExecutions } from "../../src/platform/contract/executions.ts";
import { endpoints } from "../../src/platform/contract/registry.ts";
import { uploadChangePage } from "../../src/platform/contract/resource-changes.ts";
import { getPushDisabled } from "../../src/platform/contract/settings.ts";
import type { Area } from "../../src/platform-server/area/area.ts";

const row = {
  api: "provisioning",
  area: "x",
  operation: "y",
  method: "GET",
  summary: "",
  source: "",
  response: "empty",
  status: 200,
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
  const complete: Area<typeof some> = {
    getExecution: () => ({ body: { ...execution, status: "none" } }),
    getPushDisabled: ({ params: { project } }) => ({
      body: { disabled: project === "shop" },
      headers: { etag: "x" },
    }),
  };
  // @ts-expect-error a handler is missing
  const incomplete: Area<typeof some> = { getPushDisabled: () => ({ body: { disabled: true } }) };
  const wrong: Area<typeof some> = {
    // @ts-expect-error a status that may not be written
    getExecution: () => ({ body: { ...execution, status: "running" } }),
    // @ts-expect-error a body of another shape
    getPushDisabled: () => ({ body: { disabled: "true" } }),
  };

  test("is checked by the compiler", () => {
    expect([declarations, calls, complete, incomplete, wrong]).toHaveLength(5);
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
});
