import type { Kysely, Selectable } from "kysely";
import type { z } from "zod";
import type { DailyBreakdown, EntityMember } from "../../platform/contract/anomalies.ts";
import type { Category } from "../../platform/contract/resource-changes.ts";
import {
  bigint,
  boolean,
  defineTable,
  identity,
  integer,
  jsonb,
  numeric,
  type TablesOf,
  text,
} from "../../store/tables/define-table.ts";
import { projectColumns } from "../../store/tables/project-key.ts";
import type { Tables as BotTables } from "../../store/tables/tables.ts";
import { STAGE_KEY, snapshotColumns, stageColumns } from "./keys.ts";
import { recommendationTables } from "./recommendations.ts";
import { settingsTables } from "./settings.ts";
import { unitMetricTables } from "./unit-metrics.ts";
import { webhookTables } from "./webhooks.ts";

interface CostCategory {
  readonly costCategory: string;
  readonly costBucket: string | null;
}

const partColumns = { ...snapshotColumns, category: text<Category>() };

const environmentColumns = { ...projectColumns, environment: text() };

/** An environment of a project, which feature-flag keys belong to. */
export type EnvironmentKey = Readonly<Selectable<typeof environmentColumns>>;

const uploadColumns = {
  account: text(),
  /** Made by the caller. */
  upload: text(),
};

