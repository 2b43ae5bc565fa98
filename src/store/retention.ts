import { type RawBuilder, sql } from "kysely";
import type { PullKey } from "../kernel/ids.ts";
import { MAX_LISTED_BYTES, MAX_NEWEST } from "./evaluations.ts";
import { botTables, type Db, type Tables } from "./tables/tables.ts";

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
  db: Db,
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
  const isBefore = (column: string, time: Date | number) =>
    sql<boolean>`${sql.ref(`aged.${column}`)} < ${time}`;
  const ofHead = { column: "head_sha", values: commits };
  const ofExecution = { column: "pipeline_execution_id", values: executions };
  return [
    { table: "evaluations", isOld: isEvaluationOld(evaluationsBefore), parts: EVALUATION_PARTS },
    { table: "past_evaluations", isOld: isBefore("ended_at", evaluationsBefore), parts: EVALUATION_PARTS },
    {
      table: "rule_outcomes",
      isOld: sql<boolean>`aged.last_at < ${evaluationsBefore} and exists (select 1 from pulls
        where pulls.repository_id = aged.repository_id and pulls.number = aged.number and pulls.state = 'closed')`,
    },
    {
      table: "policies",
      isOld: sql<boolean>`aged.saved_at < ${evaluationsBefore} and not exists (select 1 from evaluations
        where evaluations.policy_blobs = aged.policy_blobs)`,
    },
    { table: "facts", isOld: isBefore("created_at", planRowsBefore), needed: ofExecution },
    { table: "check_runs", isOld: isBefore("updated_at", evaluationsBefore), needed: ofHead },
    { table: "bindings", isOld: isBefore("created_at", evaluationsBefore), needed: ofHead },
    { table: "read_attempts", isOld: isBefore("first_at", evaluationsBefore), needed: ofHead },
    { table: "applies", isOld: isApplyOld(evaluationsBefore) },
    { table: "merge_groups", isOld: isBefore("created_at", evaluationsBefore) },
    { table: "notifications", isOld: isBefore("created_at", notificationsBefore) },
    { table: "notified_changes", isOld: isBefore("changed_at", evaluationsBefore) },
    { table: "sessions", isOld: isBefore("expires_ms", sessionsBeforeMs) },
    {
      table: "lanes",
      isOld: sql<boolean>`aged.lane like 'group:%' and aged.started_at < ${evaluationsBefore}`,
    },
  ];
}

