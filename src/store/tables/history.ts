import type { Enforcement } from "../../policy/model/policy.ts";
import type { PartComparison } from "../../report/accuracy.ts";
import type { CostState, TagLabel } from "../../report/model/report.ts";
import {
  bigint,
  boolean,
  defineTable,
  identity,
  integer,
  jsonb,
  numeric,
  text,
  texts,
  timestamp,
} from "./define-table.ts";
import { pullColumns } from "./pull-key.ts";

/**
 * Whether the monthly change of an evaluation is known. `none`: there is nothing that costs. `hidden`: readers may not see figures.
 * `unknown`: at least one part of it.
 */
export type CostKnowledge = "known" | "unknown" | "none" | "hidden";

/** What a rule does to a pull request: the worst effect of its findings. */
export type RuleEffect =
  | "blocked"
  | "undecided"
  | "warned"
  | "approved"
  | "waived"
  | "passed"
  | "not_applicable";

/** How a blocked rule of a pull request stopped blocking. `changed`: the pull request or its policy did. */
export type RuleResolution = "changed" | "approved" | "waived" | "removed" | "merged" | "closed";

/** An evaluation, and its result in columns. */
const evaluationColumns = {
  ...pullColumns,
  head_sha: text(),
  base_ref: text(),
  /** Digest of head, base branch, policy blobs and facts. */
  digest: text(),
  /** `success`, `in_progress`, …: the check that this pull request requires. */
  decision: text(),
  policy_blobs: text(),
  evaluation: jsonb(),
  /** See `Situation`. */
  situation: text(),
  /** Null: it has no verdict. */
  verdict: text().nullable(),
  cost: text<CostKnowledge>(),
  /** When it was first evaluated to this result. */
  begun_at: timestamp(),
  /** When it was last evaluated to this result. */
  created_at: timestamp(),
};

