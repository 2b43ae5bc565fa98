import { afterAll, describe, expect, it } from "vitest";
import { usualEngines } from "../world/engines.ts";
import { ACCOUNT, openPlatform, START_MS } from "./platform-world.ts";
import { createStage, EXECUTIONS, STAGE } from "./stories.ts";

describe.each(usualEngines())("executions on $name", async (engine) => {
  const world = await openPlatform(engine);
  afterAll(() => world.close());

  it("are created with status none, under every prefix and both account headers", async () => {
    const created = await createStage(world);
    const expected = {
      account: ACCOUNT,
      org: "acme",
      project: "payments",
      pipeline: "deploy",
      pipeline_execution_id: "run-1",
      pipeline_stage_id: "stage-1",
      workspace: "prod-network",
      status: "none",
      created: START_MS,
    };
    expect(created).toMatchObject({ status: 200, body: expected });
    expect(created.body).toEqual(expected);
    world.clock.ms += 5;
    expect((await createStage(world)).body).toEqual(expected); // sent again
    for (const prefix of ["", "/iacm", "/gateway/iacm"]) {
      expect((await world.call("GET", prefix + STAGE)).body).toEqual(expected);
      const live = { account: null, headers: { "harness-account": ACCOUNT } };
      expect((await world.call("GET", prefix + STAGE, live)).status).toBe(200);
    }
  });

  it("list newest first, by page, with totals in headers and a bare array", async () => {
    const project = "/api/orgs/acme/projects/listing";
    for (let index = 0; index < 7; index++) {
      world.clock.ms = START_MS + 1000 * index;
      await createStage(
        world,
        { pipeline_execution_id: `run-${index}`, workspace: `ws-${index % 2}` },
        project,
      );
    }
    const page = await world.call("GET", `${project}/executions?limit=3&page=2`);
    expect(page.body.map((row: { pipeline_execution_id: string }) => row.pipeline_execution_id)).toEqual([
      "run-3",
      "run-2",
      "run-1",
    ]);
    const totals = (headers: Headers) =>
      ["x-page-size", "x-total-items", "x-total-pages"].map((name) => headers.get(name));
    expect(totals(page.headers)).toEqual(["3", "7", "3"]);
    const beyond = await world.call("GET", `${project}/executions?page=9007199254740991&limit=100`);
    expect(beyond.body).toEqual([]);
    expect(totals(beyond.headers)).toEqual(["100", "7", "1"]);
    expect(totals((await world.call("GET", `${project}/executions`)).headers)).toEqual(["30", "7", "1"]);
  });

  it.each([
    ["workspace=ws-1", 3],
    ["pipeline_execution_id=run-4", 1],
    ["pipeline_name=deploy", 7],
    ["pipeline_name=other", 0],
    ["pipeline=deploy", 7],
    ["pipeline_identifier=deploy&workspace=ws-1", 3],
    ["pipeline=other", 0],
    ["pipeline=deploy&pipeline_name=other", 0],
    ["pipeline_execution_id=deploy", 7],
    ["pipeline_execution_id=deploy&workspace=ws-1", 3],
    ["pipeline_execution_id=deploy&pipeline=other", 0],
    ["pipeline_execution_id=other", 0],
    [`start_time=${START_MS + 1000}&end_time=${START_MS + 3000}`, 3],
    ["status=none", 7],
    ["status=success&status=failure", 0],
    ["status=success&status=none", 7],
    ["workspace=ws-0&pipeline_execution_id=run-1", 0],
    ["start_time=9007199254740991", 0],
  ])("filter by %s", async (query, count) => {
    const { body } = await world.call("GET", `/api/orgs/acme/projects/listing/executions?${query}`);
    expect(body).toHaveLength(count);
  });

  it("take literal path segments before parameters", async () => {
    await createStage(world, { pipeline_stage_id: "cost-changes" });
    const answer = await world.call("GET", `${EXECUTIONS}/run-1/cost-changes`);
    expect(answer).toMatchObject({ status: 404, body: { message: "there is no cost estimate" } });
  });
});
