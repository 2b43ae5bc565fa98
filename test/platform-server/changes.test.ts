import { afterAll, describe, expect, it } from "vitest";
import { usualEngines } from "../world/engines.ts";
import { openPlatform } from "./platform-world.ts";
import { CHANGES, change, commit, countsOf, createStage, EXECUTIONS, NO_COUNTS, upload } from "./stories.ts";

const resource = (name: string, over: object = {}) => ({
  provider: "aws",
  type: "aws_s3_bucket",
  name,
  module: "web",
  mode: "managed",
  resource_address: `module.web.aws_s3_bucket.${name}`,
  resource_id: `arn:aws:s3:::${name}`,
  attributes: { acl: "private" },
  ...over,
});

describe.each(usualEngines())("committed resource changes on $name", async (engine) => {
  const get = (path: string) => world.call("GET", `${CHANGES}/${path}`);
  const world = await openPlatform(engine);
  await createStage(world);
  await upload(world, "planned_changes/1", [
    change("deleted", "old_db", { type: "aws_db_instance", module: "web", resource_address: undefined }),
    change("added", "Web_1", {
      attributes: { password: "hunter2", ami: "ami-2" },
      sensitive_attributes: ["password"],
      tags: { before: null, after: { values: { "a\0": "b\0" }, complete: true } },
    }),
    change("added", "web%2", {
      changes: {
        token: { change: "added", drift: false, old: null, new: "s3cr3t", sensitive: true },
        size: { change: "unchanged", drift: false, old: 1, new: 1, sensitive: false },
      },
    }),
  ]);
  await upload(world, "planned_changes/2", [
    change("changed", "c", { provider: "google", type: "google_project", change_count: 9 }),
  ]);
  await upload(world, "unchanged/1", [change("unchanged", "same")]);
  await upload(world, "drift_changes/1", [change("changed", "old_db", { type: "aws_db_instance" })]);
  await upload(world, "resources/1", [resource("logs"), resource("assets")]);
  await upload(world, "data_sources/1", [resource("zone", { mode: undefined, resource_address: undefined })]);
  await upload(world, "outputs/1", [
    { name: "url", value: { host: "a" } },
    { name: "key", value: "s3cr3t", sensitive: true, change: "changed", old: "s3cr3t", new: "s3cr3t2" },
  ]);
  await commit(world);
  afterAll(() => world.close());

  it("are listed with what their category has, and no attribute data", async () => {
    const { status, body } = await get("planned_changes/rows?page_size=2");
    expect(status).toBe(200);
    expect(body).toEqual({
      page: 1,
      pageSize: 2,
      totalItems: 4,
      totalPages: 2,
      rows: [
        {
          category: "planned_changes",
          change: "deleted",
          change_count: 1,
          detail_bytes: expect.any(Number),
          drift: false,
          mode: "managed",
          module: "web",
          name: "old_db",
          ordinal: 0,
          provider: "aws",
          resource_address: "module.web.aws_db_instance.old_db",
          type: "aws_db_instance",
        },
        expect.objectContaining({
          ...{ name: "Web_1", ordinal: 1, change: "added" },
          tags: { before: null, after: { values: { "a\uFFFD": "b\uFFFD" }, complete: true } },
        }),
      ],
    });
    const { body: second } = await get("planned_changes/rows?page_size=2&page=2");
    expect(second.rows.map((row: { ordinal: number }) => row.ordinal)).toEqual([2, 3]);
    expect(second.rows[1]).toMatchObject({ change_count: 9, provider: "google" });
    expect((await get("planned_changes/rows?page_size=2&page=3")).body).toMatchObject({
      rows: [],
      totalItems: 4,
    });
    expect((await get("drift_changes/rows")).body.rows).toMatchObject([{ drift: true, change: "changed" }]);
    expect((await get("resources/rows")).body.rows[0]).toMatchObject({
      resource_id: "arn:aws:s3:::assets",
      mode: "managed",
    });
    expect((await get("data_sources/rows")).body.rows[0]).toMatchObject({
      mode: "data",
      resource_address: "module.web.data.aws_s3_bucket.zone",
    });
  });

  it("show outputs with their value, a sensitive one withheld", async () => {
    const { body } = await get("outputs/rows");
    expect(body.rows.map((row: object) => ({ ...row, detail_bytes: 0 }))).toEqual([
      expect.objectContaining({
        name: "key",
        ordinal: 0,
        sensitive: true,
        value: "(sensitive value)",
        change: "changed",
      }),
      {
        category: "outputs",
        detail_bytes: 0,
        drift: false,
        name: "url",
        ordinal: 1,
        resource_address: "url",
        sensitive: false,
        value: { host: "a" },
      },
    ]);
  });

  it.each(["4", "2147483648", "9007199254740991"])(
    "answer the unknown ordinal %s with 404",
    async (ordinal) => {
      expect((await get(`planned_changes/rows/${ordinal}`)).status).toBe(404);
    },
  );

  it.each([
    ["type=aws_db_instance", ["old_db"]],
    ["provider=google", ["c"]],
    ["module=web", ["old_db"]],
    ["search=web_1", ["Web_1"]],
    ["search_term=old_db", ["old_db"]],
    ["searchTerm=module.web.", ["old_db"]],
    ["search=&type=", []],
    ["search=", ["old_db", "Web_1", "web%2", "c"]],
    ["provider=aws&pageSize=1&page=3", ["web%2"]],
    ["limit=2&page=2", ["web%2", "c"]],
    ["size=1", ["old_db"]],
  ])("are filtered by %s, keeping their ordinals", async (query, expected) => {
    const all = ["old_db", "Web_1", "web%2", "c"];
    const { body } = await get(`planned_changes/rows?${query}`);
    expect(body.rows.map((row: { name: string }) => row.name)).toEqual(expected);
    for (const row of body.rows) expect(row.ordinal).toBe(all.indexOf(row.name));
  });

  it.each(["page_size=1&limit=2", "search=a&search=b"])("refuse %s", async (query) => {
    expect((await get(`planned_changes/rows?${query}`)).status).toBe(400);
  });

  it("are counted per filter value, each dimension without its own filter", async () => {
    const { body } = await get("filter-counts");
    expect(body).toEqual({
      categories: { drift_changes: 1, outputs: 2, planned_changes: 4, resources: 2 },
      change_types: { added: 2, changed: 3, deleted: 1, imported: 0, removed: 0, unchanged: 1 },
      modules: { root: 5, web: 4 },
      providers: { aws: 8, google: 1 },
      types: { aws_db_instance: 2, aws_instance: 3, aws_s3_bucket: 3, google_project: 1 },
    });
    const filtered = await get(
      "filter-counts?category=planned_changes&category=drift_changes&type=aws_db_instance",
    );
    expect(filtered.body).toEqual({
      categories: { drift_changes: 1, outputs: 0, planned_changes: 1, resources: 0 },
      change_types: { added: 0, changed: 1, deleted: 1, imported: 0, removed: 0, unchanged: 0 },
      modules: { root: 1, web: 1 },
      providers: { aws: 2 },
      types: { aws_db_instance: 2, aws_instance: 2, google_project: 1 },
    });
    expect((await get("filter-counts?category=surprises")).status).toBe(400);
  });

  it("count and list a resource once that an upload has among the planned changes and as unchanged", async () => {
    const other = `${EXECUTIONS}/run-twice/stage-1`;
    await createStage(world, { pipeline_execution_id: "run-twice" });
    const rows = [change("added", "new"), change("unchanged", "same")];
    const send = (path: string, elements: unknown) =>
      world.call("POST", `${other}/resource-changes/${path}`, { bytes: JSON.stringify(elements) });
    await send("planned_changes/1", rows);
    await send("unchanged/1", rows.slice(1));
    expect((await send("counts", countsOf({ planned_changes: rows }))).status).toBe(200);
    const counted = async (query: string) =>
      (await world.call("GET", `${other}/resource-changes/filter-counts${query}`)).body;
    expect(await counted("")).toMatchObject({
      change_types: { added: 1, unchanged: 1 },
      modules: { root: 2 },
    });
    expect(await counted("?category=unchanged")).toMatchObject({ change_types: { added: 0, unchanged: 1 } });
    const { body } = await world.call("GET", `${EXECUTIONS}/run-twice/resource-changes`);
    expect(body.planned_changes.map(({ name }: { name: string }) => name)).toEqual(["new", "same"]);
  });

  it("are listed whole by the fallback, with or without state", async () => {
    const listing = `${EXECUTIONS}/run-1/resource-changes`;
    const { body } = await world.call("GET", `${listing}?pipeline_stage_id=stage-1`);
    const names = (rows: { name: string }[]) => rows.map(({ name }) => name);
    expect(body).toMatchObject({
      pipeline_execution: "run-1",
      pipeline_stage: "stage-1",
      workspace_id: "prod-network",
    });
    expect(names(body.planned_changes)).toEqual(["old_db", "Web_1", "web%2", "c", "same"]);
    expect(names(body.drift_changes)).toEqual(["old_db"]);
    expect([body.resources, body.data_sources, body.outputs].map(names)).toEqual([
      ["assets", "logs"],
      ["zone"],
      ["key", "url"],
    ]);
    const { body: planned } = await world.call("GET", `${listing}?exclude_state=true`);
    expect([planned.resources, planned.data_sources, planned.outputs]).toEqual([[], [], []]);
    expect((await world.call("GET", `${listing}?exclude_state=maybe`)).status).toBe(400);
    expect((await world.call("GET", `${listing}?pipeline_stage_id=other`)).status).toBe(404);
    expect((await world.call("GET", `${EXECUTIONS}/run-9/resource-changes`)).status).toBe(404);
  });

  it("of several stages are listed by the fallback only when one is named", async () => {
    await createStage(world, { pipeline_stage_id: "stage-2" });
    const counts = CHANGES.replace("stage-1", "stage-2");
    const listing = `${EXECUTIONS}/run-1/resource-changes`;
    expect((await world.call("GET", listing)).status).toBe(200);
    await world.call("POST", `${counts}/counts`, { bytes: JSON.stringify(NO_COUNTS) });
    expect((await world.call("GET", listing)).status).toBe(400);
    const named = await world.call("GET", `${listing}?pipeline_stage_id=stage-2`);
    expect(named).toMatchObject({ status: 200, body: { pipeline_stage: "stage-2", planned_changes: [] } });
  });
});