/** Every evaluation and decision, and what pages list of them. */
export const historyTables = {
  /** The newest evaluation of each pull request. */
  evaluations: defineTable({
    columns: {
      ...evaluationColumns,
      /** Counted up over all pull requests; a repetition with the same result keeps its id. */
      evaluation_id: identity(),
      check_name: text(),
      /** Whether readers may see its figures. Without, no table below has an amount of it. */
      figures: boolean(),
      /** Whether GitHub is known to show it. */
      settled: boolean(),
      /** Numbers of the pull requests below it in its stack. */
      below: texts().default("'{}'"),
    },
    primaryKey: ["repository_id", "number"],
    indexes: { by_head: "(repository_id, head_sha)" },
  }),
  /** Evaluations that another one of the same pull request followed. */
  past_evaluations: defineTable({
    columns: {
      ...evaluationColumns,
      evaluation_id: bigint(),
      /** When the next one was saved. */
      ended_at: timestamp(),
    },
    primaryKey: ["repository_id", "number", "evaluation_id"],
  }),
  evaluation_totals: defineTable({
    columns: {
      evaluation_id: bigint(),
      currency: text(),
      /** Null: unknown. */
      before: numeric().nullable(),
      after: numeric().nullable(),
      change: numeric().nullable(),
      state: text<CostState>(),
    },
    primaryKey: ["evaluation_id", "currency"],
  }),
  evaluation_stages: defineTable({
    columns: {
      evaluation_id: bigint(),
      org: text(),
      project: text(),
      workspace: text(),
      /** The stage's name in the policy, else the workspace. */
      name: text(),
    },
    primaryKey: ["evaluation_id", "org", "project", "workspace"],
  }),
  /** What the newest evaluation of a pull request changes of the cost by tag: the largest changes. */
  evaluation_tags: defineTable({
    columns: {
      evaluation_id: bigint(),
      /** Its place among them, from 0. */
      position: integer(),
      key: text(),
      kind: text<TagLabel["kind"]>(),
      value: text().nullable(),
      currency: text(),
      /** Null: unknown. */
      change: numeric().nullable(),
      state: text<CostState>(),
    },
    primaryKey: ["evaluation_id", "position"],
  }),
  /** The rules of an evaluation that a finding violated or left undecided. */
  evaluation_rules: defineTable({
    columns: {
      evaluation_id: bigint(),
      rule: text(),
      effect: text<RuleEffect>(),
      /** Their order in the verdict, worst first. */
      position: integer(),
    },
    primaryKey: ["evaluation_id", "rule", "effect"],
  }),
  /** Approvals that an evaluation lacks, and who can give them. */
  evaluation_approvals: defineTable({
    columns: {
      evaluation_id: bigint(),
      rule: text(),
      /** See `ApprovalNeed`. */
      approver: text(),
    },
    primaryKey: ["evaluation_id", "rule", "approver"],
  }),
  /** What one rule did to one pull request so far. */
  rule_outcomes: defineTable({
    columns: {
      ...pullColumns,
      rule: text(),
      enforce: text<Enforcement>(),
      /** In the newest verdict. */
      effect: text<RuleEffect>(),
      /** Number of verdicts with different results to which the rule applied. */
      evaluations: integer(),
      first_at: timestamp(),
      last_at: timestamp(),
      /** When it was first violated, and the newest evaluation in which it was. */
      violated_at: timestamp().nullable(),
      violated_id: bigint().nullable(),
      /** When it passed after it was violated; null: it did not, or something else followed. */
      passed_at: timestamp().nullable(),
      /** When it first warned, blocked, was undecided, was approved, was waived. */
      warned_at: timestamp().nullable(),
      blocked_at: timestamp().nullable(),
      undecided_at: timestamp().nullable(),
      approved_at: timestamp().nullable(),
      waived_at: timestamp().nullable(),
      /** When it stopped blocking; null: it blocks, or it never did. `merged`: it was merged while the rule blocked. */
      resolved_at: timestamp().nullable(),
      resolution: text<RuleResolution>().nullable(),
      /** The largest known monthly change of the pull request in each currency while the rule blocked; past evaluations are deleted. */
      blocked_changes: jsonb<Readonly<Record<string, string>>>().default("'{}'"),
      /** Whether a part of the change was unknown, or hidden, while it blocked. */
      blocked_unknown: boolean().default("false"),
    },
    primaryKey: ["repository_id", "number", "rule"],
  }),
  /** The parts of policies that pages show, by the blobs of their files. */
  policies: defineTable({
    columns: {
      policy_blobs: text(),
      /** Version of the column `policy`. */
      version: integer(),
      policy: jsonb(),
      saved_at: timestamp(),
    },
    primaryKey: ["policy_blobs"],
  }),
  /** The monthly cost of a merged pull request's workspaces: before the merge, as estimated, and as it was after the merge. */
  merge_comparisons: defineTable({
    columns: {
      ...pullColumns,
      currency: text(),
      before: numeric(),
      estimated: numeric(),
      actual: numeric(),
      /** Days between the merge and the comparison. */
      days: integer(),
      /** Number of compared workspaces, and of those that the pull request touched. */
      compared: integer(),
      workspaces: integer(),
      compared_at: timestamp(),
    },
    primaryKey: ["repository_id", "number", "currency"],
  }),
  /** The monthly change by a merged pull request of one module or resource type of the compared workspaces. */
  part_comparisons: defineTable({
    columns: {
      ...pullColumns,
      kind: text<PartComparison["kind"]>(),
      name: text(),
      currency: text(),
      /** The change as estimated, more than a cent, and as applied. */
      estimated: numeric(),
      actual: numeric(),
      compared_at: timestamp(),
    },
    primaryKey: ["repository_id", "number", "kind", "name", "currency"],
    indexes: { by_name: "(repository_id, kind, name)" },
  }),
  /** The chain of decisions, to which rows are only added. */
  decisions: defineTable({
    columns: {
      seq: bigint(),
      /** Identifies it for readers: the gaps of `seq` count decisions that they may not see. */
      id: text().default("gen_random_uuid()::text"),
      at: timestamp(),
      ...pullColumns,
      head_sha: text(),
      /** Kind of the record, for queries. */
      kind: text(),
      /** The exact JSON text that was hashed. */
      record: text(),
      previous_hash: text(),
      hash: text(),
    },
    primaryKey: ["seq"],
    constraints: ["unique (hash)", "unique (id)"],
    indexes: { by_pull: "(repository_id, number, seq)" },
    statements: [
      `create function decisions_are_final() returns trigger language plpgsql as $$
        begin raise exception 'decisions are append-only'; end $$`,
      `create trigger decisions_append_only before update or delete or truncate on decisions
        for each statement execute function decisions_are_final()`,
    ],
  }),
  /** One row: the newest decision. */
  decision_head: defineTable({
    columns: { id: integer(), seq: bigint(), hash: text() },
    primaryKey: ["id"],
    constraints: ["check (id = 1)"],
    statements: [`insert into decision_head (id, seq, hash) values (1, 0, '${"0".repeat(64)}')`],
  }),
};
