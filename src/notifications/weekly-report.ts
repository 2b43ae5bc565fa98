import type { Clock } from "../kernel/clock.ts";
import { toIsoDay } from "../kernel/instant.ts";
import { absolute, compare, type Decimal, HUNDRED, scale, ZERO } from "../kernel/money.ts";
import { findReportedWeek, type ReportedWeek } from "../policy/notifications/digest-time.ts";
import type { WeeklyReport } from "../policy/notifications/notification.ts";
import { isCovered, type TargetRules } from "../policy/notifications/pull-notices.ts";
import type { Queue } from "../queue/queue.ts";
import { listComparisons } from "../store/history/merged-changes.ts";
import { addMergedPulls, sumMergedPulls } from "../store/history/merged-pulls.ts";
import { listWaitingApprovals } from "../store/history/open-pulls.ts";
import { listBudgets } from "../store/history/policies.ts";
import { countReadableRepositories, listReadableBy } from "../store/history/readable.ts";
import { countOpenPulls, readRuleStatistics } from "../store/history/rule-outcomes.ts";
import { listInstallations } from "../store/installations.ts";
import { recordNotices } from "../store/notifications/notices.ts";
import type { Db } from "../store/tables/tables.ts";

export interface ReportDeps {
  readonly db: Db;
  readonly queue: Pick<Queue, "enqueueNotifications">;
  readonly clock: Clock;
  readonly targets: readonly TargetRules[];
  /** `MM-DD`. */
  readonly fiscalYearStarts: string;
}

/**
 * Returns a function that stores the reports on the last week, one for each organisation and target with `digest: weekly`, when they are
 * due. Several processes store one. Where no process runs from the digest until a day after it, there is none.
 */
export function createWeeklyReports(deps: ReportDeps): () => Promise<void> {
  const weekly = deps.targets.filter(({ digest }) => digest === "weekly");
  let doneMs: number | null = null;
  return async () => {
    const week = weekly.length === 0 ? null : findReportedWeek(deps.clock.now());
    if (week === null || week.toMs === doneMs) return;
    for (const target of weekly) await recordReports(deps, target, week);
    doneMs = week.toMs;
  };
}

async function recordReports(deps: ReportDeps, target: TargetRules, week: ReportedWeek): Promise<void> {
  const { db, queue, clock } = deps;
  for (const { owner_id: ownerId, owner_login: owner } of await listInstallations(db)) {
    const all = await listReadableBy(db, { repositoryId: null, ownerId });
    const own = [...all].filter((repositoryId) => isCovered(target, { ownerId, repositoryId }));
    if (own.length === 0) continue;
    const notification = { owner, ...(await buildWeeklyReport(deps, own, week)) };
    const change = { key: notification.from, notification, digestMs: week.sendMs };
    const notice = { target: target.name, subject: `weekly report ${ownerId}`, change };
    await recordNotices(db, [notice], { now: new Date(clock.now()), fence: null });
  }
  await queue.enqueueNotifications(target.name);
}

/** Budgets and estimates that a report names. */
const MAX_LISTED = 3;
/** Comparisons of a week among which the worst are chosen. */
const MAX_COMPARED = 1_000;

async function buildWeeklyReport(
  { db, fiscalYearStarts: yearStart }: ReportDeps,
  repositoryIds: readonly number[],
  { fromMs, toMs }: ReportedWeek,
): Promise<Omit<WeeklyReport, "owner">> {
  const span = { from: new Date(fromMs), to: new Date(toMs) };
  const { pulls, sums, unknown } = addMergedPulls(await sumMergedPulls(db, { repositoryIds, span }));
  const open = await countOpenPulls(db, repositoryIds);
  const count = (outcome: string) =>
    open.filter((row) => row.outcome === outcome).reduce((all, { pulls }) => all + pulls, 0);
  const { prevented } = await readRuleStatistics(db, { repositoryIds, span });
  return {
    event: "weekly-report",
    from: toIsoDay(fromMs),
    to: toIsoDay(toMs - 1),
    merged: {
      pulls,
      // An unknown change may be in any currency.
      changes: sums.map(({ currency, change }) => ({ currency, change, isPartial: unknown > 0 })),
    },
    blocked: count("block"),
    waiting: count("approval"),
    longest: findLongest(await listWaitingApprovals(db, repositoryIds)),
    prevented: {
      amounts: prevented.amounts.map(({ currency, change }) => ({ amount: change, currency })),
      isPartial: prevented.unknown > 0,
    },
    budgets: listWorstBudgets(await listBudgets(db, repositoryIds, { day: toIsoDay(toMs), yearStart })),
    estimates: listWorstEstimates(await listComparisons(db, repositoryIds, { ...span, limit: MAX_COMPARED })),
    hidden: (await countReadableRepositories(db, repositoryIds)).hidden,
  };
}

type Rows<Query extends (...parameters: never[]) => Promise<readonly unknown[]>> = Awaited<ReturnType<Query>>;

function findLongest(rows: Rows<typeof listWaitingApprovals>): WeeklyReport["longest"] {
  const [first] = rows.toSorted((a, b) => a.oldestAt.getTime() - b.oldestAt.getTime());
  if (first === undefined) return null;
  const { approver, pulls, oldestAt } = first;
  return { approver, pulls, since: toIsoDay(oldestAt.getTime()) };
}

function listWorstBudgets(rows: Rows<typeof listBudgets>): WeeklyReport["budgets"] {
  const share = ({ used, limit: { amount } }: (typeof rows)[number]): Decimal =>
    compare(amount, ZERO) > 0 ? scale(used, HUNDRED, amount) : HUNDRED;
  return rows
    .toSorted((a, b) => compare(share(b), share(a)))
    .slice(0, MAX_LISTED)
    .map(({ repository, rule, used, limit, period }) => ({
      ...{ repository, budget: rule, limit, lastDay: period?.to ?? null },
      used: { amount: used, currency: limit.currency },
    }));
}

function listWorstEstimates(rows: Rows<typeof listComparisons>): WeeklyReport["estimates"] {
  return rows
    .flatMap(({ repository, number, currency, estimatedChange, actualChange, ofChange: percent }) => {
      if (percent === null || percent === ZERO) return [];
      const money = (amount: Decimal) => ({ amount, currency });
      return [
        { repository, number, estimated: money(estimatedChange), actual: money(actualChange), percent },
      ];
    })
    .toSorted((a, b) => compare(absolute(b.percent), absolute(a.percent)))
    .slice(0, MAX_LISTED);
}
