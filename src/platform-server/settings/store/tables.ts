import type { Generated } from "kysely";
import type { ProjectKey } from "../../../store/tables/project-key.ts";

export interface DefaultPipelinesTable extends ProjectKey {
  provisioner: string;
  operation: string;
  /** Empty: every workspace of the project. */
  workspace: string;
  pipeline: string;
  /** As stated by the caller, ms since 1970. */
  updated_ms: number;
}

/** A kind of automation in every workspace of a project. */
export type AutomationKind = "drift" | "ephemeral";

export interface AutomationKey extends ProjectKey {
  readonly kind: AutomationKind;
  readonly provisioner: string;
}

/** The last accepted configuration of one kind and provisioner. */
export interface AutomationsTable extends AutomationKey {
  /** JSON text as sent; null: disabled. */
  config: string | null;
  /** The job that applies it; earlier jobs are superseded. */
  job_id: number;
}

export interface SettingsJobsTable extends AutomationKey {
  job_id: Generated<number>;
  requested_ms: number;
  /** `superseded`: a newer configuration was accepted before the job was performed. */
  state: "queued" | "done" | "superseded";
  /** Number of workspaces that it wrote or cleared; null until done. */
  workspaces: number | null;
  finished_ms: number | null;
}

interface WorkspaceRow extends ProjectKey {
  provisioner: string;
  workspace: string;
  pipeline: string;
}

export interface DriftTriggersTable extends WorkspaceRow {
  every_ms: number;
}

export interface EphemeralSchedulesTable extends WorkspaceRow {
  /** Time of destruction, ms since 1970; null: no automatic destruction. */
  destroy_at_ms: number | null;
  /** Time of deletion of the workspace's records, ms since 1970; null: they are not deleted. */
  delete_at_ms: number | null;
}

export interface SettingsTables {
  platform_settings: PlatformSettingsTable;
  platform_default_pipelines: DefaultPipelinesTable;
  platform_automations: AutomationsTable;
  platform_settings_jobs: SettingsJobsTable;
  platform_drift_triggers: DriftTriggersTable;
  platform_ephemeral_schedules: EphemeralSchedulesTable;
}

export interface PlatformSettingsTable extends ProjectKey {
  /** True: plan and state data may not be pushed. */
  disabled: boolean;
}
