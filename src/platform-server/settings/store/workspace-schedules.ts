import { type Kysely, sql } from "kysely";
import { projectKey } from "../../../store/tables/project-key.ts";
import type { AutomationKey, SettingsTables } from "./tables.ts";

/** What drift detection puts into every workspace. */
export interface DriftTrigger {
  readonly pipeline: string;
  readonly everyMs: number;
}

/** When a workspace goes away, ms since 1970; null: it does not. */
export interface EphemeralSchedule {
  readonly pipeline: string;
  readonly destroyAtMs: number | null;
  readonly deleteAtMs: number | null;
}

type ScheduleKey = Omit<AutomationKey, "kind">;

/** Gives every workspace that executions were recorded for this trigger and no other; how many. */
export async function writeDriftTriggers(
  trx: Kysely<SettingsTables>,
  place: ScheduleKey,
  { pipeline, everyMs }: DriftTrigger,
): Promise<number> {
  await clearDriftTriggers(trx, place);
  const { numAffectedRows = 0n } = await sql`
    insert into platform_drift_triggers (account, org, project, provisioner, workspace, pipeline, every_ms)
    select distinct account, org, project, ${place.provisioner}::text, workspace, ${pipeline}::text, ${everyMs}::bigint
    ${workspacesOf(place)}`.execute(trx);
  return Number(numAffectedRows);
}

/** As `writeDriftTriggers`, for schedules. */
export async function writeEphemeralSchedules(
  trx: Kysely<SettingsTables>,
  place: ScheduleKey,
  { pipeline, destroyAtMs, deleteAtMs }: EphemeralSchedule,
): Promise<number> {
  await clearEphemeralSchedules(trx, place);
  const { numAffectedRows = 0n } = await sql`
    insert into platform_ephemeral_schedules
      (account, org, project, provisioner, workspace, pipeline, destroy_at_ms, delete_at_ms)
    select distinct account, org, project, ${place.provisioner}::text, workspace, ${pipeline}::text,
      ${destroyAtMs}::bigint, ${deleteAtMs}::bigint
    ${workspacesOf(place)}`.execute(trx);
  return Number(numAffectedRows);
}

/** Takes the triggers of a provisioner away; how many there were. */
export async function clearDriftTriggers(trx: Kysely<SettingsTables>, place: ScheduleKey): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom("platform_drift_triggers")
    .where((eb) => eb.and({ ...projectKey(place), provisioner: place.provisioner }))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** As `clearDriftTriggers`, for schedules. */
export async function clearEphemeralSchedules(
  trx: Kysely<SettingsTables>,
  place: ScheduleKey,
): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom("platform_ephemeral_schedules")
    .where((eb) => eb.and({ ...projectKey(place), provisioner: place.provisioner }))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

const workspacesOf = ({ account, org, project }: ScheduleKey) => sql`
  from platform_executions where account = ${account} and org = ${org} and project = ${project}`;
