import { afterAll, describe, expect, it } from "vitest";
import { isPlatformPath } from "../../src/platform-server/server.ts";
import { usualEngine } from "../world/engines.ts";
import { openHttpWorld } from "./http-world.ts";
import { ACCOUNT } from "./platform-world.ts";

const world = await openHttpWorld(usualEngine());
afterAll(() => world.close());

const COST = "/gateway/ccm/api";
const OWN = `accountIdentifier=${ACCOUNT}`;
const HEADER = { "Platform-Account": ACCOUNT };
const BODY = { "content-type": "application/json" };

async function ask(method: string, path: string, init: RequestInit = {}) {
  const answer = await world.fetch(path, { method, ...init });
  const text = await answer.text();
  return {
    status: answer.status,
    type: answer.headers.get("content-type"),
    body: text === "" ? null : JSON.parse(text),
  };
}
const post = (path: string, body: string, headers: Record<string, string> = BODY) =>
  ask("POST", path, { body, headers });
const callId = {
  asymmetricMatch: (value: unknown) => /^call-\d+$/.test(`${value}`),
  toString: () => "call-n",
};

describe("every service has its own routes", () => {
  it.each([
    ["POST", `${COST}/maybe`],
    ["POST", "/ccm/api/maybe"],
  ])("cost management answers at %s %s", async (method, path) => {
    expect(await ask(method, `${path}?${OWN}`)).toMatchObject({
      status: 200,
      body: { status: "SUCCESS", data: "nothing", metaData: null, correlationId: callId },
    });
  });

  it.each(["/api", "/iacm/api", "/gateway/iacm/api"])("provisioning answers at %s", async (prefix) => {
    expect(await ask("GET", `${prefix}/orgs/o/projects/p/thing`, { headers: HEADER })).toMatchObject({
      status: 200,
      body: { org: "o", project: "p" },
    });
  });

  it.each([
    ["GET", "/gateway/iacm/cf/admin/thing"],
    ["POST", `/maybe?${OWN}`],
    ["GET", `/gateway/ccm/maybe?${OWN}`],
    ["PUT", `${COST}/maybe?${OWN}`],
    ["HEAD", `/cf/admin/thing?${OWN}`],
    ["GET", `/code/api/v1/things/?${OWN}`],
  ])("nothing answers at %s %s", async (method, path) => {
    expect(await ask(method, path)).toMatchObject({ status: 404 });
  });
});

