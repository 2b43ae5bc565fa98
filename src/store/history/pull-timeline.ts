import { type Kysely, sql } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import type { Verdict } from "../../policy/model/finding.ts";
import type { Situation } from "../../policy/model/situation.ts";
import type { CostKnowledge, RuleEffect } from "../tables/history.ts";
import type { Tables } from "../tables/tables.ts";
import { type CostFigures, selectTotals } from "./readable.ts";
import { selectPullEvaluations } from "./select-evaluations.ts";

/** One evaluation in the timeline of its pull request. */
export interface TimelineEvaluation {
  readonly evaluationId: number;
  readonly headSha: string;
  readonly baseRef: string;
  readonly begunAt: Date;
  /** When another evaluation followed; null: it is the newest. */
  readonly endedAt: Date | null;
  /** `success`, `in_progress`, …: see `formatDecision`. */
  readonly decision: string;
  readonly situation: Situation["kind"];
  /** Null: it has none. */
  readonly verdict: Verdict["kind"] | null;
  readonly cost: CostKnowledge;
  /** Per month; one per currency; empty where figures are hidden or unknown. */
  readonly totals: readonly CostFigures[];
  /** Rules that blocked, were undecided, approved, waived, or warned, worst first. */
  readonly rules: readonly { readonly rule: string; readonly effect: RuleEffect }[];
}

/**
 * The newest evaluations of a pull request, oldest first. Past ones are kept as long as retention says.
 *
 * @param limit most evaluations that are returned
 * @param before only evaluations with a smaller id; null: the newest
 */
export async function listTimeline(
  db: Kysely<Tables>,
  pull: PullKey,
  limit: number,
  before: number | null = null,
): Promise<readonly TimelineEvaluation[]> {
  const rows = await selectPullEvaluations(db, pull)
    .select(["found.evaluation_id as evaluationId", "found.head_sha as headSha", "found.base_ref as baseRef"])
    .select(["found.begun_at as begunAt", "found.ended_at as endedAt"])
    .select(["found.decision", "found.cost", selectTotals("found.evaluation_id").as("totals")])
    .select(sql<Situation["kind"]>`found.situation`.as("situation"))
    .select([sql<Verdict["kind"] | null>`found.verdict`.as("verdict"), RULES.as("rules")])
    .$if(before !== null, (query) => query.where("found.evaluation_id", "<", before))
    .orderBy("found.evaluation_id", "desc")
    .limit(limit)
    .execute();
  return rows.reverse();
}

const RULES = sql<
  TimelineEvaluation["rules"]
>`(select coalesce(json_agg(json_build_object('rule', rule, 'effect', effect)
    order by first), '[]')
  from (select rule, effect, min(position) as first from evaluation_findings as finding
    where finding.evaluation_id = found.evaluation_id group by rule, effect) as own)`;
