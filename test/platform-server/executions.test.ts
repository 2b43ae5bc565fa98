import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { usualEngines } from "../world/engines.ts";
import { ACCOUNT, openPlatform, type PlatformWorld, START_MS } from "./platform-world.ts";
import { createStage, EXECUTIONS, PROJECT, STAGE } from "./stories.ts";

describe.each(usualEngines())("executions on $name", (engine) => {
  let world: PlatformWorld;
  beforeAll(async () => {
    world = await openPlatform(engine);
  });
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
    for (const prefix of ["", "/iacm", "/gateway/iacm"]) {
      expect((await world.call("GET", prefix + STAGE)).body).toEqual(expected);
      const live = { account: null, headers: { "harness-account": ACCOUNT } };
      expect((await world.call("GET", prefix + STAGE, live)).status).toBe(200);
    }
  });

  it("are the same when sent again, and refused when something else is sent for them", async () => {
    world.clock.ms += 5;
    expect((await createStage(world)).body.created).toBe(START_MS);
    const other = await createStage(world, { workspace: "staging" });
    expect(other).toMatchObject({ status: 409, body: { name: "conflict" } });
    expect((await world.call("GET", STAGE)).body.workspace).toBe("prod-network");
  });

  it("answer an unknown one with 404 in the platform's envelope", async () => {
    const missing = await world.call("GET", `${EXECUTIONS}/run-1/other`);
    expect(missing.status).toBe(404);
    expect(missing.headers.get("content-type")).toBe("application/vnd.goa.error");
    expect(missing.body).toEqual({
      name: "not_found",
      id: expect.stringMatching(/^.{8,}$/),
      message: "there is no such execution stage",
      temporary: false,
      timeout: false,
      fault: false,
    });
  });

  it.each([
    ["a missing member", { json: { pipeline: "p" } }, 400],
    ["a member of the wrong type", { json: { pipeline: 1 } }, 400],
    ["an id of 129 characters", { json: { pipeline: "p".repeat(129) } }, 400],
    ["a body that is not JSON", { bytes: "{", headers: { "content-type": "application/json" } }, 400],
    [
      "a body that is not UTF-8",
      { bytes: new Uint8Array([255]), headers: { "content-type": "application/json" } },
      400,
    ],
    ["no media type that says JSON", { bytes: "{}" }, 415],
    ["a plain text", { bytes: "a=b", headers: { "content-type": "text/plain" } }, 415],
    ["a body beyond the limit", { json: { pipeline: "p".repeat(70_000) } }, 413],
  ])("refuse %s", async (_, call, status) => {
    const answer = await world.call("POST", EXECUTIONS, call);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ fault: false, message: expect.stringMatching(/./) });
  });

  it("refuse a text with U+0000, which no database can store", async () => {
    expect((await createStage(world, { pipeline: "a\u0000b", pipeline_stage_id: "nul" })).status).toBe(400);
    expect((await world.call("GET", `${EXECUTIONS}/run-1/a%00b`)).status).toBe(400);
    expect((await world.call("GET", `${EXECUTIONS}?workspace=%00`)).status).toBe(400);
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

  it.each([
    "limit=0",
    "limit=101",
    "limit=x",
    "page=0",
    "page=-1",
    "status=done",
    "start_time=now",
    "limit=1&limit=2",
  ])("refuse to list with %s", async (query) => {
    expect((await world.call("GET", `${EXECUTIONS}?${query}`)).status).toBe(400);
  });

  it("refuse a filter by another name, which would list all", async () => {
    const words =
      "is not a parameter of this operation (did you mean status?); it takes limit, page, workspace,";
    for (const query of ["status[]=failure", "stauts=failure"])
      expect(await world.call("GET", `${EXECUTIONS}?${query}`)).toMatchObject({
        status: 400,
        body: { name: "bad_request", message: expect.stringContaining(words) },
      });
  });

  it("take literal path segments before parameters", async () => {
    await createStage(world, { pipeline_stage_id: "cost-changes" });
    const answer = await world.call("GET", `${EXECUTIONS}/run-1/cost-changes`);
    expect(answer).toMatchObject({ status: 404, body: { message: "there is no cost estimate" } });
  });

  it("answer what is no operation with 404 in the envelope, whatever the method", async () => {
    for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"])
      expect(await world.call(method, `${PROJECT}/nothing`)).toMatchObject({
        status: 404,
        body: { name: "not_found" },
      });
    expect((await world.call("DELETE", STAGE)).status).toBe(404);
  });

  it("say whether plan and state data may be pushed", async () => {
    expect(await world.call("GET", `${PROJECT}/settings/disabled`)).toMatchObject({
      status: 200,
      body: { disabled: false },
    });
  });
});