describe("every refusal is in the words of the service whose path it is", () => {
  const message = expect.any(String);
  const goa = (status: number, name: string) => ({
    ...{ name, message, id: callId, temporary: false, timeout: false, fault: status >= 500 },
  });
  const flags = (status: number) => ({ code: `${status}`, message, details: expect.any(Object) });
  const code = () => ({ message, values: expect.any(Object) });
  const failure = (word: string) => ({
    ...{ status: "FAILURE", code: word, message, correlationId: callId, errors: expect.any(Array) },
  });
  const registry = (status: number, word = "FAILURE") => ({ code: `${status}`, message, status: word });
  const broken = {
    ...{ status: "ERROR", code: "UNKNOWN_ERROR", message, correlationId: callId, metadata: null },
    detailedMessage: message,
    responseMessages: [expect.objectContaining({ code: "UNKNOWN_ERROR", level: "ERROR" })],
  };
  const big = { headers: BODY, body: JSON.stringify({ name: "x".repeat(2_000_000) }) };
  const plain = { headers: { "content-type": "text/plain" }, body: "x" };
  const HOOKS = "/har/api/v1/registry";

  it.each<[number, string, string, RequestInit, unknown]>([
    [404, "GET", "/nowhere", {}, goa(404, "not_found")],
    [404, "GET", "/api/orgs/o/nothing", {}, goa(404, "not_found")],
    [404, "GET", "/cf/admin/nothing", {}, flags(404)],
    [404, "GET", "/har/api/v1/nothing", {}, registry(404)],
    [404, "GET", "/code/api/v1/nothing", {}, code()],
    [404, "GET", `${COST}/nothing`, {}, failure("RESOURCE_NOT_FOUND")],
    [403, "GET", `${COST}/break?accountIdentifier=other`, {}, failure("NG_ACCESS_DENIED")],
    [400, "GET", `${COST}/break`, {}, failure("SCHEMA_VALIDATION_FAILED")],
    [413, "POST", `${COST}/things?${OWN}`, big, failure("INVALID_ARGUMENT")],
    [415, "POST", `${COST}/things?${OWN}`, plain, failure("INVALID_FORMAT")],
    [500, "GET", `/code/api/v1/break?${OWN}`, {}, code()],
    [500, "PUT", `${HOOKS}/${ACCOUNT}/r/+/webhooks`, {}, registry(500, "ERROR")],
    [500, "GET", `${COST}/break?${OWN}`, {}, broken],
  ])("%d of %s %s", async (...[status, method, path, init, body]) => {
    const answer = await ask(method, path, init);
    expect(answer).toEqual({
      status,
      body,
      type: expect.stringMatching(/^application\/(json|vnd\.goa\.error)$/),
    });
    expect(JSON.stringify(answer.body)).not.toContain("fire");
  });

  it("a failure is reported to the operator, and to nobody else", () => {
    expect(world.errors.map(String)).toEqual(Array.from({ length: 3 }, () => "Error: the disk is on fire"));
  });

  it("an error that the endpoint does not declare is a failure of ours", async () => {
    const before = world.errors.length;
    const answer = await post(`/cf/admin/thing?${OWN}`, JSON.stringify({ name: "undeclared" }));
    expect(answer.status).toBe(500);
    expect(JSON.stringify(answer.body)).not.toContain("declare");
    expect(world.errors.slice(before).map(String)).toEqual([
      "Error: its endpoint does not declare this status",
    ]);
  });

  it("wrong members are named, each where the family has a place for it", async () => {
    const wrong = JSON.stringify({ cloudProvider: "CLOUD_9", clusters: [{ csClusterName: 5 }] });
    const cost = await post(`${COST}/things?${OWN}`, wrong);
    expect(cost).toMatchObject({ status: 400, body: { code: "SCHEMA_VALIDATION_FAILED" } });
    expect(cost.body.errors.map((one: { fieldId: string }) => one.fieldId)).toEqual([
      "cloudProvider",
      "clusters.0.csClusterName",
    ]);
    const flags = await post(`/cf/admin/thing?${OWN}`, '{"name":5}');
    expect(flags.body).toMatchObject({ code: "400", details: { name: expect.any(String) } });
    const hook = await ask("GET", `/har/api/v1/registry/${ACCOUNT}/r/+/webhooks/${"w".repeat(21)}`);
    expect(hook.body).toMatchObject({ code: "400", details: { webhook_identifier: expect.any(String) } });
  });

  it.each([
    ["{", "INVALID_JSON_PAYLOAD"],
    ['{"tags":{"a":"\\u0000"}}', "INVALID_REQUEST"],
    ["[]", "SCHEMA_VALIDATION_FAILED"],
  ])("cost management says of the body %s: %s", async (body, code) => {
    expect(await post(`${COST}/things?${OWN}`, body)).toMatchObject({ status: 400, body: { code } });
  });

  it.each(["%", "%ff", "%c0%af", "%00"])("a path with %s in it is a bad request", async (text) => {
    const path = `/api/orgs/${text}/projects/p/thing`;
    expect(await ask("GET", path, { headers: HEADER })).toMatchObject({ status: 400 });
    const hook = `/har/api/v1/registry/${ACCOUNT}/${text}/+/webhooks`;
    expect((await ask("GET", hook)).status).toBeLessThan(500);
  });
});

