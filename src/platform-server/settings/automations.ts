import type { z } from "zod";
import { DAY_MS, HOUR_MS } from "../../kernel/clock.ts";
import { type DriftConfig, DriftConfigToWrite } from "../../platform/contract/drift-config.ts";
import { type EphemeralConfig, EphemeralConfigToWrite } from "../../platform/contract/ephemeral-config.ts";
import type { settings } from "../../platform/contract/settings.ts";
import type { Unit } from "../../platform/contract/shapes/settings-shapes.ts";
import type { Area } from "../area/area.ts";
import type { Context } from "../area/deps.ts";
import { addAccount } from "../area/keys.ts";
import { acceptAutomation, findAutomation } from "./store/automations.ts";
import type { AutomationKey, SettingsTables } from "./store/tables.ts";
import type { DriftTrigger, EphemeralSchedule } from "./store/workspace-schedules.ts";

/**
 * Handlers for automations in every workspace: drift detection, and automatic destruction of infrastructure
 * (provisioning 4.1).
 */
export const automationHandlers: Area<
  Pick<
    typeof settings,
    | "getDriftConfig"
    | "putDriftConfig"
    | "deleteDriftConfig"
    | "getEphemeralConfig"
    | "putEphemeralConfig"
    | "deleteEphemeralConfig"
  >,
  SettingsTables
> = {
  getDriftConfig: async ({ params, query: { provisioner } }, context) => {
    const config = await findAutomation(
      context.db,
      addAccount(context, { ...params, kind: "drift", provisioner }),
    );
    return { body: config === null ? { enabled: false, provisioner } : toWireDrift(config) };
  },

  putDriftConfig: ({ params, body }, context) => {
    const key = addAccount(context, { ...params, kind: "drift", provisioner: body.provisioner });
    return accept(context, key, { config: body, status: "drift triggers of every workspace are being set" });
  },

  deleteDriftConfig: ({ params, query }, context) => {
    const key = addAccount(context, { ...params, kind: "drift", ...query });
    return accept(context, key, {
      config: null,
      status: "drift triggers of every workspace are being removed",
    });
  },

  getEphemeralConfig: async ({ params, query: { provisioner } }, context) => {
    const config = await findAutomation(
      context.db,
      addAccount(context, { ...params, kind: "ephemeral", provisioner }),
    );
    return { body: config === null ? { enabled: false, provisioner } : toWireEphemeral(config) };
  },

  putEphemeralConfig: ({ params, body }, context) => {
    const key = addAccount(context, { ...params, kind: "ephemeral", provisioner: body.provisioner });
    return accept(context, key, {
      config: body,
      status: "destroy and delete schedules of every workspace are being set",
    });
  },

  deleteEphemeralConfig: ({ params, query }, context) => {
    const key = addAccount(context, { ...params, kind: "ephemeral", ...query });
    return accept(context, key, {
      config: null,
      status: "destroy and delete schedules of every workspace are being removed",
    });
  },
};

/** Keeps what was asked with its job first: a job that the queue never heard of is asked for again at the next start. */
async function accept(
  context: Context<SettingsTables>,
  key: AutomationKey,
  { config, status }: { readonly config: object | null; readonly status: string },
) {
  const jobId = await acceptAutomation(context.db, key, {
    config: config === null ? null : JSON.stringify(config),
    requested_ms: context.clock.now(),
  });
  await context.enqueue({ kind: "settings", account: key.account, jobId });
  return { body: { job_id: jobId, status } };
}

function toWireDrift(config: string): z.input<typeof DriftConfig> {
  return { ...DriftConfigToWrite.parse(JSON.parse(config)), enabled: true, executed: false };
}

function toWireEphemeral(config: string): z.input<typeof EphemeralConfig> {
  const { destroy_delay_value, destroy_delay_unit, ttl_value, ttl_unit, ...rest } =
    EphemeralConfigToWrite.parse(JSON.parse(config));
  return {
    ...rest,
    enabled: true,
    executed: false,
    ttl_value: destroy_delay_value ?? ttl_value,
    ttl_unit: destroy_delay_unit ?? ttl_unit,
    delete_workspace: rest.delete_workspace ?? false,
  };
}

const UNIT_MS: Readonly<Record<Unit, number>> = {
  seconds: 1_000,
  minutes: 60_000,
  hours: HOUR_MS,
  days: DAY_MS,
};

/** Returns the drift trigger of each workspace for a drift configuration. */
export const createDriftTrigger = ({
  pipeline_id,
  run_every,
  run_every_unit,
}: DriftConfigToWrite): DriftTrigger => ({
  pipeline: pipeline_id,
  everyMs: run_every * UNIT_MS[run_every_unit],
});

/**
 * Returns the schedule of each workspace for an ephemeral configuration. Delays count from `requestedMs`, so
 * that a late or repeated job writes the same; of a delay and a day the earlier one counts. A workspace's
 * records are deleted only after its infrastructure.
 */
export function createEphemeralSchedule(
  config: EphemeralConfigToWrite,
  requestedMs: number,
): EphemeralSchedule {
  const destroyAtMs = getEarlier(
    addTime(
      requestedMs,
      config.destroy_delay_value ?? config.ttl_value,
      config.destroy_delay_unit ?? config.ttl_unit,
    ),
    parseMidnight(config.destroy_on_date),
  );
  const deletes = config.delete_workspace === true && destroyAtMs !== null;
  const configuredDeleteAtMs = getEarlier(
    addTime(destroyAtMs, config.delete_delay_value, config.delete_delay_unit),
    parseMidnight(config.delete_on_date),
  );
  return {
    pipeline: config.pipeline_id,
    destroyAtMs,
    deleteAtMs: deletes ? Math.max(configuredDeleteAtMs ?? destroyAtMs, destroyAtMs) : null,
  };
}

function addTime(fromMs: number | null, value: number | undefined, unit: Unit | undefined): number | null {
  if (fromMs === null || value === undefined || unit === undefined) return null;
  return fromMs + value * UNIT_MS[unit];
}

const parseMidnight = (day: string | undefined): number | null =>
  day === undefined ? null : Date.parse(day);

const getEarlier = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);
