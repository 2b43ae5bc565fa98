import { type RawBuilder, sql } from "kysely";
import { DAY_MS } from "../src/kernel/clock.ts";
import { toIsoDay } from "../src/kernel/instant.ts";
import { decimal } from "../src/kernel/money.ts";
import { listComparisons, sumSavings } from "../src/store/history/merged-changes.ts";
import { listMergedPulls, type MergedFilter, sumMergedPulls } from "../src/store/history/merged-pulls.ts";
import {
  listOpenPulls,
  listWaitingApprovals,
  sumOpenChanges,
  sumOpenTags,
} from "../src/store/history/open-pulls.ts";
import { listBudgets, listEndingWaivers } from "../src/store/history/policies.ts";
import { listTimeline } from "../src/store/history/pull-history.ts";
import { readRuleStatistics } from "../src/store/history/rule-outcomes.ts";
import type { Database } from "../src/wiring/database/schema.ts";
import { type BenchEngine, openStore } from "./engines.ts";
import type { Prepared } from "./measure.ts";
import { fillYear, NOW, REPOSITORIES } from "./overview-data.ts";

const ALL = Array.from({ length: REPOSITORIES }, (_, at) => at + 1);
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);
const QUARTER = { from: daysAgo(90), to: NOW };
const HALF_YEAR = { from: daysAgo(182), to: NOW };
const YEAR = { from: daysAgo(365), to: NOW };
const NEWEST = { sort: "merged", direction: "desc", limit: 25, offset: 0 } as const;
const PAGE = { sort: "change", direction: "desc", limit: 50, offset: 0 } as const;

const askMerged = (db: Database["db"], filter: MergedFilter) =>
  Promise.all([sumMergedPulls(db, filter), listMergedPulls(db, filter, NEWEST)]);

const plainMerged = (
  from: Date,
) => sql`select merged.author_login, count(*), sum(change) from merged_pulls as merged
  join merged_parts using (repository_id, number) where position = 0 and merged.merged_at >= ${from} group by 1`;

interface Question {
  readonly what: string;
  ask(db: Database["db"]): Promise<unknown>;
  /** What a person would type to learn the same, without figures that are hidden or unknown. */
  readonly plain: RawBuilder<unknown>;
}

