import type { PlatformClient } from "../../../platform/client.ts";
import { getDriftConfig } from "../../../platform/contract/drift-config.ts";
import { getEphemeralConfig } from "../../../platform/contract/ephemeral-config.ts";
import { PROVISIONERS } from "../../../platform/contract/shapes/settings-shapes.ts";
import type { PlatformResult } from "../../../platform/errors.ts";
import type { Schedule } from "../../../report/model/context.ts";
import type { Fact, UnknownReason } from "../../../report/model/facts.ts";
import { toUnknownReason, unknown } from "../platform/platform-facts.ts";

interface ProjectRef {
  readonly org: string;
  readonly project: string;
}

/**
 * Reads which provisioners of these projects have a schedule. Executions do not state their provisioner, so
 * all known ones are read. Absent: there is no schedule.
 */
export async function readSchedules(
  platform: PlatformClient,
  projects: readonly ProjectRef[],
): Promise<Fact<readonly Schedule[]>> {
  const read = await Promise.all(
    projects.flatMap((project) =>
      PROVISIONERS.map((provisioner) => readSchedule(platform, project, provisioner)),
    ),
  );
  const failed = read.find((one) => typeof one === "string");
  if (failed !== undefined) return unknown(failed);
  const schedules = read.filter((one) => typeof one === "object" && one !== null);
  return schedules.length === 0 ? { state: "absent" } : { state: "known", value: schedules };
}

/** Reads the schedule of one provisioner. Null: there is none; a text: the reason why it is unknown. */
async function readSchedule(
  platform: PlatformClient,
  project: ProjectRef,
  provisioner: (typeof PROVISIONERS)[number],
): Promise<Schedule | UnknownReason | null> {
  const input = { params: { ...project }, query: { provisioner } };
  const [drift, ephemeral] = await Promise.all([
    platform.call(getDriftConfig, input).then(selectEnabled),
    platform.call(getEphemeralConfig, input).then(selectEnabled),
  ]);
  if (typeof drift === "string") return drift;
  if (typeof ephemeral === "string") return ephemeral;
  if (drift === null && ephemeral === null) return null;
  const driftEveryMs = drift === null ? null : toMs(drift.run_every, drift.run_every_unit);
  const ms = ephemeral === null ? null : toMs(ephemeral.ttl_value, ephemeral.ttl_unit);
  const onDate = ephemeral?.destroy_on_date ?? null;
  const lifetime = ms === null && onDate === null ? null : { ms, onDate };
  return { ...project, provisioner, driftEveryMs, lifetime };
}

/** Returns a configuration that the platform acts on; null: there is none; a text: the reason why it is unknown. */
function selectEnabled<T extends { readonly enabled: boolean; readonly executed?: boolean | undefined }>(
  answer: PlatformResult<T>,
): T | UnknownReason | null {
  if (answer.ok) return answer.value.enabled && answer.value.executed !== false ? answer.value : null;
  return answer.failure.kind === "not_found" ? null : toUnknownReason(answer.failure);
}

const UNIT_MS: Readonly<Record<string, number>> = {
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
};

function toMs(value: number | undefined, unit: string | undefined): number | null {
  const each = unit === undefined ? undefined : UNIT_MS[unit];
  return value === undefined || each === undefined ? null : value * each;
}
