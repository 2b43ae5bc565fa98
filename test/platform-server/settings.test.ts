import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { usualEngines } from "../world/engines.ts";
import { ACCOUNT, openPlatform } from "./platform-world.ts";

const association = (over: object = {}) => ({
  operation: "plan",
  provisioner: "iac_tool_2",
  pipeline: "testpipeline",
  updated: 1_636_669_297_674,
  ...over,
});

describe.each(usualEngines())("settings of a project on $name", async (engine) => {
  /** A project for each story. */
  let number = 0;
  const at = (path: string, project = `project-${number}`) =>
    `/api/orgs/acme/projects/${project}/settings/${path}`;
  const pipelines = async (query = "") => (await world.call("GET", at(`default-pipelines${query}`))).body;
  const put = (json: object) => world.call("PUT", at("default-pipelines"), { json });

  const world = await openPlatform(engine);
  beforeEach(() => {
    number++;
  });
  afterAll(() => world.close());

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

  const ttl = (value: number) => ({ ttl_value: value, ttl_unit: "days" });
  it.each([
    ["a delay without unit", { destroy_delay_value: 1 }, 400],
    ["a unit without delay", { delete_delay_unit: "days" }, 400],
    ["a delay with its unit", { delete_delay_value: 1, delete_delay_unit: "seconds" }, 202],
    ["a lifetime without unit", { ttl_value: 1 }, 400],
    ["a lifetime and the same delay", { ...ttl(1), destroy_delay_value: 1, destroy_delay_unit: "days" }, 202],
    ["a lifetime and another delay", { ...ttl(1), destroy_delay_value: 2, destroy_delay_unit: "days" }, 400],
    ["a lifetime and a delay of half", { ...ttl(1), destroy_delay_value: 1 }, 400],
    ["enabled as it is", { enabled: true }, 202],
    ["enabled to be disabled", { enabled: false }, 400],
  ])("answer an ephemeral configuration with %s", async (_, over, status) => {
    const json = { pipeline_id: "p", provisioner: "iac_tool_1", ...over };
    expect((await world.call("PUT", at("ephemeral-config"), { json })).status).toBe(status);
  });

  it.each([
    ["drift-config", { run_every: 6, run_every_unit: "hours" }],
    ["ephemeral-config", { ...ttl(2), delete_workspace: true, delete_on_date: "2026-05-01" }],
  ])("accept %s as it was read, and keep all of it", async (path, config) => {
    const json = { pipeline_id: "p", provisioner: "iac_tool_1", ...config };
    expect((await world.call("PUT", at(path), { json })).status).toBe(202);
    const read = () => world.call("GET", at(`${path}?provisioner=iac_tool_1`));
    const { body } = await read();
    expect(body).toMatchObject(json);
    expect((await world.call("PUT", at(path), { json: body })).status).toBe(202);
    expect((await read()).body).toEqual(body);
  });

  it("refuse a drift configuration that is to be disabled by setting it", async () => {
    const json = { pipeline_id: "p", provisioner: "iac_tool_1", run_every: 6, run_every_unit: "hours" };
    const answer = await world.call("PUT", at("drift-config"), { json: { ...json, enabled: false } });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining("delete") } });
  });
});
