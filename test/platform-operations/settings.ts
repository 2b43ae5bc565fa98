import { expect } from "vitest";
import {
  getDriftConfig,
  getEphemeralConfig,
  listDefaultPipelines,
  putDefaultPipeline,
  putDriftConfig,
  putEphemeralConfig,
  type settings,
} from "../../src/platform/contract/settings.ts";
import { setPushDisabled } from "../../src/platform-server/settings/push-disabled.ts";
import type { Limit, OperationCases, Stage } from "./case.ts";

const PROJECT = { org: "acme", project: "payments" };
const TOOL = { provisioner: "iac_tool_1" } as const;
const KEY = { operation: "plan", ...TOOL, workspace: "prod" } as const;
const PIPELINE = { ...KEY, pipeline: "testpipeline", updated: 1_636_669_297_674 };
const DRIFT = { ...TOOL, pipeline_id: "drifting", run_every: 6, run_every_unit: "hours" } as const;
const EPHEMERAL = {
  ...TOOL,
  pipeline_id: "destroying",
  destroy_delay_value: 3,
  destroy_delay_unit: "days",
  destroy_on_date: "2028-02-29",
  delete_delay_value: 2,
  delete_delay_unit: "hours",
  delete_on_date: "2028-03-01",
  delete_workspace: true,
} as const;

const withPipeline = (stage: Stage) => stage.call(putDefaultPipeline, { params: PROJECT, body: PIPELINE });
const withDrift = (stage: Stage) => stage.call(putDriftConfig, { params: PROJECT, body: DRIFT });
const withEphemeral = (stage: Stage) => stage.call(putEphemeralConfig, { params: PROJECT, body: EPHEMERAL });

const NEVER = {
  404: { never: "a project that nobody wrote to is like an empty one" },
  409: { never: "the newest of two writes counts" },
  423: { never: "only uploads can be forbidden" },
} as const;
const value = (at: string): Limit => ({ at, good: [1, 1_000_000], bad: [0.5] });
const unit = (at: string): Limit => ({ at, good: ["hours", "days", "minutes", "seconds"] });
const day = (at: string): Limit => ({
  at,
  good: ["2026-01-31", "2028-02-29"],
  bad: ["2026-02-30", "2026-02-29", "2026-1-1", "2026-01-01T00:00:00Z", ""],
});
const pipeline = (at: string): Limit => ({ at, good: ["p", "p".repeat(128)] });
const jobOf = (stage: Stage, jobId: number) =>
  stage.jobs.find((job) => job.kind === "settings" && job.account === stage.account && job.jobId === jobId);

/** Settings of a project (provisioning 4.1). */
export const settingsCases: OperationCases<typeof settings> = {
  listDefaultPipelines: {
    arrange: withPipeline,
    input: { params: PROJECT, query: { workspace: "prod" } },
    expect: (found, { account }) => expect(found).toEqual([{ account, ...PROJECT, ...PIPELINE }]),
    errors: NEVER,
  },

  putDefaultPipeline: {
    input: { params: PROJECT, body: PIPELINE },
    expect: async (_, stage) =>
      expect(await stage.call(listDefaultPipelines, { params: PROJECT })).toMatchObject([PIPELINE]),
    errors: NEVER,
    limits: [pipeline("body.pipeline")],
  },

  deleteDefaultPipeline: {
    arrange: withPipeline,
    input: { params: PROJECT, body: KEY },
    expect: async (_, stage) =>
      expect(await stage.call(listDefaultPipelines, { params: PROJECT })).toEqual([]),
    errors: NEVER,
  },

  getPushDisabled: {
    arrange: (stage) => setPushDisabled(stage.db, stage.account, [PROJECT]),
    input: { params: PROJECT },
    expect: (found) => expect(found).toEqual({ disabled: true }),
    errors: NEVER,
  },

  getDriftConfig: {
    arrange: withDrift,
    input: { params: PROJECT, query: TOOL },
    expect: (found) => expect(found).toEqual({ enabled: true, executed: false, ...DRIFT }),
    errors: NEVER,
  },

  putDriftConfig: {
    input: { params: PROJECT, body: DRIFT },
    expect: async ({ job_id, status }, stage) => {
      expect(status).toContain("drift");
      expect(jobOf(stage, job_id)).toBeDefined();
      const found = await stage.call(getDriftConfig, { params: PROJECT, query: TOOL });
      expect(found).toEqual({ enabled: true, executed: false, ...DRIFT });
    },
    errors: NEVER,
    limits: [pipeline("body.pipeline_id"), value("body.run_every"), unit("body.run_every_unit")],
  },

  deleteDriftConfig: {
    arrange: withDrift,
    input: { params: PROJECT, query: TOOL },
    expect: async ({ job_id }, stage) => {
      expect(jobOf(stage, job_id)).toBeDefined();
      const found = await stage.call(getDriftConfig, { params: PROJECT, query: TOOL });
      expect(found).toEqual({ enabled: false, ...TOOL });
    },
    errors: NEVER,
  },

  getEphemeralConfig: {
    arrange: withEphemeral,
    input: { params: PROJECT, query: TOOL },
    expect: (found) => {
      const { destroy_delay_value: ttl_value, destroy_delay_unit: ttl_unit, ...rest } = EPHEMERAL;
      expect(found).toEqual({ enabled: true, executed: false, ...rest, ttl_value, ttl_unit });
    },
    errors: NEVER,
  },

  putEphemeralConfig: {
    input: { params: PROJECT, body: EPHEMERAL },
    expect: async ({ job_id, status }, stage) => {
      expect(status).toContain("schedules");
      expect(jobOf(stage, job_id)).toBeDefined();
      const found = await stage.call(getEphemeralConfig, { params: PROJECT, query: TOOL });
      expect(found.enabled).toBe(true);
    },
    errors: NEVER,
    limits: [
      pipeline("body.pipeline_id"),
      value("body.destroy_delay_value"),
      value("body.delete_delay_value"),
      unit("body.destroy_delay_unit"),
      unit("body.delete_delay_unit"),
      day("body.destroy_on_date"),
      day("body.delete_on_date"),
      { at: "body.delete_workspace", good: [true, false] },
    ],
  },

  deleteEphemeralConfig: {
    arrange: withEphemeral,
    input: { params: PROJECT, query: TOOL },
    expect: async ({ job_id }, stage) => {
      expect(jobOf(stage, job_id)).toBeDefined();
      const found = await stage.call(getEphemeralConfig, { params: PROJECT, query: TOOL });
      expect(found).toEqual({ enabled: false, ...TOOL });
    },
    errors: NEVER,
  },
};
