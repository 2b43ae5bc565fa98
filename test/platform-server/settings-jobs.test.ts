import { pino } from "pino";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { PlatformJob } from "../../src/platform-server/area/area.ts";
import { listUnfinishedJobs, runPlatformJob } from "../../src/platform-server/run-platform-job.ts";
import { openBoss } from "../../src/queue/open.ts";
import { createQueue } from "../../src/queue/queue.ts";
import { workPlatformJobs } from "../../src/wiring/platform/embedded.ts";
import { usualEngines } from "../world/engines.ts";
import { eventually } from "../world/eventually.ts";
import { ACCOUNT, DAY_MS, openPlatform, START_MS } from "./platform-world.ts";

const HOUR_MS = 3_600_000;
const drift = (over: object = {}) => ({
  pipeline_id: "drifting",
  provisioner: "iac_tool_1",
  run_every: 6,
  run_every_unit: "hours",
  ...over,
});
const ephemeral = (over: object = {}) => ({ pipeline_id: "destroying", provisioner: "iac_tool_1", ...over });

describe.each(usualEngines())("jobs of settings on $name", async (engine) => {
  /** A project for each story. */
  let number = 0;
  let project = "";
  const noWebhooks = async () => expect.unreachable("no webhook is delivered here");
  const run = (job: PlatformJob) =>
    runPlatformJob({ db: world.store.db, clock: world.clock, deliverWebhook: noWebhooks }, job);
  const send = async (method: string, path: string, json?: object) => {
    const answer = await world.call(method, `${project}/settings/${path}`, json ? { json } : {});
    expect(answer.status).toBe(202);
    const job = world.jobs.at(-1);
    if (job === undefined) return expect.unreachable("a job was queued");
    expect(job).toMatchObject({ jobId: answer.body.job_id });
    return job;
  };
  const recordRun = async (workspace: string, at = project) => {
    const json = {
      pipeline: "p",
      pipeline_execution_id: `run-${workspace}`,
      pipeline_stage_id: "s",
      workspace,
    };
    expect((await world.call("POST", `${at}/executions`, { json })).status).toBe(200);
  };
  const name = () => project.split("/").at(-1) ?? "";
  const triggers = async () => {
    const rows = world.store.db.selectFrom("platform_drift_triggers").where("project", "=", name());
    return (await rows.selectAll().orderBy("workspace").execute()).map(
      ({ workspace, provisioner, pipeline, every_ms }) => ({ workspace, provisioner, pipeline, every_ms }),
    );
  };
  const schedules = async () => {
    const rows = world.store.db.selectFrom("platform_ephemeral_schedules").where("project", "=", name());
    return (await rows.selectAll().orderBy("workspace").execute()).map(
      ({ workspace, pipeline, destroy_at_ms, delete_at_ms }) => ({
        workspace,
        pipeline,
        destroy_at_ms,
        delete_at_ms,
      }),
    );
  };
  const outcome = async (job: PlatformJob) =>
    world.store.db
      .selectFrom("platform_settings_jobs")
      .select(["state", "workspaces", "finished_ms"])
      .where("job_id", "=", "jobId" in job ? job.jobId : -1)
      .executeTakeFirst();

  const world = await openPlatform(engine);
  beforeEach(() => {
    project = `/api/orgs/acme/projects/project-${++number}`;
    world.clock.ms = START_MS;
    world.jobs.length = 0;
  });
  afterAll(() => world.close());

  const delay = (value: number, unit: string) => ({ destroy_delay_value: value, destroy_delay_unit: unit });

  it("give every workspace of the project its drift trigger, and say how many", async () => {
    for (const workspace of ["prod", "staging"]) await recordRun(workspace);
    await recordRun("foreign", "/api/orgs/acme/projects/elsewhere");
    const job = await send("PUT", "drift-config", drift());
    expect(await triggers()).toEqual([]);
    expect(await outcome(job)).toEqual({ state: "queued", workspaces: null, finished_ms: null });
    world.clock.ms += 5;
    await run(job);
    const each = { provisioner: "iac_tool_1", pipeline: "drifting", every_ms: 6 * HOUR_MS };
    expect(await triggers()).toEqual([
      { workspace: "prod", ...each },
      { workspace: "staging", ...each },
    ]);
    expect(await outcome(job)).toEqual({ state: "done", workspaces: 2, finished_ms: START_MS + 5 });
  });

  it("change nothing when they run again, although there is a workspace more by then", async () => {
    await recordRun("prod");
    const job = await send("PUT", "drift-config", drift());
    await run(job);
    await recordRun("later");
    world.clock.ms += 5;
    await run(job);
    expect(await outcome(job)).toMatchObject({ workspaces: 1, finished_ms: START_MS });
    expect((await triggers()).map(({ workspace }) => workspace)).toEqual(["later", "prod"]);
  });

  it("leave later workspaces to the record of their first execution, which gives them trigger and schedule", async () => {
    await run(await send("PUT", "drift-config", drift()));
    await run(await send("PUT", "ephemeral-config", ephemeral(delay(2, "hours"))));
    world.clock.ms += DAY_MS;
    await recordRun("later");
    await recordRun("elsewhere", "/api/orgs/acme/projects/elsewhere");
    expect(await triggers()).toMatchObject([{ workspace: "later", every_ms: 6 * HOUR_MS }]);
    const own = [{ workspace: "later", destroy_at_ms: START_MS + DAY_MS + 2 * HOUR_MS }];
    expect(await schedules()).toMatchObject(own);
    world.clock.ms += DAY_MS;
    await recordRun("later");
    expect(await schedules()).toMatchObject(own);
    await run(await send("DELETE", "drift-config?provisioner=iac_tool_1"));
    await recordRun("last");
    expect(await triggers()).toEqual([]);
  });

  it("take the triggers of one provisioner away again", async () => {
    await recordRun("prod");
    for (const provisioner of ["iac_tool_1", "iac_tool_2"])
      await run(await send("PUT", "drift-config", drift({ provisioner })));
    const removal = await send("DELETE", "drift-config?provisioner=iac_tool_1");
    await run(removal);
    expect(await triggers()).toMatchObject([{ provisioner: "iac_tool_2" }]);
    expect(await outcome(removal)).toMatchObject({ state: "done", workspaces: 1 });
    const again = await send("DELETE", "drift-config?provisioner=iac_tool_1");
    await run(again);
    expect(await outcome(again)).toMatchObject({ state: "done", workspaces: 0 });
  });

  const DAY = Date.UTC(2026, 2, 4);
  const onDay = { destroy_on_date: "2026-03-04" };
  const dayLater = { delete_delay_value: 1, delete_delay_unit: "days" };
  const gone = { delete_workspace: true };

  it.each<[by: string, config: object, destroy: number | null, remove: number | null]>([
    ["nothing but a pipeline", {}, null, null],
    ["a delay", delay(2, "days"), START_MS + 2 * DAY_MS, null],
    ["minutes", delay(90, "minutes"), START_MS + 5_400_000, null],
    ["seconds", delay(1, "seconds"), START_MS + 1_000, null],
    ["a day", onDay, DAY, null],
    ["a delay and a later day", { ...delay(5, "hours"), ...onDay }, START_MS + 5 * HOUR_MS, null],
    ["a delay and an earlier day", { ...delay(500, "days"), ...onDay }, DAY, null],
    ["records that go with it", { ...onDay, ...gone }, DAY, DAY],
    ["records that go a while later", { ...onDay, ...dayLater, ...gone }, DAY, DAY + DAY_MS],
    ["records that would go before it", { ...onDay, delete_on_date: "2026-03-01", ...gone }, DAY, DAY],
    ["records that stay although a day is given", { ...onDay, delete_on_date: "2026-03-05" }, DAY, null],
    ["records that go, but nothing else", { delete_on_date: "2026-03-05", ...gone }, null, null],
  ])("plan the end of every workspace by %s, counted from the request", async (...row) => {
    const [, config, destroy, remove] = row;
    await recordRun("prod");
    const job = await send("PUT", "ephemeral-config", ephemeral(config));
    world.clock.ms += 9 * DAY_MS;
    await run(job);
    expect(await schedules()).toEqual([
      { workspace: "prod", pipeline: "destroying", destroy_at_ms: destroy, delete_at_ms: remove },
    ]);
    await run(await send("DELETE", "ephemeral-config?provisioner=iac_tool_1"));
    expect(await schedules()).toEqual([]);
  });

  it("of an account and project write there alone, although others have the same names", async () => {
    await recordRun("prod");
    const foreign = { key: await world.token({ purpose: "api", account: "acc-2" }), account: "acc-2" };
    const json = { pipeline: "p", pipeline_execution_id: "r", pipeline_stage_id: "s", workspace: "theirs" };
    await world.call("POST", `${project}/executions`, { ...foreign, json });
    const job = await send("PUT", "drift-config", drift());
    await run({ ...job, account: "acc-2" });
    expect(await triggers()).toEqual([]);
    await run(job);
    expect((await triggers()).map(({ workspace }) => workspace)).toEqual(["prod"]);
  });

  it("that a newer configuration has overtaken write nothing and say so", async () => {
    await recordRun("prod");
    const config = ephemeral({ destroy_delay_value: 1, destroy_delay_unit: "hours" });
    const overtaken = await send("PUT", "ephemeral-config", config);
    world.clock.ms += 1_000;
    const newest = await send("PUT", "ephemeral-config", config);
    await run(overtaken);
    expect(await schedules()).toEqual([]);
    expect(await outcome(overtaken)).toMatchObject({ state: "superseded", workspaces: null });
    await run(newest);
    expect(await schedules()).toMatchObject([{ destroy_at_ms: START_MS + 1_000 + HOUR_MS }]);
  });

  it("run on the bot's queue, also after the process ended between keeping and queueing them", async () => {
    await recordRun("prod");
    // Kept, and nobody told the queue: the process ended just then.
    const lost = await send("PUT", "drift-config", drift());
    expect(await listUnfinishedJobs(world.store.db)).toContainEqual(lost);
    const log = pino({ level: "silent" });
    const open = async () => createQueue(await openBoss(world.store, log), world.clock);
    const first = await open();
    const waiting = await send("PUT", "ephemeral-config", ephemeral());
    await first.enqueuePlatformJob(waiting);
    await first.stop();
    const queue = await open();
    const session = {
      store: world.store,
      queue,
      clock: world.clock,
      laneSpacingMs: 2_000,
      findFault: async () => null,
      close: async () => {},
    };
    await workPlatformJobs(session, { deliverWebhook: noWebhooks });
    try {
      await eventually(async () => {
        for (const job of [lost, waiting])
          expect(await outcome(job)).toMatchObject({ state: "done", workspaces: 1 });
        expect(await queue.isIdle()).toBe(true);
      });
      expect(await triggers()).toHaveLength(1);
      expect(await schedules()).toHaveLength(1);
      expect(await listUnfinishedJobs(world.store.db)).toEqual([]);
    } finally {
      await queue.stop();
    }
    expect(lost).toMatchObject({ account: ACCOUNT });
  });
});
