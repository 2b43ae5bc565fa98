import { accessTables } from "./access.ts";
import { afterMergeTables } from "./after-merge.ts";
import { approvalTables } from "./approvals.ts";
import { commentTables } from "./comments.ts";
import {
  bigint,
  boolean,
  defineTable,
  integer,
  jsonb,
  type TablesOf,
  text,
  texts,
  timestamp,
} from "./define-table.ts";
import { historyTables } from "./history.ts";
import { notificationTables } from "./notifications.ts";
import { projectOwners } from "./project-key.ts";
import { replicaTables } from "./replicas.ts";

/** What pages show of a pull request. Null: never read. Names are labels. */
export const pullLabels = {
  title: text().nullable(),
  author_id: bigint().nullable(),
  author_login: text().nullable(),
  is_draft: boolean().nullable(),
  opened_at: timestamp().nullable(),
  /** Null also: it is open. */
  closed_at: timestamp().nullable(),
  /** Null also: it is not merged. */
  merged_at: timestamp().nullable(),
  merged_by_id: bigint().nullable(),
  merged_by_login: text().nullable(),
};

const executionColumns = {
  repository_id: bigint(),
  head_sha: text(),
  org: text(),
  project: text(),
  pipeline_execution_id: text(),
};

/** The bot's own tables. GitHub's numeric ids are the keys; names are labels. */
export const botTables = {
  installations: defineTable({
    columns: {
      installation_id: bigint(),
      owner_id: bigint(),
      owner_login: text(),
      owner_type: text<"User" | "Organization">(),
      /** `all`: the installation demonstrably covers every repository of its owner. */
      repository_selection: text<"all" | "selected">(),
      suspended: boolean(),
      /** When its repositories were listed. */
      updated_at: timestamp(),
    },
    primaryKey: ["installation_id"],
  }),
  repositories: defineTable({
    columns: {
      repository_id: bigint(),
      installation_id: bigint(),
      /** Null until the repository itself is read. */
      owner_id: bigint().nullable(),
      /** Labels: the newest names seen, never keys. */
      owner_login: text(),
      name: text(),
      /** When its open pull requests were last listed; null: never. */
      listed_at: timestamp().nullable(),
      /** Whether its readers may see figures, as last read; null: never read. */
      figures: boolean().nullable(),
      updated_at: timestamp(),
    },
    primaryKey: ["repository_id"],
    indexes: {
      by_owner: "(owner_id)",
      by_name: "(lower(owner_login), lower(name))",
      by_listing: "(listed_at nulls first)",
    },
  }),
  pulls: defineTable({
    columns: {
      repository_id: bigint(),
      number: integer(),
      head_sha: text(),
      /** GitHub's test merge of head and base; null while GitHub computes it. */
      merge_sha: text().nullable(),
      base_ref: text(),
      /** Head that a delivery named and no read has returned yet; null: none. */
      announced_sha: text().nullable(),
      state: text<"open" | "closed">(),
      /** When this head was first seen: deadlines start at this time. */
      head_seen_at: timestamp(),
      /** When the sweep last enqueued it; null: never. */
      swept_at: timestamp().nullable(),
      updated_at: timestamp(),
      ...pullLabels,
    },
    primaryKey: ["repository_id", "number"],
    indexes: {
      by_head: "(repository_id, head_sha)",
      by_merge: "(repository_id, merge_sha)",
      open: "(repository_id, number) where state = 'open'",
      announced: "(repository_id, announced_sha) where announced_sha is not null",
    },
  }),
  lanes: defineTable({
    columns: {
      /** See `formatLaneKey` in jobs. */
      lane: text(),
      /** Increments with each run; a run writes nothing when its token is no longer the newest. */
      token: bigint(),
      started_at: timestamp(),
      /** Whether the newest run of a comment lane has not ended. */
      is_open: boolean().default("false"),
      /** When a request of a comment lane was last given up without an answer, by the database's clock; null: what such requests did is known. */
      unanswered_at: timestamp().nullable(),
    },
    primaryKey: ["lane"],
  }),
  bindings: defineTable({
    columns: {
      ...executionColumns,
      source: text<"audit" | "notification" | "status" | "check">(),
      /** The account that posted the status, or the check's App; null: of another source. It counts only while the operator trusts it. */
      poster_id: bigint().nullable(),
      created_at: timestamp(),
    },
    primaryKey: ["repository_id", "head_sha", "org", "project", "pipeline_execution_id"],
  }),
  facts: defineTable({
    columns: {
      account: text(),
      org: text(),
      project: text(),
      pipeline_execution_id: text(),
      /** Digest of the execution's stages: an execution with an added stage gets a new row. */
      stages: text(),
      facts: jsonb(),
      created_at: timestamp(),
    },
    primaryKey: ["account", "org", "project", "pipeline_execution_id", "stages"],
  }),
  read_attempts: defineTable({
    columns: { ...executionColumns, attempts: integer(), first_at: timestamp() },
    primaryKey: ["repository_id", "head_sha", "org", "project", "pipeline_execution_id"],
  }),
  check_runs: defineTable({
    columns: {
      repository_id: bigint(),
      head_sha: text(),
      name: text(),
      /** Null: the row is reserved, and the check run is not created yet. */
      check_run_id: bigint().nullable(),
      /** Digest of the check that GitHub shows; empty: unknown. */
      digest: text(),
      completed: boolean(),
      /** Increments when the check was written out of turn. */
      version: bigint(),
      updated_at: timestamp(),
      /** Lane and token of the run that writes the check now, `lane#token`; null: none does. */
      writer: text().nullable(),
      writing_since: timestamp().nullable(),
      /** Whether a writer ended without a result, since the newest known one. */
      is_interrupted: boolean().default("false"),
      /** When a request was last given up without an answer, by the database's clock; null: what such requests did is known. */
      unanswered_at: timestamp().nullable(),
      /** The base branches that the check was about. */
      base_refs: texts().default("'{}'"),
    },
    primaryKey: ["repository_id", "head_sha", "name"],
  }),
  policy_seen: defineTable({
    columns: {
      repository_id: bigint(),
      base_ref: text(),
      which: text<"repository" | "organisation">(),
      blob: text(),
      updated_at: timestamp(),
    },
    primaryKey: ["repository_id", "base_ref", "which"],
  }),
  merge_groups: defineTable({
    columns: {
      repository_id: bigint(),
      head_sha: text(),
      head_ref: text(),
      base_ref: text(),
      base_sha: text(),
      created_at: timestamp(),
    },
    primaryKey: ["repository_id", "head_sha"],
  }),
  platform_project_owners: projectOwners,
  ...accessTables,
  ...afterMergeTables,
  ...approvalTables,
  ...commentTables,
  ...historyTables,
  ...notificationTables,
  ...replicaTables,
};

export type Tables = TablesOf<typeof botTables>;
