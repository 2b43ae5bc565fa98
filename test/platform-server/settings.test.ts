import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { usualEngines } from "../world/engines.ts";
import { ACCOUNT, openPlatform, type PlatformWorld } from "./platform-world.ts";

const association = (over: object = {}) => ({
  operation: "plan",
  provisioner: "iac_tool_2",
  pipeline: "testpipeline",
  updated: 1_636_669_297_674,
  ...over,
});

describe.each(usualEngines())("settings of a project on $name", (engine) => {
  let world: PlatformWorld;
  /** A project for each story. */
  let number = 0;
  const at = (path: string, project = `project-${number}`) =>
    `/api/orgs/acme/projects/${project}/settings/${path}`;
  const pipelines = async (query = "") => (await world.call("GET", at(`default-pipelines${query}`))).body;
  const put = (json: object) => world.call("PUT", at("default-pipelines"), { json });

  beforeAll(async () => {
    world = await openPlatform(engine);
  });
  beforeEach(() => {
    number++;
  });
  afterAll(() => world.close());

  it("name no pipeline until somebody does", async () => {
    expect(await pipelines()).toEqual([]);
  });

  it("store a pipeline for each operation, provisioner and workspace", async () => {
    expect(await put(association())).toMatchObject({ status: 200, body: null });
    expect(await pipelines()).toEqual([
      {
        account: ACCOUNT,
        org: "acme",
        project: `project-${number}`,
        operation: "plan",
        provisioner: "iac_tool_2",
        pipeline: "testpipeline",
        workspace: "",
        updated: 1_636_669_297_674,
      },
    ]);
    await put(association({ pipeline: "other", updated: 5 }));
    await put(association({ operation: "apply" }));
    await put(association({ provisioner: "iac_tool_1" }));
    await put(association({ workspace: "prod", pipeline: "careful" }));
    const rows: { provisioner: string; operation: string; workspace: string; pipeline: string }[] =
      await pipelines();
    expect(rows.map((row) => [row.provisioner, row.operation, row.workspace, row.pipeline])).toEqual([
      ["iac_tool_1", "plan", "", "testpipeline"],
      ["iac_tool_2", "apply", "", "testpipeline"],
      ["iac_tool_2", "plan", "", "other"],
      ["iac_tool_2", "plan", "prod", "careful"],
    ]);
    expect(await pipelines("?workspace=prod")).toMatchObject([{ pipeline: "careful" }]);
    expect(await pipelines("?workspace=nowhere")).toEqual([]);
    expect(await pipelines("?workspace=")).toHaveLength(4);
  });

  it("forget the pipeline that a DELETE names in its body, and no other", async () => {
    await put(association());
    await put(association({ workspace: "prod" }));
    const remove = (json: object) => world.call("DELETE", at("default-pipelines"), { json });
    const { operation, provisioner } = association();
    expect(await remove({ operation, provisioner })).toMatchObject({ status: 200, body: null });
    expect(await pipelines()).toMatchObject([{ workspace: "prod" }]);
    expect((await remove({ operation, provisioner })).status).toBe(200);
    expect((await remove({ operation, provisioner, workspace: "prod" })).status).toBe(200);
    expect(await pipelines()).toEqual([]);
    expect((await world.call("DELETE", at("default-pipelines"))).status).toBeGreaterThanOrEqual(400);
  });

  it.each([
    ["no operation", { operation: undefined }],
    ["an unknown operation", { operation: "explode" }],
    ["an unknown provisioner", { provisioner: "iac_tool_9" }],
    ["no pipeline", { pipeline: undefined }],
    ["an empty pipeline", { pipeline: "" }],
    ["a pipeline of 129 characters", { pipeline: "p".repeat(129) }],
    ["no time", { updated: undefined }],
    ["a time before time began", { updated: -1 }],
    ["a workspace of 129 characters", { workspace: "w".repeat(129) }],
  ])("take no pipeline with %s", async (_, over) => {
    expect((await put(association(over))).status).toBe(400);
    expect(await pipelines()).toEqual([]);
  });

  it.each(["drift-config", "ephemeral-config"])(
    "show %s as disabled until somebody sets it",
    async (path) => {
      expect(await world.call("GET", at(`${path}?provisioner=iac_tool_3`))).toMatchObject({
        status: 200,
        body: { enabled: false, provisioner: "iac_tool_3" },
      });
      for (const query of [
        "",
        "?provisioner=",
        "?provisioner=iac_tool_9",
        "?provisioner=iac_tool_1&provisioner=iac_tool_2",
      ])
        expect((await world.call("GET", at(path + query))).status).toBe(400);
    },
  );

  it("show drift detection as it was accepted, for its provisioner alone", async () => {
    const config = {
      pipeline_id: "drifting",
      provisioner: "iac_tool_1",
      run_every: 6,
      run_every_unit: "hours",
    };
    const accepted = await world.call("PUT", at("drift-config"), { json: config });
    expect(accepted).toMatchObject({
      status: 202,
      body: { job_id: expect.any(Number), status: expect.stringContaining("drift triggers") },
    });
    expect(world.jobs.at(-1)).toEqual({
      kind: "settings",
      account: ACCOUNT,
      jobId: accepted.body.job_id,
    });
    const read = async (tool: string) =>
      (await world.call("GET", at(`drift-config?provisioner=${tool}`))).body;
    expect(await read("iac_tool_1")).toEqual({ enabled: true, ...config });
    expect(await read("iac_tool_2")).toEqual({ enabled: false, provisioner: "iac_tool_2" });
    const removed = await world.call("DELETE", at("drift-config?provisioner=iac_tool_1"));
    expect(removed.status).toBe(202);
    expect(removed.body.job_id).toBeGreaterThan(accepted.body.job_id);
    expect(await read("iac_tool_1")).toEqual({ enabled: false, provisioner: "iac_tool_1" });
  });

  it("show what is ephemeral as it was accepted, the delay under the name that reads have", async () => {
    const config = {
      pipeline_id: "destroying",
      provisioner: "iac_tool_1",
      destroy_delay_value: 3,
      destroy_delay_unit: "days",
      destroy_on_date: "2028-02-29",
      delete_delay_value: 12,
      delete_delay_unit: "hours",
      delete_on_date: "2028-03-01",
      delete_workspace: true,
    };
    const accepted = await world.call("PUT", at("ephemeral-config"), { json: config });
    expect(accepted).toMatchObject({
      status: 202,
      body: { job_id: expect.any(Number), status: expect.stringContaining("schedules") },
    });
    const read = async () => (await world.call("GET", at("ephemeral-config?provisioner=iac_tool_1"))).body;
    const { destroy_delay_value, destroy_delay_unit, ...rest } = config;
    expect(await read()).toEqual({
      enabled: true,
      ...rest,
      ttl_value: destroy_delay_value,
      ttl_unit: destroy_delay_unit,
    });
    const short = { pipeline_id: "destroying", provisioner: "iac_tool_1" };
    expect((await world.call("PUT", at("ephemeral-config"), { json: short })).status).toBe(202);
    expect(await read()).toEqual({ enabled: true, ...short, delete_workspace: false });
    expect((await world.call("DELETE", at("ephemeral-config?provisioner=iac_tool_1"))).status).toBe(202);
    expect(await read()).toEqual({ enabled: false, provisioner: "iac_tool_1" });
  });

  it.each([
    ["no interval", { run_every: undefined }, 400],
    ["an interval of nothing", { run_every: 0 }, 400],
    ["half an interval", { run_every: 0.5 }, 400],
    ["an interval beyond a million", { run_every: 1_000_001 }, 400],
    ["no unit", { run_every_unit: undefined }, 400],
    ["an unknown unit", { run_every_unit: "weeks" }, 400],
    ["no pipeline", { pipeline_id: undefined }, 400],
    ["no provisioner", { provisioner: undefined }, 400],
    ["minutes", { run_every_unit: "minutes" }, 202],
    ["seconds", { run_every_unit: "seconds", run_every: 1_000_000 }, 202],
  ])("answer drift detection with %s", async (_, over, status) => {
    const jobs = world.jobs.length;
    const json = {
      pipeline_id: "p",
      provisioner: "iac_tool_1",
      run_every: 1,
      run_every_unit: "days",
      ...over,
    };
    expect((await world.call("PUT", at("drift-config"), { json })).status).toBe(status);
    expect(world.jobs.length - jobs).toBe(status === 202 ? 1 : 0);
  });

  it.each([
    ["a day that does not exist", { destroy_on_date: "2026-02-30" }, 400],
    ["a leap day of no leap year", { delete_on_date: "2026-02-29" }, 400],
    ["a leap day", { delete_on_date: "2028-02-29" }, 202],
    ["a day with a time", { destroy_on_date: "2026-02-03T00:00:00Z" }, 400],
    ["a day in other words", { destroy_on_date: "3 Feb 2026" }, 400],
    ["an empty day", { destroy_on_date: "" }, 400],
    ["a delay without unit", { destroy_delay_value: 1 }, 400],
    ["a unit without delay", { delete_delay_unit: "days" }, 400],
    ["a delay of nothing", { delete_delay_value: 0, delete_delay_unit: "days" }, 400],
    ["an unknown unit", { delete_delay_value: 1, delete_delay_unit: "years" }, 400],
    ["a delay with its unit", { delete_delay_value: 1, delete_delay_unit: "seconds" }, 202],
    ["text for yes", { delete_workspace: "yes" }, 400],
    ["no pipeline", { pipeline_id: undefined }, 400],
  ])("answer an ephemeral configuration with %s", async (_, over, status) => {
    const json = { pipeline_id: "p", provisioner: "iac_tool_1", ...over };
    expect((await world.call("PUT", at("ephemeral-config"), { json })).status).toBe(status);
  });

  it("of another account or project are never visible, whatever their names", async () => {
    await put(association());
    const drift = { pipeline_id: "p", provisioner: "iac_tool_1", run_every: 1, run_every_unit: "days" };
    await world.call("PUT", at("drift-config"), { json: drift });
    const foreign = { key: await world.token({ purpose: "api", account: "acc-2" }), account: "acc-2" };
    expect((await world.call("GET", at("default-pipelines"), foreign)).body).toEqual([]);
    const path = at("drift-config?provisioner=iac_tool_1");
    expect((await world.call("GET", path, foreign)).body.enabled).toBe(false);
    await world.call("DELETE", path, foreign);
    expect((await world.call("GET", path)).body.enabled).toBe(true);
    const elsewhere = at("default-pipelines", "elsewhere");
    expect((await world.call("GET", elsewhere)).body).toEqual([]);
  });
});
