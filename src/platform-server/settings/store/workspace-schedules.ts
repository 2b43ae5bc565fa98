import { type Kysely, sql } from "kysely";
import { toProjectKey } from "../../../store/tables/project-key.ts";
import type { AutomationKey, AutomationKind, SettingsTables } from "./tables.ts";

/** The drift detection trigger of a workspace. */
export interface DriftTrigger {
  readonly pipeline: string;
  readonly everyMs: number;
}

/** The times of a workspace's destruction, ms since 1970; null: never. */
export interface EphemeralSchedule {
  readonly pipeline: string;
  readonly destroyAtMs: number | null;
  readonly deleteAtMs: number | null;
}

/** The workspaces of a project that get a trigger or a schedule. */
export interface ScheduledWorkspaces extends AutomationKey {
  /** Only this one, unless it has a trigger or a schedule; absent: all, instead of what they have. */
  readonly workspace?: string;
}

/** Sets this trigger of workspaces with recorded executions; returns their number. */
export async function writeDriftTriggers(
  trx: Kysely<SettingsTables>,
  place: ScheduledWorkspaces,
  { pipeline, everyMs }: DriftTrigger,
): Promise<number> {
  if (place.workspace === undefined) await clearSchedules(trx, place);
  const { numAffectedRows = 0n } = await sql`
    insert into platform_drift_triggers (account, org, project, provisioner, workspace, pipeline, every_ms)
    select distinct account, org, project, ${place.provisioner}::text, workspace, ${pipeline}::text, ${everyMs}::bigint
    ${selectWorkspaces(place)} on conflict do nothing`.execute(trx);
  return Number(numAffectedRows);
}

/** Sets schedules, like `writeDriftTriggers`. */
export async function writeEphemeralSchedules(
  trx: Kysely<SettingsTables>,
  place: ScheduledWorkspaces,
  { pipeline, destroyAtMs, deleteAtMs }: EphemeralSchedule,
): Promise<number> {
  if (place.workspace === undefined) await clearSchedules(trx, place);
  const { numAffectedRows = 0n } = await sql`
    insert into platform_ephemeral_schedules
      (account, org, project, provisioner, workspace, pipeline, destroy_at_ms, delete_at_ms)
    select distinct account, org, project, ${place.provisioner}::text, workspace, ${pipeline}::text,
      ${destroyAtMs}::bigint, ${deleteAtMs}::bigint
    ${selectWorkspaces(place)} on conflict do nothing`.execute(trx);
  return Number(numAffectedRows);
}

const TABLES = {
  drift: "platform_drift_triggers",
  ephemeral: "platform_ephemeral_schedules",
} as const satisfies Record<AutomationKind, keyof SettingsTables>;

/** Takes the triggers or schedules of a provisioner away; how many there were. */
export async function clearSchedules(trx: Kysely<SettingsTables>, key: AutomationKey): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom(TABLES[key.kind])
    .where((eb) => eb.and({ ...toProjectKey(key), provisioner: key.provisioner }))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

const selectWorkspaces = ({ account, org, project, workspace }: ScheduledWorkspaces) => sql`
  from platform_executions where account = ${account} and org = ${org} and project = ${project}
    and (${workspace ?? null}::text is null or workspace = ${workspace ?? null})`;