describe("a query parameter that the operation does not have is refused by its name", () => {
  const FLAGS = "it takes size, orgIdentifier, projectIdentifier";
  it.each<[string, string, string, string]>([
    ["/cf/admin/thing", "sise", " (did you mean size?)", FLAGS],
    ["/cf/admin/thing", "size[]", " (did you mean size?)", FLAGS],
    ["/cf/admin/thing", "colour", "", FLAGS],
    ["/code/api/v1/things", "limit", "", "it takes none"],
  ])("%s?%s", async (...[path, name, meant, takes]) => {
    const { status, body } = await ask("GET", `${path}?${OWN}&${name}=3`);
    const words = `query.${name}: is not a parameter of this operation${meant}; ${takes}`;
    expect({ status, message: body.message }).toEqual({ status: 400, message: words });
  });

  it("cost management lists each in its errors", async () => {
    const { body } = await post(`${COST}/things?${OWN}&cloudProviders=CLOUD_1&x`, "{}");
    expect(body).toMatchObject({
      code: "SCHEMA_VALIDATION_FAILED",
      errors: [
        {
          fieldId: "cloudProviders",
          error: "is not a parameter of this operation (did you mean cloudProvider?); it takes cloudProvider",
        },
        { fieldId: "x", error: "is not a parameter of this operation; it takes cloudProvider" },
      ],
    });
  });

  it("what the platform's own pages and command line add is taken everywhere", async () => {
    const gateway = `${OWN}&routingId=${ACCOUNT}`;
    for (const path of ["/cf/admin/thing", "/code/api/v1/things", "/api/orgs/o/projects/p/thing"])
      expect(await ask("GET", `${path}?${gateway}`, { headers: HEADER })).toMatchObject({ status: 200 });
  });
});

describe("bodies that may be left out", () => {
  it.each<[string, RequestInit, string]>([
    ["none at all", {}, "nothing"],
    ["an empty one", { headers: BODY, body: "" }, "nothing"],
    ["one", { headers: BODY, body: "{}" }, "something"],
  ])("%s", async (_, init, data) => {
    expect(await ask("POST", `${COST}/maybe?${OWN}`, init)).toMatchObject({ status: 200, body: { data } });
  });

  it.each<[string, RequestInit]>([
    ["none at all", {}],
    ["an empty one", { headers: BODY, body: "" }],
    ["an empty one of another kind", { headers: { "content-type": "text/plain" }, body: "" }],
  ])("a body that must be there is asked for: %s", async (_, init) => {
    expect(await ask("POST", `${COST}/things?${OWN}`, init)).toMatchObject({
      status: 400,
      body: { message: "the body is missing" },
    });
  });
});

describe("a registry's reference", () => {
  const REF = `${ACCOUNT}/org/shop/docker/+`;
  it.each<[string, unknown]>([
    [`${REF}/webhooks`, { list: { registry_ref: REF } }],
    [`${encodeURIComponent(REF)}/webhooks`, { list: { registry_ref: REF } }],
    [`${ACCOUNT}/r/%2B/webhooks`, { list: { registry_ref: `${ACCOUNT}/r/+` } }],
    [`${ACCOUNT}%2Fr/+/webhooks`, { list: { registry_ref: `${ACCOUNT}/r/+` } }],
    [`${ACCOUNT}/webhooks/+/webhooks`, { list: { registry_ref: `${ACCOUNT}/webhooks/+` } }],
    [
      `${ACCOUNT}/webhooks/+/webhooks/webhooks/executions`,
      { runs: { registry_ref: `${ACCOUNT}/webhooks/+`, webhook_identifier: "webhooks" } },
    ],
    [`${ACCOUNT}/r/+/webhooks/+`, { hook: { registry_ref: `${ACCOUNT}/r/+`, webhook_identifier: "+" } }],
    [
      `${ACCOUNT}/r/webhooks/x/+/webhooks/executions`,
      { hook: { registry_ref: `${ACCOUNT}/r/webhooks/x/+`, webhook_identifier: "executions" } },
    ],
  ])("%s", async (path, body) => {
    expect(await ask("GET", `/har/api/v1/registry/${path}`)).toMatchObject({ status: 200, body });
  });

  it.each([
    `${ACCOUNT}/r/webhooks`,
    "+/webhooks",
    `${ACCOUNT}/r/+`,
    `/r/+/webhooks`,
    `${ACCOUNT}/r/+/webhooks/+/webhooks`,
  ])("%s leads nowhere", async (path) => {
    expect((await ask("GET", `/har/api/v1/registry/${path}`)).status).toBe(404);
  });
});

