import { type Kysely, sql } from "kysely";
import { MAX_LISTED_BYTES, MAX_NEWEST } from "../evaluations.ts";
import type { Tables } from "../tables/tables.ts";
import type { NeededData } from "./needed-data.ts";
import { type AgedTable, purgeTable } from "./purge-table.ts";

/** Data from before these times is deleted if nothing needs it. */
export interface RetentionLimits {
  readonly evaluationsBefore: Date;
  readonly planRowsBefore: Date;
  /** Sessions end at a time of their own; those that ended before this one are deleted. In ms since 1970. */
  readonly sessionsBeforeMs: number;
  readonly notificationsBefore: Date;
}

/**
 * Deletes old rows of the bot's tables and returns their number. Decisions, approvals, commands, pushers, merged costs, comparisons and the
 * pull requests themselves stay: who approved what is recorded there, and a pull request can be reopened at any time.
 */
export async function purgeBotTables(
  db: Kysely<Tables>,
  { limits, needed }: { readonly limits: RetentionLimits; readonly needed: NeededData },
  pause: () => Promise<void>,
): Promise<number> {
  let removed = 0;
  for (const aged of listAgedTables(limits, needed)) removed += await purgeTable(db, aged, pause);
  return removed;
}

function listAgedTables(
  { evaluationsBefore, planRowsBefore, sessionsBeforeMs, notificationsBefore }: RetentionLimits,
  { executions, commits }: NeededData,
): readonly AgedTable[] {
  const execution = ["org", "project", "pipeline_execution_id"];
  const isBefore = (column: string, time: Date) => sql<boolean>`${sql.ref(`aged.${column}`)} < ${time}`;
  const ofHead = { column: "head_sha", values: commits };
  return [
    ...listHistoryTables(evaluationsBefore),
    {
      table: "facts",
      key: ["account", ...execution, "stages"],
      isOld: isBefore("created_at", planRowsBefore),
      needed: { column: "pipeline_execution_id", values: executions },
    },
    {
      table: "check_runs",
      key: ["repository_id", "head_sha", "name"],
      isOld: isBefore("updated_at", evaluationsBefore),
      needed: ofHead,
    },
    {
      table: "bindings",
      key: ["repository_id", "head_sha", ...execution],
      isOld: isBefore("created_at", evaluationsBefore),
      needed: ofHead,
    },
    {
      table: "read_attempts",
      key: ["repository_id", "head_sha", ...execution],
      isOld: isBefore("first_at", evaluationsBefore),
      needed: ofHead,
    },
    {
      table: "merge_groups",
      key: ["repository_id", "head_sha"],
      isOld: isBefore("created_at", evaluationsBefore),
    },
    { table: "notifications", key: ["notification_id"], isOld: isBefore("created_at", notificationsBefore) },
    {
      table: "notified_changes",
      key: ["target", "subject"],
      isOld: isBefore("changed_at", evaluationsBefore),
    },
    {
      table: "sessions",
      key: ["session_id"],
      isOld: sql<boolean>`aged.expires_ms < ${sessionsBeforeMs}`,
    },
    {
      table: "lanes",
      key: ["lane"],
      isOld: sql<boolean>`aged.lane like 'group:%' and aged.started_at < ${evaluationsBefore}`,
    },
  ];
}

/** Evaluations and what pages list of them. */
const listHistoryTables = (before: Date): readonly AgedTable[] => [
  {
    table: "evaluations",
    key: ["repository_id", "number"],
    isOld: isEvaluationOld(before),
    parts: EVALUATION_PARTS,
  },
  {
    table: "past_evaluations",
    key: ["repository_id", "number", "evaluation_id"],
    isOld: sql<boolean>`aged.ended_at < ${before}`,
    parts: EVALUATION_PARTS,
  },
  {
    table: "rule_outcomes",
    key: ["repository_id", "number", "rule"],
    isOld: sql<boolean>`aged.last_at < ${before} and exists (select 1 from pulls
      where pulls.repository_id = aged.repository_id and pulls.number = aged.number and pulls.state = 'closed')`,
  },
  {
    table: "policies",
    key: ["policy_blobs"],
    isOld: sql<boolean>`aged.saved_at < ${before} and not exists (select 1 from evaluations
      where evaluations.policy_blobs = aged.policy_blobs)`,
  },
];

const EVALUATION_PARTS = [
  "evaluation_totals",
  "evaluation_stages",
  "evaluation_findings",
  "evaluation_approvals",
] as const;

/**
 * Whether an evaluation belongs to a pull request that was closed long ago, and is not among the newest of its repository: an edit of
 * the policy is tried on those.
 */
const isEvaluationOld = (before: Date) => sql<boolean>`(aged.created_at < ${before}
  and exists (select 1 from pulls where pulls.repository_id = aged.repository_id and pulls.number = aged.number
    and pulls.state = 'closed' and pulls.updated_at < ${before})
  and (select count(*) from (select 1 from evaluations as newer
    where newer.repository_id = aged.repository_id and newer.number > aged.number
      and newer.created_at > aged.created_at and pg_column_size(newer.evaluation) <= ${sql.lit(MAX_LISTED_BYTES)}
    limit ${sql.lit(MAX_NEWEST + 1)}) as newest) = ${sql.lit(MAX_NEWEST + 1)})`;
