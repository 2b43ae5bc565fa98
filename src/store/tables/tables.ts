import type { Kysely, Transaction } from "kysely";
import type { CommentProblem } from "../../policy/news.ts";
import { afterMergeTables } from "./after-merge.ts";
import { approvalTables } from "./approvals.ts";
import {
  bigint,
  boolean,
  defineTable,
  identity,
  integer,
  jsonb,
  type TablesOf,
  text,
  texts,
  timestamp,
} from "./define-table.ts";
import { historyTables } from "./history.ts";
import { projectColumns, projectOwners } from "./project-key.ts";
import { pullColumns } from "./pull-key.ts";

/** What pages show of a pull request. Null: never read. Names are labels. */
export const pullLabels = {
  title: text().nullable(),
  author_id: bigint().nullable(),
  author_login: text().nullable(),
  is_draft: boolean().nullable(),
  opened_at: timestamp().nullable(),
  /** Null also: it is not merged. */
  merged_at: timestamp().nullable(),
};

const executionColumns = {
  repository_id: bigint(),
  head_sha: text(),
  org: text(),
  project: text(),
  pipeline_execution_id: text(),
};

/** Who may read and write what: tokens, and browsers that are signed in. Times in ms since 1970. */
const accessTables = {
  tokens: defineTable({
    columns: {
      id: text(),
      account: text(),
      purpose: text<"api" | "import" | "notify" | "read">(),
      repository_id: bigint().nullable(),
      /** Of a read token: whose repositories it reads, by GitHub's id; null: those of every owner. */
      owner_id: bigint().nullable(),
      org: text().nullable(),
      project: text().nullable(),
      /** SHA-256 in hex of the secret part. */
      secret_hash: text(),
      /** The operator's word for it; null: none. */
      name: text().nullable(),
      /** Who created it: an account of the operating system, a CI job, or `INTERNAL_CREATOR`; null: unknown. */
      created_by: text().nullable(),
      /** It is valid before this time; null: until it is revoked. */
      expires_ms: bigint().nullable(),
      /** The only commit that data written with it may belong to; null: any commit. */
      head_sha: text().nullable(),
      created_ms: bigint(),
      last_used_ms: bigint().nullable(),
      revoked_ms: bigint().nullable(),
    },
    primaryKey: ["id"],
    constraints: [
      `check (purpose in ('api', 'read') or (repository_id is not null and org is not null and project is not null))`,
    ],
  }),
  sessions: defineTable({
    columns: {
      session_id: text(),
      /** GitHub's numeric id of the person. */
      user_id: bigint(),
      login: text(),
      /** GitHub's tokens of the person, encrypted with a key that only the browser's cookie contains. */
      tokens: text(),
      created_ms: bigint(),
      /** The session ends at this time, however it is used. */
      expires_ms: bigint(),
      /** Until then, one process renews the tokens at GitHub; null: none does. */
      renewing_until_ms: bigint().nullable(),
    },
    primaryKey: ["session_id"],
    indexes: { by_user: "(user_id)", by_end: "(expires_ms)" },
  }),
};

const commentTables = {
  comments: defineTable({
    columns: {
      ...pullColumns,
      comment_id: bigint(),
      digest: text(),
      /** Digest of the content without the wording; null: unknown. */
      content: text().nullable(),
      /** When it was last compared with the comment on GitHub. */
      checked_at: timestamp(),
    },
    primaryKey: ["repository_id", "number"],
  }),
  /** A Tollgate comment that a newer one replaced. */
  earlier_comments: defineTable({
    columns: {
      ...pullColumns,
      comment_id: bigint(),
      /** Digest of the body that GitHub shows; null: unknown. */
      digest: text().nullable(),
      /** Whether GitHub shows the comment minimized. */
      hidden: boolean(),
    },
    primaryKey: ["repository_id", "comment_id"],
    indexes: { by_pull: "(repository_id, number)" },
  }),
  /** A problem with the comments of a pull request. */
  comment_problems: defineTable({
    columns: {
      ...pullColumns,
      problem: text<CommentProblem>(),
      /** Digest of the comment that could not be written. */
      digest: text(),
      first_at: timestamp(),
      next_at: timestamp(),
    },
    primaryKey: ["repository_id", "number"],
    indexes: { by_time: "(next_at)" },
  }),
  /** A change of one of our comments by others that was restored at once. */
  comment_restores: defineTable({
    columns: { ...pullColumns, restored_at: timestamp() },
    indexes: { by_pull: "(repository_id, number)" },
  }),
};

