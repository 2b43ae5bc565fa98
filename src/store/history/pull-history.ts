import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { PullKey } from "../../kernel/ids.ts";
import { type Evaluation, redactFigures } from "../../policy/model/evaluation.ts";
import type { Verdict } from "../../policy/model/finding.ts";
import type { Situation } from "../../policy/model/situation.ts";
import type { StoredEvaluation } from "../evaluations.ts";
import { findEvaluation, MAX_LISTED_BYTES } from "../evaluations.ts";
import { storedEvaluation } from "../json/stored-values.ts";
import type { CostKnowledge, RuleEffect } from "../tables/history.ts";
import { toPullColumns } from "../tables/pull-key.ts";
import type { Db } from "../tables/tables.ts";
import { type CostFigures, selectTotals } from "./readable.ts";

/** Which evaluation of a pull request it is, with its times. */
export interface EvaluationTimes {
  readonly evaluationId: number;
  /** When it was first, and last, evaluated to this result. */
  readonly begunAt: Date;
  readonly evaluatedAt: Date;
  /** When another evaluation followed; null: it is the newest. */
  readonly endedAt: Date | null;
}

/** One evaluation of a pull request with its times. */
export interface PullEvaluation extends EvaluationTimes {
  /** Its figures are marked as hidden where the repository's readers may not see figures now. */
  readonly stored: StoredEvaluation;
}

/**
 * An evaluation of a pull request: the one with this id, or the newest for null. Null: there is none, or it cannot be read. Past
 * ones are kept as long as retention says.
 */
export async function findPullEvaluation(
  db: Db,
  pull: PullKey,
  evaluationId: number | null,
): Promise<PullEvaluation | null> {
  const row = await selectOne(db, pull, evaluationId)
    .select(["found.digest", "found.policy_blobs as policyBlobs", "repositories.figures"])
    .select(["found.row_version as rowVersion", ...WITHOUT_LONG_LISTS])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { evaluation: rest, length, rowVersion, digest, policyBlobs, figures, ...times } = row;
  const version = { evaluationId: times.evaluationId, rowVersion };
  const evaluation = length === null ? rest : await completeLists(db, pull, version, { rest, length });
  if (evaluation === null) return findPullEvaluation(db, pull, evaluationId); // it changed meanwhile
  await turnOfEventLoop(); // the driver has just parsed JSON, and the rest takes as long again
  const read = storedEvaluation.read(evaluation);
  if (read.state !== "read") return null;
  const shown = figures === true && read.value.pull.figures ? read.value : redactFigures(read.value);
  return { ...times, stored: { evaluation: shown, digest, policyBlobs } };
}

/** Inserts the lists that were not read with the rest of an evaluation; null: it is not the same any more. */
async function completeLists(
  db: Db,
  pull: PullKey,
  { evaluationId, rowVersion }: { readonly evaluationId: number; readonly rowVersion: string },
  { rest, length }: { readonly rest: unknown; readonly length: number },
): Promise<unknown> {
  const lists = await readLongLists(length, async (columns) => {
    const slice = await selectOne(db, pull, evaluationId)
      .select(["found.row_version as rowVersion", ...columns])
      .executeTakeFirst();
    return slice?.rowVersion === rowVersion ? slice : null;
  });
  return lists && insertLongLists(rest, lists);
}

/** Which version of an evaluation is stored. */
export interface EvaluationVersion extends EvaluationTimes {
  /** Another text after each change of what `findPullEvaluation` returns. */
  readonly version: string;
}

