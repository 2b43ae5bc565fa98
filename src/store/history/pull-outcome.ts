import { type RawBuilder, sql } from "kysely";

/**
 * What an open pull request's check says. `approval`: only approvals are missing. `pending`: an execution, or the evaluation of the
 * newest push, is awaited. `none`: it has no check.
 */
export const PULL_OUTCOMES = ["block", "approval", "undecided", "pending", "warn", "pass", "none"] as const;
export type PullOutcome = (typeof PULL_OUTCOMES)[number];

/** The outcome of the tables `pulls` and `evaluations` of a query. */
export const selectOutcome: RawBuilder<PullOutcome> = sql<PullOutcome>`case
  when evaluations.evaluation_id is null then 'none'
  when evaluations.head_sha <> pulls.head_sha then 'pending'
  when evaluations.decision = 'failure' then case when evaluations.verdict = 'block' then 'block' else 'undecided' end
  when evaluations.decision = 'action_required' then 'approval'
  when evaluations.decision = 'in_progress' then 'pending'
  when evaluations.decision = 'neutral' then 'warn'
  when evaluations.decision = 'success' then 'pass'
  else 'none' end`;
