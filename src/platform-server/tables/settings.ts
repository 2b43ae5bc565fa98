import type { Selectable } from "kysely";
import { bigint, boolean, defineTable, identity, text } from "../../store/tables/define-table.ts";
import { projectColumns, toProjectKey } from "../../store/tables/project-key.ts";

/** An automation in every workspace of a project. */
const automationColumns = { ...projectColumns, kind: text<"drift" | "ephemeral">(), provisioner: text() };
export type AutomationKey = Readonly<Selectable<typeof automationColumns>>;

/** Returns the key without other members of the object. */
export const pickAutomationKey = (key: AutomationKey): AutomationKey => ({
  ...toProjectKey(key),
  kind: key.kind,
  provisioner: key.provisioner,
});

const workspaceColumns = { ...projectColumns, provisioner: text(), workspace: text() };

export const settingsTables = {
  platform_settings: defineTable({
    columns: {
      ...projectColumns,
      /** True: plan and state data may not be pushed. */
      disabled: boolean(),
    },
    primaryKey: ["account", "org", "project"],
  }),
  platform_default_pipelines: defineTable({
    columns: {
      ...projectColumns,
      provisioner: text(),
      operation: text(),
      /** Empty: every workspace of the project. */
      workspace: text(),
      pipeline: text(),
      /** As stated by the caller, ms since 1970. */
      updated_ms: bigint(),
    },
    primaryKey: ["account", "org", "project", "provisioner", "operation", "workspace"],
  }),
  /** The last accepted configuration of one kind and provisioner. */
  platform_automations: defineTable({
    columns: {
      ...automationColumns,
      /** JSON text as sent; null: disabled. */
      config: text().nullable(),
      /** The job that applies it; earlier jobs are superseded. */
      job_id: bigint(),
    },
    primaryKey: ["account", "org", "project", "kind", "provisioner"],
  }),
  platform_settings_jobs: defineTable({
    columns: {
      ...automationColumns,
      job_id: identity(),
      requested_ms: bigint(),
      /** `superseded`: a newer configuration was accepted before the job was performed. */
      state: text<"queued" | "done" | "superseded">(),
      /** Number of workspaces that it wrote or cleared; null until done. */
      workspaces: bigint().nullable(),
      finished_ms: bigint().nullable(),
    },
    primaryKey: ["account", "job_id"],
    indexes: { queued: "(job_id) where state = 'queued'" },
  }),
  platform_drift_triggers: defineTable({
    columns: { ...workspaceColumns, pipeline: text(), every_ms: bigint() },
    primaryKey: ["account", "org", "project", "provisioner", "workspace"],
  }),
  platform_ephemeral_schedules: defineTable({
    columns: {
      ...workspaceColumns,
      pipeline: text(),
      /** Time of destruction, ms since 1970; null: no automatic destruction. */
      destroy_at_ms: bigint().nullable(),
      /** Time of deletion of the workspace's records, ms since 1970; null: they are not deleted. */
      delete_at_ms: bigint().nullable(),
    },
    primaryKey: ["account", "org", "project", "provisioner", "workspace"],
  }),
};
