import type { Money } from "../../kernel/money.ts";
import type { ApplyResult } from "../../policy/model/apply.ts";
import type { Verdict } from "../../policy/model/finding.ts";
import type { TagLabel } from "../../report/model/report.ts";
import {
  bigint,
  defineTable,
  identity,
  integer,
  jsonb,
  numeric,
  text,
  timestamp,
  uuid,
} from "./define-table.ts";
import type { CostKnowledge } from "./history.ts";
import { pullColumns } from "./pull-key.ts";

/**
 * How a merged pull request got through, the first that applies. `over_check`: its check did not pass, or was missing. `no_check`: there
 * was no policy.
 */
export const MERGE_WAYS = [
  "over_check",
  "overridden",
  "approved",
  "waived",
  "warned",
  "passed",
  "no_check",
] as const;
export type MergeWay = (typeof MERGE_WAYS)[number];

export type MergedPart = "total" | "module" | "tag" | "stage";

/** Who approved a merged pull request, or overrode its check. `upTo` null: nothing about money was approved. */
export interface MergeConsent {
  readonly id: number;
  /** A label. */
  readonly login: string;
  readonly upTo: Money | null;
}

const workspaceColumns = { repository_id: bigint(), org: text(), project: text(), workspace: text() };

export const afterMergeTables = {
  /** The monthly cost of a workspace on its base branch; null: unknown. */
  workspace_costs: defineTable({
    columns: {
      ...workspaceColumns,
      currency: text().nullable(),
      amount: text().nullable(),
      /** The amount by the tags that budgets name, as JSON; null: unknown. */
      divided: text().nullable(),
      /** When the plan that states the cost was made, or when the pull request that changed it was merged. */
      known_at: timestamp(),
      /** The monthly cost before the merged pull request; null: the amount comes from a plan. */
      merged_from: text().nullable(),
    },
    primaryKey: ["repository_id", "org", "project", "workspace"],
  }),
  /** The monthly change to a workspace by an open pull request that may be merged; null: unknown. */
  budget_claims: defineTable({
    columns: {
      ...workspaceColumns,
      number: integer(),
      currency: text().nullable(),
      amount: text().nullable(),
      divided: text().nullable(),
    },
    primaryKey: ["repository_id", "number", "org", "project", "workspace"],
  }),
  /** Pull requests whose newest evaluation was checked against a budget. */
  budget_pulls: defineTable({ columns: pullColumns, primaryKey: ["repository_id", "number"] }),
  budget_versions: defineTable({
    columns: {
      repository_id: bigint(),
      /** Increments with each change of the amounts that count towards the repository's budgets. */
      version: bigint(),
    },
    primaryKey: ["repository_id"],
  }),
  merged_pulls: defineTable({
    columns: {
      ...pullColumns,
      /** The commit that brought it to its base branch; null: GitHub does not say. */
      merge_sha: text().nullable(),
      merged_at: timestamp(),
      /** When the estimate is to be compared with the applied result; null: never. */
      compare_at: timestamp().nullable(),
      /** When the comparison was done; null: not yet. */
      compared_at: timestamp().nullable(),
      /** Labels. Null: the account is deleted, or GitHub does not say. */
      author_login: text().nullable(),
      merged_by_id: bigint().nullable(),
      merged_by_login: text().nullable(),
      /** Of the merged head; null: it had none. */
      verdict: text<Verdict["kind"]>().nullable(),
      way: text<MergeWay>(),
      /** Whether its monthly change is known. Whether readers may see it is said by the repository. */
      cost: text<Exclude<CostKnowledge, "hidden">>(),
      consents: jsonb<readonly MergeConsent[]>(),
    },
    primaryKey: ["repository_id", "number"],
    indexes: {
      by_time: "(merged_at, repository_id, number)",
      to_compare: "(compare_at) where compared_at is null",
      by_commit: "(repository_id, merge_sha)",
    },
  }),
  /** The cost that a merged pull request stated for one workspace; null: unknown. */
  merged_stages: defineTable({
    columns: {
      ...workspaceColumns,
      number: integer(),
      currency: text().nullable(),
      before: text().nullable(),
      after: text().nullable(),
      change: text().nullable(),
      /** The change by the tags that budgets name, as JSON; null: unknown. */
      divided: text().nullable(),
      merged_at: timestamp(),
    },
    primaryKey: ["repository_id", "number", "org", "project", "workspace"],
    indexes: { by_time: "(merged_at)", by_repository: "(repository_id, merged_at)" },
  }),
  /**
   * Of what merged pull requests are parts, each once per repository. Sums group the many parts by one short id, and read the few names
   * afterwards.
   */
  merged_items: defineTable({
    columns: {
      /** The beginning of the SHA-256 of all other columns. */
      item_id: uuid(),
      repository_id: bigint(),
      part: text<MergedPart>(),
      /** Author of a total; path of a module, null: in none; value of a tag, null: see `kind`; name of a stage. */
      name: text().nullable(),
      /** How a total got through; kind of a tag. */
      kind: text<MergeWay | TagLabel["kind"]>().nullable(),
      /** Key of a tag; workspace of a stage. */
      detail: text().nullable(),
      /** Of a stage a moment of the week. */
      week: timestamp().nullable(),
      /** Null: none of its amounts is known. */
      currency: text().nullable(),
    },
    primaryKey: ["item_id"],
  }),
  /** The known monthly change of a merged pull request per currency, the largest first, then by module, tag and workspace. */
  merged_parts: defineTable({
    columns: {
      ...pullColumns,
      position: integer(),
      item_id: uuid(),
      /** As `merged_pulls` has it. */
      merged_at: timestamp(),
      /** Null: unknown. */
      change: numeric().nullable(),
    },
    primaryKey: ["repository_id", "number", "position"],
    indexes: { by_time: "(repository_id, merged_at)" },
  }),
  /** What the apply gate answered about the pull request's commits. */
  applies: defineTable({
    columns: {
      ...pullColumns,
      apply_id: identity(),
      base_ref: text(),
      /** The commit that was to be applied: the merge commit, or the head of the open pull request. */
      sha: text(),
      /** See `buildStageKey`; of a workspace that no evaluation has, its stated name. */
      stage: text(),
      /** As the job named it. */
      workspace: text(),
      /** Null: it was open. */
      merged_at: timestamp().nullable(),
      result: text<ApplyResult["kind"]>(),
      details: jsonb(),
      /** The token or the CI job that asked. */
      actor: text(),
      at: timestamp(),
    },
    primaryKey: ["repository_id", "number", "apply_id"],
    indexes: { accepted: "(repository_id, base_ref, at) where result = 'within'" },
  }),
  /** A recommendation that an applied execution of a merged pull request carried out. */
  applied_recommendations: defineTable({
    columns: {
      ...pullColumns,
      recommendation_id: text(),
      org: text(),
      project: text(),
      pipeline_execution_id: text(),
      pipeline_stage_id: text(),
      /** Savings per month. */
      savings: text(),
      currency: text(),
      /** `found`; then `audited` when the execution names the commit; then `marked` or `refused` by the platform. */
      state: text<"found" | "audited" | "marked" | "refused">(),
      updated_at: timestamp(),
    },
    primaryKey: ["repository_id", "number", "recommendation_id"],
  }),
};