/** The tables of every area; rows are keyed by account id. */
export const platformTables = {
  platform_anomalies: defineTable({
    columns: {
      account: text(),
      id: text(),
      /** Milliseconds since 1970, like every time; null: not known. */
      time_ms: bigint().nullable(),
      end_ms: bigint().nullable(),
      ongoing: boolean(),
      actual_amount: numeric(),
      expected_amount: numeric(),
      /** Null: what was spent beyond what was expected. */
      stated_spend: numeric().nullable(),
      anomalous_spend: numeric().computed("coalesce(stated_spend, actual_amount - expected_amount)"),
      expected_cost_lower: numeric().nullable(),
      expected_cost_upper: numeric().nullable(),
      anomaly_score: numeric().nullable(),
      resource_name: text().nullable(),
      resource_info: text().nullable(),
      details: text().nullable(),
      comment: text().nullable(),
      criticality: text().nullable(),
      cloud_provider: text(),
      view: text(),
      status: text(),
      status_by: text().nullable(),
      status_ms: bigint().nullable(),
      /** Somebody set the status here: an import leaves it alone. */
      /** Somebody set the status here: an import leaves it alone. */
      status_set: boolean().default("false"),
      feedback: text(),
      /** As `status_set`. */
      feedback_set: boolean().default("false"),
      perspective_id: text().nullable(),
      perspective_name: text().nullable(),
      unit_metric_name: text().nullable(),
      /** Its place in a cluster, a cloud or an AI service. */
      entity: jsonb<Partial<Record<EntityMember, string | null | undefined>>>(),
      tags: jsonb<Record<string, string>>(),
      /** At most one bucket of each category. */
      cost_categories: jsonb<CostCategory[]>(),
      daily_breakdown: jsonb<z.output<typeof DailyBreakdown>[]>(),
      alerted_recipients: jsonb<string[]>(),
      cost_preferences: jsonb<Record<string, unknown>>().nullable(),
      allow_listed: boolean(),
      /** Every text that a search looks into, folded, one to a line. */
      search: text(),
    },
    primaryKey: ["account", "id"],
    // In the order of a list that asks for none.
    indexes: { by_time: '(account, time_ms desc nulls last, id collate "C")' },
  }),
  platform_snapshots: defineTable({
    columns: {
      ...stageColumns,
      /** Dependent rows are keyed by account and this id. */
      snapshot_id: identity(),
      /** `removing`: past retention, and parts may be left; `removed`: none is. */
      state: text<"uploading" | "committed" | "removing" | "removed">(),
      /** The counts marker as uploaded (JSON text); null while uploading. */
      counts: text().nullable(),
      committed_ms: bigint().nullable(),
      /** Time after which attribute data is no longer readable, ms since 1970; null while uploading. */
      details_until_ms: bigint().nullable(),
      /** Whether expired attribute data was removed. */
      are_details_removed: boolean(),
    },
    primaryKey: STAGE_KEY,
    constraints: ["unique (snapshot_id)"],
    indexes: { by_expiry: "(details_until_ms)" },
  }),
  platform_pages: defineTable({
    columns: {
      ...partColumns,
      /** The change type of a page of one change type, whose elements are counted only; empty for a page of the whole category. */
      change: text(),
      page: integer(),
      bytes: integer(),
      digest: text(),
      elements: integer(),
    },
    primaryKey: ["account", "snapshot_id", "category", "change", "page"],
  }),
  /** An uploaded row where it was uploaded. */
  platform_rows: defineTable({
    columns: {
      ...partColumns,
      page: integer(),
      position: integer(),
      /** JSON text of the row as listings contain it, without its ordinal. */
      row: text(),
      /** JSON text of attributes, changes and sensitive_attributes; null: past retention. */
      detail: text().nullable(),
    },
    primaryKey: ["account", "snapshot_id", "category", "page", "position"],
  }),
  /** The order of a category's rows, and what they are searched and filtered by: written by the commit, read whole (`snapshot-index.ts`). */
  platform_indexes: defineTable({
    columns: { ...partColumns, places: text(), search: text() },
    primaryKey: ["account", "snapshot_id", "category"],
    // Read whole and often: decompressing would cost more than the room it saves.
    statements: [
      "alter table platform_indexes alter column places set storage external, alter column search set storage external",
    ],
  }),
  platform_executions: defineTable({
    columns: {
      ...stageColumns,
      pipeline: text(),
      workspace: text(),
      status: text<"none" | "success" | "failure">(),
      created_ms: bigint(),
      /** Commit of the CI job whose token created it; null: a token without a commit did. */
      head_sha: text().nullable(),
      /** The name of the token that stated that there is nothing to plan; null: none did. */
      no_changes_by: text().nullable(),
    },
    primaryKey: STAGE_KEY,
    indexes: {
      by_time: "(account, org, project, created_ms)",
      by_workspace: "(account, org, project, workspace, created_ms)",
    },
  }),
  platform_audit_events: defineTable({
    columns: {
      ...stageColumns,
      id: identity(),
      hash: text(),
      name: text(),
      repo_url: text(),
      type: text(),
      token_id: text(),
      created_ms: bigint(),
    },
    primaryKey: [...STAGE_KEY, "id"],
  }),
  /** The commit that an execution was performed for, with the source of the record. */
  platform_commits: defineTable({
    columns: {
      ...stageColumns,
      sha: text(),
      /** `owner/name` in lower case; a label. */
      repository: text(),
      /** The repository that the writing token is bound to; null: written with a token of the whole account. */
      repository_id: bigint().nullable(),
      source: text<"audit" | "ingest">(),
      created_ms: bigint(),
    },
    indexes: { by_sha: "(account, sha)" },
    constraints: [`unique nulls not distinct (${STAGE_KEY}, sha, repository, repository_id)`],
  }),
  platform_costs: defineTable({
    columns: {
      ...stageColumns,
      /** JSON text as sent, which preserves the decimals; null: not sent. */
      cost: text().nullable(),
      modules: text().nullable(),
    },
    primaryKey: STAGE_KEY,
  }),
  platform_flag_environments: defineTable({
    columns: {
      ...environmentColumns,
      /** Increases with each write of one of its keys. */
      version: bigint(),
    },
    primaryKey: ["account", "org", "project", "environment"],
  }),
  platform_flag_keys: defineTable({
    columns: {
      ...environmentColumns,
      identifier: text(),
      name: text(),
      description: text().nullable(),
      type: text<"server" | "client">(),
      /** Identifies the record; it grants no access. */
      record_id: text(),
      /** SHA-256 of the key in hex; the key itself is not stored. */
      secret_hash: text(),
      /** The key's last four characters, by which users recognise it. */
      last_four: text(),
      /** Unix time of expiry, in seconds; 0: never. */
      expires_s: bigint(),
      /** Unix time of the last use, in seconds; null: never used. */
      last_used_s: bigint().nullable(),
      created_ms: bigint(),
    },
    primaryKey: ["account", "org", "project", "environment", "identifier"],
    constraints: ["unique (secret_hash)"],
  }),
  /** One evaluation of a governance rule. */
  platform_evaluations: defineTable({
    columns: {
      account: text(),
      id: text(),
      time_ms: bigint(),
      cloud_provider: text(),
      status: text(),
    },
    primaryKey: ["account", "id"],
    indexes: { by_time: "(account, time_ms)" },
  }),
  /** A resource type for which rules can be generated, with or without a sample rule. */
  platform_prompts: defineTable({
    columns: {
      account: text(),
      id: text(),
      cloud_provider: text(),
      resource_type: text(),
      description: text().nullable(),
      rule_yaml: text().nullable(),
    },
    primaryKey: ["account", "id"],
    indexes: { by_type: "(account, cloud_provider, resource_type)" },
  }),
  platform_imports: defineTable({
    columns: {
      ...uploadColumns,
      kind: text(),
      /**
       * `open`: pages are being uploaded. `moving`: complete; its rows are being moved to their tables.
       * `imported`: all rows are moved.
       */
      state: text<"open" | "moving" | "imported">(),
      /** Number of pages; 0 while open. */
      pages: integer(),
      moved: integer(),
      /** Number of rows; 0 while open. */
      rows: integer(),
      /** Time of the first page, ms since 1970. */
      created_ms: bigint(),
    },
    primaryKey: ["account", "upload"],
    indexes: { by_age: "(created_ms)" },
  }),
  platform_import_pages: defineTable({
    columns: {
      ...uploadColumns,
      page: integer(),
      /** The valid lines in order, without blank ones. */
      lines: text(),
      /** JSON array of [line number, digest of the key]. */
      keys: text(),
      problems: integer(),
    },
    primaryKey: ["account", "upload", "page"],
  }),
  ...recommendationTables,
  ...settingsTables,
  ...unitMetricTables,
  ...webhookTables,
};

export type PlatformTables = TablesOf<typeof platformTables>;

/** The tables of the bot and of the embedded platform. */
export type AllTables = BotTables & PlatformTables;
export type Db = Kysely<AllTables>;

export type Row<Table extends keyof PlatformTables> = Selectable<PlatformTables[Table]>;
