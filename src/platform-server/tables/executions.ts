import { bigint, defineTable, identity, text } from "../../store/tables/define-table.ts";
import { STAGE_KEY, stageColumns } from "./keys.ts";

export type ExecutionStatus = "none" | "success" | "failure";

/** Executions with their commits and costs; rows are keyed by account id. */
export const executionTables = {
  platform_executions: defineTable({
    columns: {
      ...stageColumns,
      pipeline: text(),
      workspace: text(),
      status: text<ExecutionStatus>(),
      /** Milliseconds since 1970. */
      created_ms: bigint(),
      /** Commit of the CI job whose token created it; null: a token without a commit did. */
      head_sha: text().nullable(),
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
};
