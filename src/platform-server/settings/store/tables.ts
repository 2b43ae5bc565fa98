import type { Generated } from "kysely";
import type { ProjectKey } from "../../../store/tables/project-key.ts";

export interface DefaultPipelinesTable extends ProjectKey {
  provisioner: string;
  operation: string;
  /** Empty: every workspace of the project. */
  workspace: string;
  pipeline: string;
  /** As the caller said, ms since 1970. */
  updated_ms: number;
}

/** What runs by itself in every workspace of a project. */
export type AutomationKind = "drift" | "ephemeral";

export interface AutomationKey extends ProjectKey {
  readonly kind: AutomationKind;
  readonly provisioner: string;
}

/** The configuration of one kind and provisioner as it was last accepted. */
export interface AutomationsTable extends AutomationKey {
  /** JSON text of what was sent; null: disabled. */
  config: string | null;
  /** The job that carries it out; jobs before it have nothing left to do. */
  job_id: number;
}

export interface SettingsJobsTable extends AutomationKey {
  job_id: Generated<number>;
  requested_ms: number;
  /** `superseded`: a newer configuration came before it ran. */
  state: "queued" | "done" | "superseded";
  /** How many workspaces it wrote or cleared; null until done. */
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
  /** Null: it stays until somebody destroys it. */
  destroy_at_ms: number | null;
  /** Null: the workspace's records stay. */
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
  /** Plan and state data may not be pushed. */
  disabled: boolean;
}