/** The version of what `findPullEvaluation` returns, without reading it. Null: there is no such evaluation. */
export async function findEvaluationVersion(
  db: Db,
  pull: PullKey,
  evaluationId: number | null,
): Promise<EvaluationVersion | null> {
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
  db: Db,
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

/** Lines of each list that are read at once. The embedded database and `JSON.parse` block the event loop meanwhile. */
const SLICE = 1_500;
/** Stored size from which the lists are read apart, in bytes: some thousand lines, which are compressed. */
const LARGE_BYTES = 50_000;

/** The lists of an evaluation that may have any length. */
interface LongLists {
  readonly resources: readonly unknown[];
  readonly rows: readonly unknown[];
}

const EVALUATION = sql.ref("found.evaluation");
const RESOURCES = "$.value.report.resources";
const ROWS = "$.value.report.rows";

const IS_LARGE = sql`pg_column_size(${EVALUATION}) > ${sql.lit(LARGE_BYTES)}`;

/** The columns of an evaluation: a large one without its long lists, and their length; null: the lists are in it. */
const WITHOUT_LONG_LISTS = [
  sql<unknown>`case when ${IS_LARGE} then ${EVALUATION} #- '{value,report,resources}' #- '{value,report,rows}'
    else ${EVALUATION} end`.as("evaluation"),
  sql<number | null>`case when ${IS_LARGE} then greatest(
    jsonb_path_query_first(${EVALUATION}, ${sql.lit(`${RESOURCES}.size()`)})::int,
    jsonb_path_query_first(${EVALUATION}, ${sql.lit(`${ROWS}.size()`)})::int) end`.as("length"),
] as const;

const selectSlice = (list: string, from: number) =>
  sql<readonly unknown[]>`jsonb_path_query_array(${EVALUATION},
    ${sql.lit(`${list}[${from} to ${from + SLICE - 1}]`)})`;

/** The columns with the lines of each list from a number on. */
const selectSlices = (from: number) =>
  [selectSlice(RESOURCES, from).as("resources"), selectSlice(ROWS, from).as("rows")] as const;

type SliceColumns = ReturnType<typeof selectSlices>;

/** Reads lists of a length in slices; null: `readSlice` found that the evaluation is not the same any more. */
async function readLongLists(
  length: number,
  readSlice: (columns: SliceColumns) => Promise<LongLists | null>,
): Promise<LongLists | null> {
  const slices: LongLists[] = [];
  for (let from = 0; from < length; from += SLICE) {
    const slice = await readSlice(selectSlices(from));
    if (slice === null) return null;
    slices.push(slice);
  }
  return {
    resources: slices.flatMap(({ resources }) => resources),
    rows: slices.flatMap(({ rows }) => rows),
  };
}

const Envelope = z.looseObject({ value: z.looseObject({ report: z.looseObject({}) }) });

/** The stored evaluation with the lists that were read apart. */
function insertLongLists(evaluation: unknown, lists: LongLists): unknown {
  const { value, ...rest } = Envelope.parse(evaluation);
  return { ...rest, value: { ...value, report: { ...value.report, ...lists } } };
}

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
        .where((eb) => eb.and(toPullColumns(pull)))
        .unionAll(
          from
            .selectFrom("evaluations")
            .select([...COLUMNS, sql<Date | null>`null::timestamptz`.as("ended_at"), VERSION])
            .where((eb) => eb.and(toPullColumns(pull))),
        )
        .as("found"),
    )
    .innerJoin("repositories", "repositories.repository_id", "found.repository_id");

/**
 * Reads the newest evaluation of each of a repository's pull requests, the newest first, one at a time: all of them together may
 * need much memory. Very large and unreadable ones are left out, and those without stages.
 */
export async function* readNewestEvaluations(
  db: Db,
  repositoryId: number,
  limit: number,
): AsyncGenerator<Evaluation> {
  const rows = await db
    .selectFrom("evaluations")
    .select("number")
    .where("repository_id", "=", repositoryId)
    .where(sql<number>`pg_column_size(evaluation)`, "<=", MAX_LISTED_BYTES)
    .orderBy("created_at", "desc")
    .orderBy("number", "desc")
    .limit(limit)
    .execute();
  for (const { number } of rows) {
    const stored = await findEvaluation(db, { repositoryId, number });
    if (stored !== null && stored.evaluation.report.stages.length > 0) yield stored.evaluation;
  }
}
