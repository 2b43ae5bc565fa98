import type { ColumnType, Generated } from "kysely";
import type { FindingOutcome } from "../../policy/model/finding.ts";
import type { Enforcement, RuleGranularity } from "../../policy/model/policy.ts";
import type { CostState } from "../../report/model/report.ts";
import type { Json, Time } from "./columns.ts";

/** `numeric`: exact decimal text when read and written; null: unknown. */
type Amount = ColumnType<string | null, string | null, string | null>;
type MaybeTime = ColumnType<Date | null, Date | null | undefined, Date | null>;

/**
 * Whether the monthly change of an evaluation is known. `none`: there is nothing that costs. `hidden`: readers may not see figures.
 * `unknown`: at least one part of it.
 */
export type CostKnowledge = "known" | "unknown" | "none" | "hidden";

/** The result of an evaluation in columns; null: written by an earlier version, and not evaluated since. */
export interface EvaluationResult {
  /** Counted up over all pull requests; a repetition with the same result keeps its id. */
  evaluation_id: Generated<number>;
  /** Whether readers may see its figures. Without, no table below has an amount of it. */
  figures: boolean | null;
  /** See `Situation`. */
  situation: string | null;
  /** Null also: it has no verdict. */
  verdict: string | null;
  cost: CostKnowledge | null;
  /** When it was first evaluated to this result. */
  begun_at: Time;
}

/** An evaluation that another one of the same pull request followed. */
interface PastEvaluationsTable extends EvaluationResult {
  repository_id: number;
  number: number;
  head_sha: string;
  base_ref: string;
  check_name: string;
  digest: string;
  decision: string;
  policy_blobs: string;
  evaluation: Json<unknown>;
  created_at: Time;
  /** When the next one was saved. */
  ended_at: Time;
}

interface EvaluationCosts {
  before: Amount;
  after: Amount;
  change: Amount;
  state: CostState;
}

interface EvaluationTotalsTable extends EvaluationCosts {
  evaluation_id: number;
  currency: string;
}

interface EvaluationStagesTable extends EvaluationCosts {
  evaluation_id: number;
  org: string;
  project: string;
  workspace: string;
  /** The stage's name in the policy, else the workspace. */
  name: string;
  currency: string | null;
}

/** What a rule does to a pull request: the worst effect of its findings. */
export type RuleEffect =
  | "blocked"
  | "undecided"
  | "warned"
  | "approved"
  | "waived"
  | "passed"
  | "not_applicable";

/** The findings of an evaluation that did not pass. */
interface EvaluationFindingsTable {
  evaluation_id: number;
  /** Their order in the verdict, worst first. */
  position: number;
  rule: string;
  outcome: FindingOutcome;
  enforce: Enforcement;
  effect: RuleEffect;
  per: RuleGranularity;
  subject: string | null;
  others: number;
  limit: Json<unknown>;
  /** Null: undecided, nothing to measure, or an amount that readers may not see. */
  measured: ColumnType<unknown, string | null, string | null>;
}

/** Approvals that an evaluation lacks, and who can give them. */
interface EvaluationApprovalsTable {
  evaluation_id: number;
  rule: string;
  /** See `ApprovalNeed`. */
  approver: string;
}

/** How a blocked rule of a pull request stopped blocking. `changed`: the pull request or its policy did. */
export type RuleResolution = "changed" | "approved" | "waived" | "removed" | "merged" | "closed";

/** What one rule did to one pull request so far. */
interface RuleOutcomesTable {
  repository_id: number;
  number: number;
  rule: string;
  enforce: Enforcement;
  /** In the newest verdict. */
  effect: RuleEffect;
  /** Number of verdicts with different results to which the rule applied. */
  evaluations: number;
  first_at: Time;
  last_at: Time;
  /** When it was first violated, and the newest evaluation in which it was. */
  violated_at: MaybeTime;
  violated_id: number | null;
  /** When it first blocked, was undecided, was approved, was waived. */
  blocked_at: MaybeTime;
  undecided_at: MaybeTime;
  approved_at: MaybeTime;
  waived_at: MaybeTime;
  /** When it stopped blocking; null: it blocks, or it never did. `merged`: it was merged while the rule blocked. */
  resolved_at: MaybeTime;
  resolution: RuleResolution | null;
}

/** The parts of policies that pages show, by the blobs of their files. */
interface PoliciesTable {
  policy_blobs: string;
  /** Version of the column `policy`. */
  version: number;
  policy: Json<unknown>;
  saved_at: Time;
}

/** The monthly cost of a merged pull request's workspaces: as estimated, and as it was after the merge. */
interface MergeComparisonsTable {
  repository_id: number;
  number: number;
  currency: string;
  estimated: string;
  actual: string;
  /** Days between the merge and the comparison. */
  days: number;
  /** Number of compared workspaces, and of those that the pull request touched. */
  compared: number;
  workspaces: number;
  compared_at: Time;
}

export interface HistoryTables {
  past_evaluations: PastEvaluationsTable;
  evaluation_totals: EvaluationTotalsTable;
  evaluation_stages: EvaluationStagesTable;
  evaluation_findings: EvaluationFindingsTable;
  evaluation_approvals: EvaluationApprovalsTable;
  rule_outcomes: RuleOutcomesTable;
  policies: PoliciesTable;
  merge_comparisons: MergeComparisonsTable;
}
