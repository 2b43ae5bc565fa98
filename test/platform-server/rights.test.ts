import { afterAll, describe, expect, it, test } from "vitest";
import { openApiDocument } from "../../src/platform/openapi/document.ts";
import { checkAccess } from "../../src/platform-server/http/access.ts";
import { createJobToken, verifyToken } from "../../src/store/tokens.ts";
import { usualEngine } from "../world/engines.ts";
import { ACCOUNT, openPlatform } from "./platform-world.ts";
import { EXECUTIONS } from "./stories.ts";

const PROJECT = "/api/orgs/{org}/projects/{project}";
const STAGE = `${PROJECT}/executions/{pipeline_execution_id}/{pipeline_stage_id}`;

/** The calls of `tollgate platform import` for a plan and an estimate. */
const IMPORT_CALLS = [
  `GET ${PROJECT}/settings/disabled`,
  `POST ${PROJECT}/executions`,
  `POST ${STAGE}/audit-event`,
  `POST ${STAGE}/resource-changes/{category}/{page}`,
  `POST ${STAGE}/resource-changes/counts`,
  "POST /tollgate/v1/ingest",
];
const OF_A_PROJECT = /^\w+ \/(api\/orgs|cf\/admin\/apikey)/;

/** The operations that each kind of token opens. */
const OPENED: Readonly<Record<string, (operation: string) => boolean>> = {
  api: () => true,
  import: (operation) => OF_A_PROJECT.test(operation) || IMPORT_CALLS.includes(operation),
  job: (operation) => IMPORT_CALLS.includes(operation),
  notify: () => false,
  read: () => false,
  environment: () => false,
};

const PUBLISHED = Object.entries(openApiDocument()["paths"] as Record<string, object>).flatMap(
  ([path, methods]) =>
    Object.keys(methods)
      .filter((name) => /^(get|post|put|patch|delete)$/.test(name))
      .map((method) => `${method.toUpperCase()} ${path}`),
);

const PARAMETERS: Readonly<Record<string, string>> = {
  ...{ org: "acme", project: "payments", registry_ref: `${ACCOUNT}/acme/payments/images/+` },
  ...{ category: "outputs", page: "1", ordinal: "1", kind: "billing" },
};
const fill = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => PARAMETERS[name] ?? "x1");
const QUERY = new URLSearchParams({
  ...{ accountIdentifier: ACCOUNT, orgIdentifier: "acme", projectIdentifier: "payments" },
  environmentIdentifier: "production",
});

describe("rights on the platform", async () => {
  const world = await openPlatform(usualEngine());
  afterAll(() => world.close());
  const { db } = world.store;
  const own = { account: ACCOUNT, repositoryId: 7, org: "acme", project: "payments" } as const;
  const job = { details: { validMs: 60_000 }, headSha: "e".repeat(40), exchanged: "rights" };
  const grant = { ...own, purpose: "import" } as const;
  const key = { identifier: "sdk", name: "SDK", type: "Server" };
  const keys: Readonly<Record<string, string>> = {
    api: world.key,
    import: await world.token(grant),
    job: (await createJobToken(db, { grant, ...job }, world.clock))?.secret ?? "",
    notify: await world.token({ ...own, purpose: "notify" }),
    read: await world.token({ purpose: "read", account: ACCOUNT, repositoryId: 7, ownerId: null }),
    environment: (await world.call("POST", `/cf/admin/apikey?${QUERY}`, { json: key })).body.key,
  };

  it("publishes each operation of the contract", () => {
    expect(PUBLISHED.length).toBeGreaterThanOrEqual(78 + 9);
    expect(IMPORT_CALLS.filter((call) => !PUBLISHED.includes(call))).toEqual([]);
  });

  test.each(Object.keys(OPENED))(
    "a token of the kind %s opens its operations, and no others",
    async (kind) => {
      const wrong: string[] = [];
      for (const operation of PUBLISHED) {
        const [method = "", path = ""] = operation.split(" ");
        const { status } = await world.call(method, `${fill(path)}?${QUERY}`, { key: keys[kind] ?? null });
        const isOpened = OPENED[kind]?.(operation) === true;
        if (isOpened ? [401, 403].includes(status) : status !== 403) wrong.push(`${operation}: ${status}`);
      }
      expect(wrong).toEqual([]);
      expect(world.errors).toEqual([]);
    },
  );

  it("refuses an operation that the table of rights lacks, to a token of the whole account too", async () => {
    const token = await verifyToken(db, world.key, world.clock);
    if (token === null) throw new Error("there is no token");
    const request = {
      ...{
        api: "provisioning" as const,
        headers: new Headers({ "platform-account": ACCOUNT }),
        query: QUERY,
      },
      params: { org: "acme", project: "payments" },
    };
    expect(() => checkAccess(token, { ...request, right: "project" })).not.toThrow();
    expect(() => checkAccess(token, { ...request, right: undefined })).toThrow(
      expect.objectContaining({ problem: expect.objectContaining({ problem: "forbidden" }) }),
    );
  });

  it("lets a CI job write to executions of its own head, in each call that names one", async () => {
    const of = (id: string) => ({ pipeline_execution_id: id, pipeline_stage_id: "plan" });
    const created = (id: string) => ({ ...of(id), pipeline: "infra", workspace: "prod" });
    const hash = job.headSha;
    const git = { hash, name: "topic", repo_url: "https://github.com/acme/payments", type: "branch" };
    const calls = (id: string): readonly [string, string, object][] => [
      ["POST", EXECUTIONS, { json: { ...created(id), pipeline_stage_id: "apply" } }],
      ["POST", `${EXECUTIONS}/${id}/plan/audit-event`, { json: { audit: { git_audit_data: git } } }],
      ["POST", `${EXECUTIONS}/${id}/plan/resource-changes/outputs/1`, { bytes: "[]" }],
      ["POST", `${EXECUTIONS}/${id}/plan/resource-changes/counts`, { bytes: "{}" }],
      [
        "POST",
        "/tollgate/v1/ingest",
        { json: { org: "acme", project: "payments", ...of(id), status: "success" } },
      ],
    ];
    const statuses = (id: string, key: string) =>
      Promise.all(
        calls(id).map(
          async ([method, path, sent]) => (await world.call(method, path, { key, ...sent })).status,
        ),
      );
    const other = { grant, ...job, headSha: "f".repeat(40), exchanged: "of another head" };
    const creators: Readonly<Record<string, string | undefined>> = {
      ...{ own: keys["job"], "of-the-project": keys["import"] },
      "of-another-head": (await createJobToken(db, other, world.clock))?.secret,
    };
    for (const [id, key = null] of Object.entries(creators))
      expect((await world.call("POST", EXECUTIONS, { key, json: created(id) })).status).toBe(200);
    for (const id of ["of-the-project", "of-another-head"])
      expect(await statuses(id, keys["job"] ?? "")).toEqual([403, 403, 403, 403, 403]);
    expect(await statuses("own", keys["job"] ?? "")).not.toContain(403);
    const renewed = await createJobToken(db, { grant, ...job, exchanged: "renewed" }, world.clock);
    expect(await statuses("own", renewed?.secret ?? "")).not.toContain(403);
    expect(await statuses("own", creators["of-another-head"] ?? "")).toEqual([403, 403, 403, 403, 403]);
  });
});
