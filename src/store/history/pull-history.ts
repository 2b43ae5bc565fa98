import { type RawBuilder, sql } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import { type Evaluation, redactFigures } from "../../policy/model/evaluation.ts";
import type { Verdict } from "../../policy/model/finding.ts";
import type { Situation } from "../../policy/model/situation.ts";
import {
  type LimitSuggestions,
  type MeasuredPull,
  measurePull,
  suggestLimits,
} from "../../policy/suggest.ts";
import { isOf } from "../database/statements.ts";
import { findEvaluation, MAX_LISTED_BYTES } from "../evaluations.ts";
import { storedEvaluation } from "../json/stored-values.ts";
import type { RuleEffect } from "../tables/history.ts";
import type { Db } from "../tables/tables.ts";
import type { TimeSpan } from "./merged-changes.ts";
import { selectTotals } from "./readable.ts";

/** Which evaluation of a pull request it is, with its times. */
export interface EvaluationTimes {
  readonly evaluationId: number;
  /** When it was first, and last, evaluated to this result. */
  readonly begunAt: Date;
  readonly evaluatedAt: Date;
  /** When another evaluation followed; null: it is the newest. */
  readonly endedAt: Date | null;
}

export type PullEvaluation = NonNullable<Awaited<ReturnType<typeof findPullEvaluation>>>;

/**
 * An evaluation of a pull request: the one with this id, or the newest for null. Null: there is none, or it cannot be read. Past
 * ones are kept as long as retention says. Its figures are marked as hidden where the repository's readers may not see figures now.
 */
export async function findPullEvaluation(db: Db, pull: PullKey, evaluationId: number | null) {
  const row = await selectOne(db, pull, evaluationId)
    .select(["found.digest", "found.policy_blobs as policyBlobs", "found.evaluation", "repositories.figures"])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { evaluation, digest, policyBlobs, figures, ...times } = row;
  const read = storedEvaluation.read(evaluation);
  if (read.state !== "read") return null;
  const shown = figures === true && read.value.pull.figures ? read.value : redactFigures(read.value);
  return { ...times, stored: { evaluation: shown, digest, policyBlobs } };
}

export type EvaluationVersion = NonNullable<Awaited<ReturnType<typeof findEvaluationVersion>>>;

/**
 * The version of what `findPullEvaluation` returns, without reading it: another text after each change. Null: there is no such evaluation.
 */
export async function findEvaluationVersion(db: Db, pull: PullKey, evaluationId: number | null) {
  const row = await selectOne(db, pull, evaluationId)
    .select(["found.row_version as rowVersion", "repositories.figures"])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { rowVersion, figures, ...times } = row;
  return { ...times, version: `${times.evaluationId} ${rowVersion} ${times.endedAt === null} ${figures}` };
}

const selectOne = (db: Db, pull: PullKey, evaluationId: number | null) =>
  selectPullEvaluations(db, pull)
    .select(["found.evaluation_id as evaluationId", "found.begun_at as begunAt"])
    .select(["found.created_at as evaluatedAt", "found.ended_at as endedAt"])
    .$if(evaluationId === null, (query) => query.where("found.ended_at", "is", null))
    .$if(evaluationId !== null, (query) => query.where("found.evaluation_id", "=", evaluationId));

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

/** One evaluation in the timeline of its pull request. `decision`: see `formatDecision`; `endedAt` null: it is the newest. */
export type TimelineEvaluation = Awaited<ReturnType<typeof listTimeline>>[number];

/**
 * The newest evaluations of a pull request, oldest first. Past ones are kept as long as retention says.
 *
 * @param limit most evaluations that are returned
 * @param before only evaluations with a smaller id; null: the newest
 */
export async function listTimeline(db: Db, pull: PullKey, limit: number, before: number | null = null) {
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

/** Rules that blocked, were undecided, approved, waived, or warned, worst first. */
const RULES = sql<
  readonly { readonly rule: string; readonly effect: RuleEffect }[]
>`(select coalesce(json_agg(json_build_object('rule', rule, 'effect', effect)
    order by position), '[]')
  from evaluation_rules as own where own.evaluation_id = found.evaluation_id)`;

const COLUMNS = [
  "repository_id",
  "evaluation_id",
  "head_sha",
  "base_ref",
  "digest",
  "decision",
  "policy_blobs",
  "situation",
  "verdict",
  "cost",
  "evaluation",
  "begun_at",
  "created_at",
] as const;

/** Changes with every update of the row: the transaction that wrote it. */
const VERSION = sql<string>`xmin::text`.as("row_version");

/**
 * All evaluations of a pull request as the table `found`, with the table `repositories`, which says whether readers may see
 * figures. The newest one has no `ended_at`.
 */
const selectPullEvaluations = (db: Db, pull: PullKey) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom("past_evaluations")
        .select([...COLUMNS, sql<Date | null>`ended_at`.as("ended_at"), VERSION])
        .where(isOf(pull))
        .unionAll(
          from
            .selectFrom("evaluations")
            .select([...COLUMNS, sql<Date | null>`null::timestamptz`.as("ended_at"), VERSION])
            .where(isOf(pull)),
        )
        .as("found"),
    )
    .innerJoin("repositories", "repositories.repository_id", "found.repository_id");

/**
 * Reads the newest evaluation of each of a repository's pull requests that was made in a span of time, the newest first, one at a time:
 * all of them together may need much memory. Null: it is very large, or cannot be read.
 */
export async function* readNewestEvaluations(
  db: Db,
  repositoryId: number,
  { span: { from, to }, limit }: { readonly span: TimeSpan; readonly limit: number },
): AsyncGenerator<Evaluation | null> {
  const rows = await db
    .selectFrom("evaluations")
    .select(["number", sql<boolean>`pg_column_size(evaluation) <= ${MAX_LISTED_BYTES}`.as("isSmall")])
    .where("repository_id", "=", repositoryId)
    .where("created_at", ">=", from)
    .where("created_at", "<", to)
    .orderBy("created_at", "desc")
    .orderBy("number", "desc")
    .limit(limit)
    .execute();
  for (const { number, isSmall } of rows)
    yield isSmall ? ((await findEvaluation(db, { repositoryId, number }))?.evaluation ?? null) : null;
}

/** Most pull requests from which limits are suggested. */
const MAX_MEASURED = 500;

/**
 * Suggests limits from the verdicts of a repository's pull requests that were last evaluated in a span of time. Those whose readers may
 * not see figures are left out and counted: limits would tell their amounts.
 */
export async function suggestFromHistory(
  db: Db,
  repositoryId: number,
  span: TimeSpan,
): Promise<LimitSuggestions> {
  const measured: MeasuredPull[] = [];
  let [read, hidden, unread] = [0, 0, 0];
  for await (const one of readNewestEvaluations(db, repositoryId, { span, limit: MAX_MEASURED })) {
    read += 1;
    if (one === null) unread += 1;
    else if (one.report.stages.length === 0) continue;
    else if (!one.pull.figures) hidden += 1;
    else if (one.situation.kind === "evaluated") measured.push(measurePull(one));
  }
  return {
    pulls: measured.length,
    ...{ hidden, unread },
    isCutOff: read === MAX_MEASURED,
    choices: [...suggestLimits(measured)],
  };
}
