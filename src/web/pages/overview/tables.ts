import {
  listComparisons,
  listSavings,
  sumMergedChanges,
  type TimeSpan,
} from "../../../store/history/merged-changes.ts";
import { listWaitingApprovals } from "../../../store/history/open-pulls.ts";
import { listBudgets, listEndingWaivers, listPoliciesInForce } from "../../../store/history/policies.ts";
import { countOpenPulls } from "../../../store/history/rule-outcomes.ts";
import type { PageAddress } from "../../page/address.ts";
import type { PageDeps } from "../../page/page.ts";
import { MAX_FILE_ROWS, type SlicedTable } from "../../page/sliced-table.ts";
import { rankRepositories } from "../repository-counts.ts";
import type { PageScope } from "../scope.ts";
import { createApprovalsTable } from "./approvals.ts";
import { createBudgetsTable } from "./budgets.ts";
import { createEstimatesTable } from "./estimates.ts";
import { type OverviewFilter, toPullFilter } from "./filter.ts";
import { createStagesTable, createWeeksTable, splitMerged } from "./merged.ts";
import { createIncreasesTable, createPullsTable } from "./open-pulls.ts";
import { createRepositoriesTable } from "./repositories.ts";
import { createSavingsTable } from "./savings.ts";
import { createWaiversTable } from "./waivers.ts";

const DAY_MS = 86_400_000;
/** Most savings, and most comparisons, that the page goes through; their files have all. */
const MAX_NEWEST = 100;

export interface OverviewTables {
  readonly byName: Readonly<Record<string, SlicedTable>>;
  /** The data of the charts. */
  readonly listMerged: () => Promise<ReturnType<typeof splitMerged>>;
  readonly span: TimeSpan;
}

/** Creates the tables of an overview. Nothing is read until one of them is shown. */
export function createTables(
  { db, clock }: PageDeps,
  parts: { readonly scope: PageScope; readonly filter: OverviewFilter; readonly address: PageAddress },
): OverviewTables {
  const { address } = parts;
  const { repositoryIds, repositories } = parts.scope;
  const pulls = toPullFilter(repositoryIds, parts.filter);
  const nowMs = clock.now();
  const span = { from: new Date(nowMs - parts.filter.period.days * DAY_MS), to: new Date(nowMs + 1) };
  const newest = (isFile: boolean) => ({ ...span, limit: isFile ? MAX_FILE_ROWS : MAX_NEWEST });
  const listMerged = readOnce(async () =>
    splitMerged(await sumMergedChanges(db, repositoryIds, span), parts.filter.stage),
  );
  const readPolicies = readOnce(() => listPoliciesInForce(db, repositoryIds));
  const listKnown = async () => (await listMerged()).known;
  const ending = { fromMs: nowMs, toMs: Number.MAX_SAFE_INTEGER };
  const hasRepositories = parts.scope.kind === "organisation";
  const rank = async () => rankRepositories(repositories, await countOpenPulls(db, repositoryIds));
  const byName = {
    pulls: createPullsTable(db, pulls, nowMs),
    increases: createIncreasesTable(db, pulls, nowMs),
    approvals: createApprovalsTable(() => listWaitingApprovals(db, repositoryIds), { address, nowMs }),
    budgets: createBudgetsTable(() => listBudgets(db, repositoryIds, readPolicies()), hasRepositories),
    waivers: createWaiversTable(() => listEndingWaivers(db, repositoryIds, ending, readPolicies()), {
      nowMs,
      hasRepositories,
    }),
    weeks: createWeeksTable(listKnown),
    stages: createStagesTable(listKnown),
    estimates: createEstimatesTable((isFile) => listComparisons(db, repositoryIds, newest(isFile)), nowMs),
    savings: createSavingsTable((isFile) => listSavings(db, repositoryIds, newest(isFile)), nowMs),
    repositories: createRepositoriesTable(rank),
  };
  return { byName, listMerged, span };
}

/** Reads at the first call; later calls return the same answer. */
function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null;
  return () => {
    answer ??= read();
    return answer;
  };
}