const notificationTables = {
  /** Notifications to the operator's targets, from their cause until retention deletes them. */
  notifications: defineTable({
    columns: {
      notification_id: identity(),
      /** Name of the target in the operator's file. */
      target: text(),
      notification: jsonb(),
      /** True: it waits for the day's digest. */
      is_digest: boolean(),
      /** `failed`: it was given up. */
      state: text<"waiting" | "sent" | "failed">(),
      /** When it may be sent next. */
      due_at: timestamp(),
      attempts: integer(),
      /** The message that it was last sent in; null: it was not sent yet. */
      message_id: text().nullable(),
      attempted_at: timestamp().nullable(),
      /** Why the last attempt failed, in our own words; null: it did not. */
      problem: text().nullable(),
      created_at: timestamp(),
    },
    primaryKey: ["notification_id"],
    indexes: { due: "(target, due_at) where state = 'waiting'", attempted: "(target, attempted_at)" },
  }),
  /** The change of each subject that a target was last notified of. No row: it was notified of none. */
  notified_changes: defineTable({
    columns: { target: text(), subject: text(), change: text(), changed_at: timestamp() },
    primaryKey: ["target", "subject"],
  }),
};

/** What several processes on one database share. Times are by the database's clock, because the clocks of processes differ. */
const replicaTables = {
  shared_installations: defineTable({
    columns: {
      installation_id: bigint(),
      /** When the next write to GitHub may start that no process has reserved yet. */
      next_write_at: timestamp(),
      /** Until then GitHub limits the installation; in the past: it does not. */
      paused_until: timestamp(),
      /** When a process last learned that the installation changed: its repositories, permissions, or whether it is there. Null: never. */
      changed_at: timestamp().nullable(),
      /** The newest access token, encrypted with a key derived from the App's private key, and when it was requested. */
      token: text().nullable(),
      token_at: timestamp().nullable(),
      /** `all` or `selected` repositories, and when it was requested. */
      coverage: text().nullable(),
      coverage_at: timestamp().nullable(),
    },
    primaryKey: ["installation_id"],
  }),
  turns: defineTable({
    columns: {
      /** Periodic work that one process does at a time. */
      work: text(),
      /** The process that does it now; null: none. */
      holder: text().nullable(),
      /** With a holder: when its turn ends unless it is prolonged. Without: when the next turn is due. */
      free_at: timestamp(),
      /** When the newest turn began. */
      began_at: timestamp(),
    },
    primaryKey: ["work"],
  }),
  processes: defineTable({
    columns: {
      id: text(),
      /** The time of its newest heartbeat. */
      seen_at: timestamp(),
    },
    primaryKey: ["id"],
  }),
};

/** The bot's own tables. GitHub's numeric ids are the keys; names are labels. */
export const botTables = {
  /** Names in the operator's file: a name keeps the id that it had when it was first resolved. */
  resolved_names: defineTable({
    columns: {
      kind: text<"account" | "repository" | "app">(),
      name: text(),
      id: bigint(),
      resolved_at: timestamp(),
    },
    primaryKey: ["kind", "name"],
  }),
  installations: defineTable({
    columns: {
      installation_id: bigint(),
      owner_id: bigint(),
      owner_login: text(),
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
      /** GitHub's time of the state that the labels are from: they only move forward. Null: not stated. */
      labels_at: timestamp().nullable(),
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
      ...pullColumns,
      head_sha: text(),
      /** GitHub's test merge of head and base; null while GitHub computes it. */
      merge_sha: text().nullable(),
      base_ref: text(),
      /** Head that a delivery named and no read has returned yet; null: none. */
      announced_sha: text().nullable(),
      /** The stack that the last delivery named; null: none. */
      stack: text().nullable(),
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
      /** Since when GitHub may show other comments than are stored, by the database's clock: a request had no answer, or others changed one. */
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
    indexes: { by_execution: "(pipeline_execution_id)" },
  }),
  facts: defineTable({
    columns: {
      ...projectColumns,
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
      /** Digest of the check that GitHub shows; null: unknown. */
      digest: text().nullable(),
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
      /** Digest of its annotations; null: unknown. */
      annotations: text().nullable(),
    },
    primaryKey: ["repository_id", "head_sha", "name"],
  }),
  /** Policy files that were found. */
  policy_seen: defineTable({
    columns: {
      repository_id: bigint(),
      /** Null: the file of the organisation, which is one for all base branches. */
      base_ref: text().nullable(),
    },
    constraints: ["unique nulls not distinct (repository_id, base_ref)"],
  }),
  merge_groups: defineTable({
    columns: {
      repository_id: bigint(),
      head_sha: text(),
      head_ref: text(),
      base_ref: text(),
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

/** The database, or a transaction in it. */
export type Db = Kysely<Tables>;
export type Trx = Transaction<Tables>;