describe("the account that a call is for", () => {
  const PROVISIONING = "/api/orgs/o/projects/p/thing";
  it.each<[string, number, string, Record<string, string>]>([
    ["a header where a header is asked for", 200, PROVISIONING, HEADER],
    ["the other dialect's header", 200, PROVISIONING, { "harness-account": ACCOUNT }],
    ["no header", 400, PROVISIONING, {}],
    ["a query where a header is asked for", 400, `${PROVISIONING}?${OWN}`, {}],
    ["both", 200, `${PROVISIONING}?${OWN}`, HEADER],
    ["another in the query", 403, `${PROVISIONING}?accountIdentifier=other`, HEADER],
    ["another in the header", 403, PROVISIONING, { "Platform-Account": "other" }],
    ["a query where a query is asked for", 200, `/cf/admin/thing?${OWN}`, {}],
    ["a header where a query is asked for", 400, "/cf/admin/thing", HEADER],
    ["another in the header beside the query", 403, `/cf/admin/thing?${OWN}`, { "harness-account": "other" }],
    ["two in the query", 403, `/cf/admin/thing?${OWN}&accountIdentifier=other`, {}],
    ["an empty one", 400, "/cf/admin/thing?accountIdentifier=", {}],
    ["one too long", 400, `/cf/admin/thing?accountIdentifier=${"a".repeat(129)}`, {}],
    ["the path where a path is asked for", 200, `/har/api/v1/registry/${ACCOUNT}/r/+/webhooks`, {}],
    ["another in the path", 403, "/har/api/v1/registry/other/r/+/webhooks", HEADER],
    [
      "another in the header beside the path",
      403,
      `/har/api/v1/registry/${ACCOUNT}/r/+/webhooks`,
      { "Platform-Account": "x" },
    ],
  ])("%s: %d", async (...[, status, path, headers]) => {
    expect((await ask("GET", path, { headers })).status).toBe(status);
  });

  it("is the token's: one server answers each account", async () => {
    const key = await world.token({ purpose: "api", account: "second" });
    const headers = { "x-api-key": key };
    expect(await ask("GET", "/cf/admin/thing?accountIdentifier=second", { headers })).toMatchObject({
      body: { name: "second" },
    });
    expect((await ask("GET", `/cf/admin/thing?${OWN}`, { headers })).status).toBe(403);
  });
});

describe("a token bound to one project", () => {
  const BOUND = { account: ACCOUNT, repositoryId: 7, org: "acme", project: "shop" } as const;
  const FLAGS = `/cf/admin/thing?${OWN}`;
  it.each<[string, number, string, Record<string, string>]>([
    ["its project", 200, "/api/orgs/acme/projects/shop/thing", HEADER],
    ["another project", 403, "/api/orgs/acme/projects/other/thing", HEADER],
    ["another org", 403, "/api/orgs/other/projects/shop/thing", HEADER],
    ["its project in the query", 200, `${FLAGS}&orgIdentifier=acme&projectIdentifier=shop`, {}],
    ["another project in the query", 403, `${FLAGS}&orgIdentifier=acme&projectIdentifier=other`, {}],
    [
      "two projects in the query",
      403,
      `${FLAGS}&orgIdentifier=acme&projectIdentifier=shop&projectIdentifier=x`,
      {},
    ],
    ["no project in the query", 403, `${FLAGS}&orgIdentifier=acme`, {}],
    ["the account's hooks", 403, `/code/api/v1/things?${OWN}`, {}],
    ["its project's registry", 403, `/har/api/v1/registry/${ACCOUNT}/acme/shop/r/+/webhooks`, {}],
    ["cost management", 403, `${COST}/break?${OWN}`, {}],
    ["what is the platform's own", 403, "/tollgate/v1/other", HEADER],
  ])("%s: %d", async (...[, status, path, headers]) => {
    const key = await world.token({ purpose: "import", ...BOUND });
    expect((await ask("GET", path, { headers: { ...headers, "x-api-key": key } })).status).toBe(status);
    const notify = await world.token({ purpose: "notify", ...BOUND });
    expect((await ask("GET", path, { headers: { ...headers, "x-api-key": notify } })).status).toBe(403);
  });
});

it.each([
  ["/api/orgs/a", true],
  ["/iacm/api/orgs/a", true],
  ["/gateway/iacm/api/orgs", true],
  ["/tollgate/v1/ingest", true],
  ["/iacm/tollgate/v1/ingest", true],
  ["/", false],
  ["/api/executions", false],
  ["/api/github/webhooks", false],
  ["/iacmx", false],
  ["/x/api/orgs/a", false],
  ["/tollgate/v10", false],
])("whether the path %s is the platform's: %s", (path, isPlatforms) => {
  expect(isPlatformPath(path)).toBe(isPlatforms);
});
