import type { DriftConfigToWrite } from "../../platform/contract/drift-config.ts";
import type { EphemeralConfigToWrite } from "../../platform/contract/ephemeral-config.ts";
import type { Unit } from "../../platform/contract/shapes/settings-shapes.ts";
import type { DriftTrigger, EphemeralSchedule } from "./store/workspace-schedules.ts";

const UNIT_MS: Readonly<Record<Unit, number>> = {
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
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
