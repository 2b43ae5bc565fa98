import { sql } from "kysely";
import type { Decimal } from "../../kernel/money.ts";
import type { Enforcement } from "../../policy/model/policy.ts";
import { isSamePull } from "../database/statements.ts";
import type { Db } from "../tables/tables.ts";
import type { TimeSpan } from "./merged-changes.ts";
import { type ChangeSum, selectOpenPulls } from "./open-pulls.ts";
import { selectOutcome } from "./pull-history.ts";
import { isReadable, type RepositoryIds, selectTotals } from "./readable.ts";

/**
 * What a rule did to the pull requests on which it was evaluated in a span of time. Numbers are of pull requests, but `evaluations` of
 * verdicts with different results and `repositories`. `enforce`: the stricter one, if it differs. `overridden`: merged while the rule
 * blocked or was undecided; `open`: it blocks now.
 */
export type RuleStatistics = Awaited<ReturnType<typeof readRuleStatistics>>["rules"][number];

/** Which outcomes of rules are read: all that were evaluated in the span of time, or those of one rule. */
export interface OutcomeSelection {
  readonly repositoryIds: RepositoryIds;
  readonly span: TimeSpan;
  readonly rule?: string;
}

/** Reads the statistics of rules, those that blocked most first, and what all of them prevented together. */
export async function readRuleStatistics(db: Db, selection: OutcomeSelection) {
  const counts = await selectOutcomes(db, selection)
    .select(["own.rule", sql<Enforcement>`min(own.enforce)`.as("enforce")])
    .select([sql<number>`count(distinct own.repository_id)`.as("repositories")])
    .select([
      countWhere("own.evaluations > 0").as("pulls"),
      countWhere("own.evaluations = 0").as("notApplicable"),
    ])
    .select([sql<number>`sum(own.evaluations)`.as("evaluations"), MEDIAN.as("medianResolutionMs")])
    .select([countWhere("own.violated_at is not null").as("violated")])
    .select([countWhere("own.warned_at is not null").as("warned")])
    .select([countWhere("own.blocked_at is not null").as("blocked")])
    .select([countWhere("own.undecided_at is not null").as("undecided")])
    .select([countWhere("own.approved_at is not null").as("approved")])
    .select([countWhere("own.waived_at is not null").as("waived")])
    .select([countWhere("own.resolution = 'merged'").as("overridden")])
    .select([countWhere("own.effect in ('blocked', 'undecided') and own.resolved_at is null").as("open")])
    .groupBy("own.rule")
    .orderBy("blocked", "desc")
    .orderBy("violated", "desc")
    .orderBy("own.rule")
    .execute();
  const prevented = await readPrevented(db, selection);
  return {
    rules: counts.map((row) => ({ ...row, prevented: prevented(row.rule) })),
    prevented: prevented(null),
  };
}

const countWhere = (condition: string) => sql<number>`count(*) filter (where ${sql.raw(condition)})`;

/** How long a rule that blocked did so, from the first block on; one that only warned, from the first violation until it passed. */
const RESOLUTION = sql`case when own.blocked_at is not null then own.resolved_at - own.blocked_at
  when own.undecided_at is null then own.passed_at - own.violated_at end`;

const RESOLUTION_MS = sql<number | null>`extract(epoch from ${RESOLUTION})::double precision * 1000`;

/** Null: none ended. */
const MEDIAN = sql<
  number | null
>`(percentile_cont(0.5) within group (order by ${RESOLUTION_MS}) filter (where ${RESOLUTION} is not null))`;

const selectOutcomes = (db: Db, { repositoryIds, span: { from, to }, rule }: OutcomeSelection) =>
  db
    .selectFrom("rule_outcomes as own")
    .where(isReadable("own.repository_id", repositoryIds))
    .where("own.last_at", ">=", from)
    .where("own.first_at", "<", to)
    .$if(rule !== undefined, (query) => query.where("own.rule", "=", rule ?? ""));

/** What was not merged because rules blocked it. */
export interface Prevented {
  /** Per month and currency. */
  readonly amounts: readonly ChangeSum[];
  /** Pull requests of which a part of the change was unknown while it was blocked or when it was merged: amounts are "at least". */
  readonly unknown: number;
  /** Pull requests whose amounts readers may not see; they are not in the amounts. */
  readonly hidden: number;
}

/**
 * Reads what each rule prevented, and for null all of them: of each closed pull request the largest monthly change while it was blocked
 * minus what was merged, which is zero if nothing was. Only positive differences count, so a pull request that was merged with more takes
 * nothing away. A pull request that several rules blocked counts once in all.
 */