/** What pages list of an evaluation. */
const EVALUATION_PARTS = [
  "evaluation_totals",
  "evaluation_stages",
  "evaluation_tags",
  "evaluation_rules",
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

/** Whether an apply was verified long ago, and is not the last accepted one of its workspace: no earlier merge is accepted after that one. */
const isApplyOld = (before: Date) => sql<boolean>`(aged.at < ${before}
  and (aged.result <> 'within' or aged.merged_at is null or exists (select 1 from applies as later
    where later.repository_id = aged.repository_id and later.base_ref = aged.base_ref and later.stage = aged.stage
      and later.result = 'within' and later.merged_at >= aged.merged_at and later.apply_id > aged.apply_id)))`;

/** Rows that one statement visits: the embedded database serves nobody else meanwhile. */
const PAGE = 500;

/** A table of which old rows are deleted. Conditions name the table `aged`. */
interface AgedTable {
  readonly table: keyof Tables;
  readonly isOld: RawBuilder<boolean>;
  /** Old rows stay while this column has one of these values. */
  readonly needed?: { readonly column: string; readonly values: ReadonlySet<string> };
  /** Tables whose rows belong to a row by its `evaluation_id`: they are deleted with it. */
  readonly parts?: readonly (keyof Tables)[];
}

/** A row of a page: its key and whether it is old. */
type AgedRow = Readonly<Record<string, string | number | boolean>>;

/**
 * Deletes the old rows of a table and returns their number. It walks along the primary key, so that each statement is short and
 * needs no index by age, and waits for `pause` between two pages. It may be ended at any time and begun again.
 */
async function purgeTable(db: Db, aged: AgedTable, pause: () => Promise<void>): Promise<number> {
  let removed = 0;
  for (let after: AgedRow | null = null; ; await pause()) {
    const page: readonly AgedRow[] = await readPage(db, aged, after);
    const last = page.at(-1);
    if (last === undefined) return removed;
    removed += await deleteOld(db, aged, { page, last, after });
    if (page.length < PAGE) return removed;
    after = last;
  }
}

const getKey = ({ table }: AgedTable): readonly string[] => botTables[table].primaryKey ?? [];

const listColumns = (aged: AgedTable) => sql.join(getKey(aged).map((column) => sql.ref(`aged.${column}`)));

const listValues = (aged: AgedTable, row: AgedRow) => sql.join(getKey(aged).map((column) => row[column]));

const isAfter = (aged: AgedTable, after: AgedRow | null) =>
  after === null ? sql`true` : sql`(${listColumns(aged)}) > (${listValues(aged, after)})`;

async function readPage(db: Db, aged: AgedTable, after: AgedRow | null): Promise<readonly AgedRow[]> {
  const { rows } = await sql<AgedRow>`
    select ${listColumns(aged)}, ${aged.isOld} as is_old from ${sql.table(aged.table)} as aged
    where ${isAfter(aged, after)} order by ${listColumns(aged)} limit ${PAGE}`.execute(db);
  return rows;
}

/** The age is compared again in the statement that deletes: a row may have been written since its page was read. */
async function deleteOld(
  db: Db,
  aged: AgedTable,
  { page, last, after }: { page: readonly AgedRow[]; last: AgedRow; after: AgedRow | null },
): Promise<number> {
  const { column = "", values = new Set<string>() } = aged.needed ?? {};
  const old = page.filter((row) => row["is_old"] === true);
  const kept = [...new Set(old.map((row) => String(row[column])).filter((value) => values.has(value)))];
  if (old.every((row) => values.has(String(row[column])))) return 0;
  const isNeedless =
    kept.length === 0 ? sql`true` : sql`${sql.ref(`aged.${column}`)} not in (${sql.join(kept)})`;
  const oldRows = sql`delete from ${sql.table(aged.table)} as aged
    where ${isAfter(aged, after)} and (${listColumns(aged)}) <= (${listValues(aged, last)})
      and ${aged.isOld} and ${isNeedless}`;
  const { parts } = aged;
  if (parts !== undefined) return deleteWithParts(db, oldRows, parts);
  const { numAffectedRows } = await oldRows.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Deletes rows and what belongs to them in one statement, and returns the number of the rows themselves. */
async function deleteWithParts(
  db: Db,
  oldRows: RawBuilder<unknown>,
  parts: readonly (keyof Tables)[],
): Promise<number> {
  const deletes = parts.map(
    (part) => sql`${sql.ref(`gone_${part}`)} as (delete from ${sql.table(part)}
      where evaluation_id in (select evaluation_id from gone))`,
  );
  const { rows } = await sql<{ removed: number }>`
    with gone as (${oldRows} returning evaluation_id), ${sql.join(deletes)}
    select count(*) as removed from gone`.execute(db);
  return rows[0]?.removed ?? 0;
}

/** What pull requests that can be evaluated again rest on. It is kept however old it is. */
interface NeededData {
  /** Ids of executions that their newest evaluations and their bindings name. */
  readonly executions: ReadonlySet<string>;
  /** Their heads and test merges. */
  readonly commits: ReadonlySet<string>;
}

const PULLS = 10;

/**
 * Reads what open pull requests, and those that were closed after `closedAfter`, rest on. A pull request that was closed and is
 * reopened soon after keeps its verdict.
 */
export async function readNeededData(
  db: Db,
  closedAfter: Date,
  pause: () => Promise<void>,
): Promise<NeededData> {
  const executions = new Set<string>();
  const commits = new Set<string>();
  for await (const pull of listNeedingPulls(db, closedAfter, pause)) {
    for (const sha of pull.commits) if (sha !== null) commits.add(sha);
    for (const id of pull.executions) executions.add(id);
  }
  return { executions, commits };
}

async function* listNeedingPulls(
  db: Db,
  closedAfter: Date,
  pause: () => Promise<void>,
): AsyncGenerator<NeedingPull> {
  let last: PullKey | null = { repositoryId: 0, number: 0 };
  while (last !== null) {
    const pulls: readonly NeedingPull[] = await readPulls(db, last, closedAfter);
    yield* pulls;
    last = pulls.length < PULLS ? null : (pulls.at(-1) ?? null);
    await pause();
  }
}

interface NeedingPull extends PullKey {
  readonly executions: readonly string[];
  readonly commits: readonly (string | null)[];
}

const selectTexts = (path: string) =>
  sql`coalesce(jsonb_path_query_array(evaluations.evaluation, ${sql.lit(`$.value.report.${path}`)}), '[]')`;

async function readPulls(db: Db, last: PullKey, closedAfter: Date): Promise<readonly NeedingPull[]> {
  const { rows } = await sql<NeedingPull>`
    select pulls.repository_id as "repositoryId", pulls.number,
      json_build_array(pulls.head_sha, pulls.merge_sha, pulls.announced_sha) as commits,
      ${selectTexts("stages[*].executionId")} || ${selectTexts("stages[*].superseded[*]")}
        || ${selectTexts("refused[*].executionId")}
        || (select coalesce(jsonb_agg(bindings.pipeline_execution_id), '[]') from bindings
          where bindings.repository_id = pulls.repository_id and bindings.head_sha = pulls.head_sha) as executions
    from pulls left join evaluations
      on evaluations.repository_id = pulls.repository_id and evaluations.number = pulls.number
    where (pulls.state = 'open' or pulls.updated_at >= ${closedAfter})
      and (pulls.repository_id, pulls.number) > (${last.repositoryId}, ${last.number})
    order by pulls.repository_id, pulls.number limit ${PULLS}`.execute(db);
  return rows;
}
