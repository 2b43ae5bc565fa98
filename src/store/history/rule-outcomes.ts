import { sql } from "kysely";
import type { Enforcement } from "../../policy/model/policy.ts";
import type { Db } from "../tables/tables.ts";
import type { TimeSpan } from "./merged-changes.ts";
import { selectOpenPulls } from "./open-pulls.ts";
import { selectOutcome } from "./pull-history.ts";
import { isReadable, type RepositoryIds, selectExactSum } from "./readable.ts";

/**
 * What a rule did to the pull requests on which it was evaluated in a span of time. Numbers are of pull requests, but `evaluations` of
 * verdicts with different results and `repositories`. `enforce`: the stricter one, if it differs. `overridden`: merged while the rule
 * blocked or was undecided; `changed`: blocked until the pull request or its policy changed; `abandoned`: closed without a merge while it
 * blocked; `open`: it blocks now. `concerned`: the monthly change of those that it blocked, at their last violation, without unknown and
 * hidden ones.
 */
export type RuleStatistics = Awaited<ReturnType<typeof listRuleStatistics>>[number];

/** Statistics of the rules of these repositories, those that blocked most first. */
export async function listRuleStatistics(db: Db, repositoryIds: RepositoryIds, span: TimeSpan) {
  const counts = await selectOutcomes(db, repositoryIds, span)
    .select(["own.rule", sql<Enforcement>`min(own.enforce)`.as("enforce")])
    .select([sql<number>`count(distinct own.repository_id)`.as("repositories")])
    .select([
      countWhere("own.evaluations > 0").as("pulls"),
      sql<number>`sum(own.evaluations)`.as("evaluations"),
    ])
    .select([countWhere("own.evaluations = 0").as("notApplicable")])
    .select([countWhere("own.violated_at is not null").as("violated")])
    .select([countWhere("own.blocked_at is not null").as("blocked")])
    .select([countWhere("own.undecided_at is not null").as("undecided")])
    .select([countWhere("own.approved_at is not null").as("approved")])
    .select([countWhere("own.waived_at is not null").as("waived")])
    .select([countWhere("own.resolution = 'merged'").as("overridden")])
    .select([countWhere("own.resolution in ('changed', 'removed')").as("changed")])
    .select([countWhere("own.resolution = 'closed'").as("abandoned")])
    .select([countWhere("own.effect in ('blocked', 'undecided') and own.resolved_at is null").as("open")])
    .select([MEDIAN.as("medianResolutionMs"), sql<Date>`max(own.last_at)`.as("lastAt")])
    .groupBy("own.rule")
    .orderBy("blocked", "desc")
    .orderBy("own.rule")
    .execute();
  const sums = await sumConcerned(db, repositoryIds, span);
  return counts.map((row) => {
    const own = sums.filter(({ rule }) => rule === row.rule);
    return { ...row, concerned: own.map(({ currency, change, pulls }) => ({ currency, change, pulls })) };
  });
}

const countWhere = (condition: string) => sql<number>`count(*) filter (where ${sql.raw(condition)})`;

/** Median time from the first block to its end, in ms; null: no block ended. */
const MEDIAN = sql<number | null>`(percentile_cont(0.5) within group
  (order by extract(epoch from own.resolved_at - own.blocked_at)::double precision * 1000)
  filter (where own.resolved_at is not null and own.blocked_at is not null))`;

const selectOutcomes = (db: Db, repositoryIds: RepositoryIds, { from, to }: TimeSpan) =>
  db
    .selectFrom("rule_outcomes as own")
    .where(isReadable("own.repository_id", repositoryIds))
    .where("own.last_at", ">=", from)
    .where("own.first_at", "<", to);

const sumConcerned = (db: Db, repositoryIds: RepositoryIds, span: TimeSpan) =>
  selectOutcomes(db, repositoryIds, span)
    .where("own.blocked_at", "is not", null)
    .innerJoin("repositories", "repositories.repository_id", "own.repository_id")
    .where("repositories.figures", "=", true)
    .innerJoin("evaluation_totals as total", "total.evaluation_id", "own.violated_id")
    .where("total.state", "=", "known")
    .where("total.change", "is not", null)
    .select(["own.rule", "total.currency", selectExactSum("total.change").as("change")])
    .select(({ fn }) => fn.countAll<number>().as("pulls"))
    .groupBy(["own.rule", "total.currency"])
    .orderBy("total.currency")
    .execute();

/** Counts the open pull requests of these repositories by repository and outcome. */
export const countOpenPulls = (db: Db, repositoryIds: RepositoryIds) =>
  selectOpenPulls(db, { repositoryIds })
    .select(["pulls.repository_id as repositoryId", selectOutcome.as("outcome")])
    .select(sql<number>`count(*)`.as("pulls"))
    .groupBy(["pulls.repository_id", selectOutcome])
    .execute();

export type RepositoryOutcome = Awaited<ReturnType<typeof countOpenPulls>>[number];