const QUESTIONS: readonly Question[] = [
  {
    what: "open pull requests, 50 largest increases",
    ask: (db) => listOpenPulls(db, { repositoryIds: ALL }, PAGE),
    plain: sql`select * from pulls natural join (select repository_id, number, evaluation_id, decision from evaluations) as e
      join evaluation_totals using (evaluation_id) where pulls.state = 'open' order by change desc limit 50`,
  },
  {
    what: "open pull requests with a text and a stage, third page",
    ask: (db) =>
      listOpenPulls(
        db,
        { repositoryIds: ALL, text: "a1", stage: "prod" },
        { ...PAGE, sort: "title", offset: 100 },
      ),
    plain: sql`select * from pulls natural join (select repository_id, number, evaluation_id, decision from evaluations) as e
      join evaluation_stages using (evaluation_id) where pulls.state = 'open' and title ilike '%a1%' and name = 'prod'
      order by title limit 50 offset 100`,
  },
  {
    what: "open pull requests by outcome with their change",
    ask: (db) => sumOpenChanges(db, { repositoryIds: ALL }),
    plain: sql`select decision, currency, count(*), sum(change) from pulls
      join evaluations using (repository_id, number) join evaluation_totals using (evaluation_id)
      where pulls.state = 'open' group by 1, 2`,
  },
  {
    what: "open pull requests of one tag, with all its changes",
    ask: (db) => listOpenPulls(db, { repositoryIds: ALL, tag: { kind: "value", value: "team-7" } }, PAGE),
    plain: sql`select * from pulls natural join (select repository_id, number, evaluation_id, decision from evaluations) as e
      join evaluation_tags using (evaluation_id) where pulls.state = 'open' and value = 'team-7' order by change desc limit 50`,
  },
  {
    what: "open changes by tag",
    ask: (db) => sumOpenTags(db, { repositoryIds: ALL }),
    plain: sql`select key, value, currency, count(*), sum(change) from pulls
      join evaluations using (repository_id, number) join evaluation_tags using (evaluation_id)
      where pulls.state = 'open' group by 1, 2, 3`,
  },
  {
    what: "waiting for approval, by team",
    ask: (db) => listWaitingApprovals(db, ALL),
    plain: sql`select approver, currency, count(*), sum(change) from pulls
      join evaluations using (repository_id, number) join evaluation_approvals using (evaluation_id)
      join evaluation_totals using (evaluation_id) where pulls.state = 'open' group by 1, 2`,
  },
  {
    what: "merged change of 26 weeks by stage",
    ask: (db) => sumMergedPulls(db, { repositoryIds: ALL, span: HALF_YEAR }),
    plain: sql`select date_trunc('week', merged_at), workspace, currency, sum(change::numeric) from merged_stages
      where merged_at >= ${HALF_YEAR.from} group by 1, 2, 3`,
  },
  {
    what: "merged pull requests of a quarter: all sections of their page",
    ask: (db) => askMerged(db, { repositoryIds: ALL, span: QUARTER }),
    plain: plainMerged(QUARTER.from),
  },
  {
    what: "merged pull requests of a year: all sections of their page",
    ask: (db) => askMerged(db, { repositoryIds: ALL, span: YEAR }),
    plain: plainMerged(YEAR.from),
  },
  {
    what: "merged pull requests of a year by a team's author above an amount",
    ask: (db) =>
      askMerged(db, {
        ...{ repositoryIds: ALL, span: YEAR, author: "person-7", tag: { kind: "value", value: "team-7" } },
        changeAtLeast: { amount: decimal("500"), currency: "USD" },
      }),
    plain: plainMerged(YEAR.from),
  },
  {
    what: "merged pull requests of a year, 25 largest increases",
    ask: (db) => listMergedPulls(db, { repositoryIds: ALL, span: YEAR }, { ...NEWEST, sort: "change" }),
    plain: sql`select * from merged_pulls join merged_parts using (repository_id, number) where position = 0 order by change desc limit 25`,
  },
  {
    what: "savings of 26 weeks",
    ask: (db) => sumSavings(db, ALL, HALF_YEAR),
    plain: sql`select currency, count(*), sum(savings::numeric) from applied_recommendations
      where updated_at >= ${HALF_YEAR.from} group by 1`,
  },
  {
    what: "estimate against actual, newest 50",
    ask: (db) => listComparisons(db, ALL, { ...HALF_YEAR, limit: 50 }),
    plain: sql`select * from merge_comparisons where compared_at >= ${HALF_YEAR.from} order by compared_at desc limit 50`,
  },
  {
    what: "budgets with use and forecast",
    ask: (db) => listBudgets(db, ALL, { day: toIsoDay(Date.now()), yearStart: "01-01" }),
    plain: sql`select repository_id, sum(amount::numeric) from workspace_costs group by 1
      union all select repository_id, sum(amount::numeric) from budget_claims group by 1`,
  },
  {
    what: "waivers that end within 30 days",
    ask: (db) => listEndingWaivers(db, ALL, { fromMs: NOW.getTime(), toMs: NOW.getTime() + 30 * DAY_MS }),
    plain: sql`select policy_blobs, policy from policies`,
  },
  {
    what: "statistics of all rules over 90 days",
    ask: (db) => readRuleStatistics(db, { repositoryIds: ALL, span: QUARTER }),
    plain: sql`select rule, count(*), count(blocked_at), count(approved_at) from rule_outcomes
      where last_at >= ${QUARTER.from} group by 1`,
  },
  {
    what: "timeline of a pull request with ten evaluations",
    ask: (db) => listTimeline(db, { repositoryId: 1 + (4_321 % REPOSITORIES), number: 4_321 }, 100),
    plain: sql`select evaluation_id, begun_at, decision, change from past_evaluations
      join evaluation_totals using (evaluation_id) where repository_id = ${1 + (4_321 % REPOSITORIES)} and number = 4321`,
  },
];

/** The questions of the overview pages in an organisation with 100,000 evaluations. */
export async function prepare(engine: BenchEngine): Promise<Prepared> {
  const { db, close } = await openStore(engine);
  await fillYear({ db });
  const measures = QUESTIONS.map(({ what, ask, plain }) => ({
    what: `${what}, p95`,
    goal: engine.name === "embedded" ? "≤ 300 ms" : "≤ 150 ms",
    rounds: 40,
    share: 0.95,
    run: async () => void (await ask(db)),
    floor: async () => void (await plain.execute(db)),
  }));
  return { measures, close };
}