async function readPrevented(
  db: Db,
  selection: OutcomeSelection,
): Promise<(rule: string | null) => Prevented> {
  const blocked = selectOutcomes(db, selection)
    .innerJoin("repositories", "repositories.repository_id", "own.repository_id")
    .innerJoin("pulls", (join) => join.on(isSamePull("pulls", "own")))
    .where("own.blocked_at", "is not", null)
    .where("pulls.state", "=", "closed")
    .select(["own.repository_id", "own.number", "own.rule", "own.blocked_changes", "own.blocked_unknown"])
    .select([
      sql`coalesce(repositories.figures, false)`.as("figures"),
      sql`pulls.merged_at is not null`.as("is_merged"),
    ]);
  const { rows } = await sql<PreventedRow>`
    with blocked as materialized (${blocked}), merged as materialized (
      select repository_id, number, currency, sum(change::numeric) as change, bool_or(change is null) as is_unknown
      from merged_stages where (repository_id, number) in (select repository_id, number from blocked where is_merged and figures)
      group by repository_id, number, currency
    ), ended as materialized (
      select blocked.*, is_merged and (
        (repository_id, number) in (select repository_id, number from merged where is_unknown)
        or (repository_id, number) not in (select repository_id, number from merged_pulls)) as is_merge_unknown from blocked
    ), largest as (
      select rule, repository_id, number, currency, max(change::numeric) as change
      from ended, jsonb_each_text(blocked_changes) as one (currency, change) where figures and not is_merge_unknown
      group by grouping sets ((rule, repository_id, number, currency), (repository_id, number, currency))
    )
    select rule, currency, trim_scale(sum(largest.change - coalesce(merged.change, 0)))::text as change,
      count(*) as pulls, 0 as unknown, 0 as hidden
    from largest left join merged using (repository_id, number, currency)
    where largest.change > coalesce(merged.change, 0) group by rule, currency
    union all
    select rule, null, null, 0, count(distinct (repository_id, number)) filter (where figures and (blocked_unknown or is_merge_unknown)),
      count(distinct (repository_id, number)) filter (where not figures)
    from ended group by grouping sets ((rule), ())
    order by rule, currency`.execute(db);
  return (rule) => {
    const own = rows.filter((row) => row.rule === rule);
    const { unknown = 0, hidden = 0 } = own.find(({ currency }) => currency === null) ?? {};
    const amounts = own.flatMap(({ currency, change, pulls }) =>
      currency === null || change === null ? [] : [{ currency, change, pulls }],
    );
    return { amounts, unknown, hidden };
  };
}

interface PreventedRow extends Omit<Prevented, "amounts"> {
  readonly rule: string | null;
  /** Null: this row has the counts. */
  readonly currency: string | null;
  readonly change: Decimal | null;
  readonly pulls: number;
}

/** On how many pull requests rules were first violated, and first blocked, in each week of the span; weeks begin on Monday in UTC. */
export async function countWeeks(db: Db, selection: OutcomeSelection) {
  const { from, to } = selection.span;
  const { rows } = await sql<{ readonly week: Date; readonly violated: number; readonly blocked: number }>`
    with own as (${selectOutcomes(db, selection).select(["violated_at", "blocked_at"])})
    select week, count(*) filter (where date_trunc('week', violated_at, 'UTC') = week) as violated,
      count(*) filter (where date_trunc('week', blocked_at, 'UTC') = week) as blocked
    from generate_series(date_trunc('week', ${from}::timestamptz, 'UTC'), ${to}::timestamptz - interval '1 ms', interval '168 hours') as week
    left join own on true group by week order by week`.execute(db);
  return rows;
}

/** A pull request that violated a rule. `totals`: at its last violation, without hidden ones; empty also where they are deleted. */
export type RuleViolation = Awaited<ReturnType<typeof listViolations>>[number];

/** Lists the pull requests that violated rules, the newest first violation first. */
export const listViolations = (db: Db, selection: OutcomeSelection, limit: number) =>
  selectOutcomes(db, selection)
    .where("own.violated_at", "is not", null)
    .innerJoin("repositories", "repositories.repository_id", "own.repository_id")
    .leftJoin("pulls", (join) => join.on(isSamePull("pulls", "own")))
    .select(["own.number", "pulls.title", "own.effect", "own.resolution"])
    .select([sql<string>`repositories.owner_login || '/' || repositories.name`.as("repository")])
    .select([sql<boolean>`coalesce(repositories.figures, false)`.as("figures")])
    .select([sql<Date>`own.violated_at`.as("violatedAt"), "own.blocked_at as blockedAt"])
    .select(["own.passed_at as passedAt", sql<number | null>`${RESOLUTION_MS}`.as("resolutionMs")])
    .select(
      sql<"open" | "merged" | "closed">`case when pulls.state is distinct from 'closed' then 'open'
      when pulls.merged_at is null then 'closed' else 'merged' end`.as("state"),
    )
    .select(selectTotals("own.violated_id").as("totals"))
    .orderBy("own.violated_at", "desc")
    .orderBy("own.repository_id")
    .orderBy("own.number", "desc")
    .limit(limit)
    .execute();

/** Counts the open pull requests of these repositories by repository and outcome. */
export const countOpenPulls = (db: Db, repositoryIds: RepositoryIds) =>
  selectOpenPulls(db, { repositoryIds })
    .select(["pulls.repository_id as repositoryId", selectOutcome.as("outcome")])
    .select(sql<number>`count(*)`.as("pulls"))
    .groupBy(["pulls.repository_id", selectOutcome])
    .execute();

export type RepositoryOutcome = Awaited<ReturnType<typeof countOpenPulls>>[number];
