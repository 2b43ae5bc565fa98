import { DAY_MS } from "../../../kernel/clock.ts";
import { compare, type Decimal, decimal, scale, toPlaces, ZERO } from "../../../kernel/money.ts";
import { formatCount, formatPercent, formatUtcDay } from "../../../render/format.ts";
import {
  type AppliedSaving,
  type Comparison,
  listComparisons,
  listSavings,
  sumMergedChanges,
  type TimeSpan,
} from "../../../store/history/merged-changes.ts";
import {
  type ChangeSum,
  listWaitingApprovals,
  type WaitingApprovals,
} from "../../../store/history/open-pulls.ts";
import {
  type BudgetState,
  listBudgets,
  listEndingWaivers,
  listPoliciesInForce,
  type WaiverInForce,
} from "../../../store/history/policies.ts";
import { countOpenPulls } from "../../../store/history/rule-outcomes.ts";
import { formatAddress, formatRepositoryPath, type PageAddress } from "../../page/address.ts";
import {
  buildAgeColumn,
  buildAmountColumn,
  buildCountColumn,
  buildCurrencyColumn,
  buildNameColumn,
  buildPullColumns,
  buildRepositoryColumn,
  buildTextColumn,
  formatAmounts,
  formatChanges,
  joinWords,
} from "../../page/columns.ts";
import type { PageDeps } from "../../page/page.ts";
import {
  type Column,
  createTable,
  MAX_FILE_ROWS,
  type Table,
  type TableBar,
  type TableCell,
} from "../../page/table.ts";
import { OUTCOME_STYLES, type RepositoryCounts, rankRepositories, WAITING } from "../outcomes.ts";
import type { PageScope } from "../scope.ts";
import { type OverviewFilter, toPullFilter } from "./filter.ts";
import { createStagesTable, createWeeksTable, splitMerged } from "./merged.ts";
import { createIncreasesTable, createPullsTable } from "./open-pulls.ts";

/** Most savings, and most comparisons, that the page goes through; their files have all. */
const MAX_NEWEST = 100;

type TableName =
  | "pulls"
  | "increases"
  | "approvals"
  | "budgets"
  | "waivers"
  | "weeks"
  | "stages"
  | "estimates"
  | "savings"
  | "repositories";

export interface OverviewTables {
  readonly byName: Readonly<Record<TableName, Table>>;
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

/** Who can give the approvals that open pull requests lack. A pull request that several can approve counts for each of them. */
function createApprovalsTable(
  list: () => Promise<readonly WaitingApprovals[]>,
  { address, nowMs }: { readonly address: PageAddress; readonly nowMs: number },
): Table {
  const columns: readonly Column<WaitingApprovals>[] = [
    {
      key: "approver",
      label: "Team or person",
      sortable: true,
      cell: ({ approver }) => ({
        text: approver,
        icon: approver.includes("/") ? "people" : "person",
        href: formatAddress(address, { approver, verdict: null, pulls_page: null, increases_page: null }),
      }),
      value: ({ approver }) => approver,
    },
    buildCountColumn({ key: "pulls", label: "Pull requests" }, ({ pulls }) => pulls),
    {
      key: "change",
      label: "Monthly change",
      numeric: true,
      cell: formatWait,
      value: ({ sums }) => sums.map(({ currency, change }) => `${change} ${currency}`).join(", "),
    },
    buildAgeColumn({ key: "oldest_at", label: "Since" }, ({ oldestAt }) => oldestAt, nowMs),
  ];
  return createTable({
    name: "approvals",
    caption: "Waiting for approval",
    empty: "No open pull request waits for an approval.",
    pageSize: 5,
    columns,
    order: { key: "pulls", direction: "descending" },
    rows: list,
  });
}

/** Sums of changes in which some pull requests are missing. */
export interface PartialSums {
  /** One per currency. */
  readonly sums: readonly ChangeSum[];
  /** Number of pull requests whose change is unknown. */
  readonly unknown: number;
  /** Number of pull requests whose amounts this reader may not see. */
  readonly hidden: number;
}

/** Words for sums of which a part is unknown or not shown; `amount` null: none is known. */
export const describeSums = ({ sums, unknown, hidden }: PartialSums) => ({
  amount: sums.length === 0 ? null : formatChanges(sums.toSorted((a, b) => b.pulls - a.pulls)),
  isAtLeast: unknown > 0 && sums.every(({ change }) => compare(change, ZERO) >= 0),
  unknown,
  hidden,
});

function formatWait(wait: WaitingApprovals): TableCell {
  const { amount, isAtLeast, unknown, hidden } = describeSums(wait);
  const missing = [
    ...(unknown > 0 ? [`${formatCount(unknown)} unknown`] : []),
    ...(hidden > 0 ? [`${formatCount(hidden)} not shown`] : []),
  ].join(", ");
  if (amount === null) return { text: missing === "" ? "no change" : missing, tone: "muted" };
  return { text: isAtLeast ? `at least ${amount}` : amount, ...(missing !== "" && { note: missing }) };
}

/** Percent of a budget from which it is marked. */
const NEARLY = 80;
const HUNDRED = decimal("100");

/** The budgets of the policies in force: their use now, and with what open pull requests would add. */
function createBudgetsTable(list: () => Promise<readonly BudgetState[]>, hasRepositories: boolean): Table {
  const columns: readonly Column<BudgetState>[] = [
    {
      ...buildNameColumn<BudgetState>({ key: "budget", label: "Budget" }, ({ rule }) => rule),
      cell: (budget) => formatBudget(budget, hasRepositories),
    },
    buildRepositoryColumn(false),
    {
      key: "percent_used",
      label: "Used",
      numeric: true,
      sortable: true,
      cell: formatUse,
      value: (budget) => toPercent(budget.used, budget),
    },
    buildAmountColumn({ key: "used", label: "Now" }, ({ limit, used, unknown }) => ({
      ...limit,
      amount: used,
      isPartial: unknown.length > 0,
    })),
    buildAmountColumn(
      { key: "forecast", label: "With open pull requests" },
      ({ limit, forecast, unknown }) => ({
        ...limit,
        amount: forecast,
        isPartial: unknown.length > 0,
      }),
    ),
    buildAmountColumn({ key: "limit", label: "Budget" }, ({ limit }) => limit),
    { key: "currency", label: "Currency", value: ({ limit }) => limit.currency },
    { key: "unknown", label: "Unknown workspaces", value: ({ unknown }) => unknown.join(", ") },
  ];
  return createTable({
    name: "budgets",
    caption: "Budgets",
    empty: "The policies in force have no budget.",
    pageSize: 10,
    columns,
    order: { key: "percent_used", direction: "descending" },
    rows: list,
    currencyOf: ({ limit }) => limit.currency,
  });
}

/** Unknown workspaces are named: the amounts lack them. */
function formatBudget({ rule, repository, unknown }: BudgetState, hasRepositories: boolean): TableCell {
  const notes = [
    ...(hasRepositories ? [repository] : []),
    ...(unknown.length > 0 ? [`without ${joinWords(unknown)}`] : []),
  ];
  return { text: rule, code: true, ...(notes.length > 0 && { note: notes.join(", ") }) };
}

/** Null: a budget of nothing. */
const toPercent = (amount: Decimal, { limit }: BudgetState): Decimal | null =>
  compare(limit.amount, ZERO) === 0 ? null : scale(amount, HUNDRED, limit.amount);

function formatUse(budget: BudgetState): TableCell {
  const [now, then] = [toPercent(budget.used, budget), toPercent(budget.forecast, budget)];
  if (now === null || then === null) return { text: "no budget left", tone: "danger" };
  const tone = chooseTone(then);
  const least = budget.unknown.length > 0 ? "at least " : "";
  return {
    text: `${least}${toPlaces(now, 0)}%`,
    note: `${least}${toPlaces(then, 0)}% with open pull requests`,
    bar: { used: toLength(now), forecast: toLength(then), tone },
    tone: tone === "success" ? "muted" : tone,
  };
}

function chooseTone(percent: Decimal): TableBar["tone"] {
  if (compare(percent, HUNDRED) > 0) return "danger";
  return Number(percent) >= NEARLY ? "attention" : "success";
}

const toLength = (percent: Decimal): number => Math.min(100, Math.max(0, Number(toPlaces(percent, 1))));

/** Days before its end from which a waiver is marked. */
const SOON_DAYS = 14;

/** The waivers of the policies in force, the first to expire first. */
function createWaiversTable(
  list: () => Promise<readonly WaiverInForce[]>,
  { nowMs, hasRepositories }: { readonly nowMs: number; readonly hasRepositories: boolean },
): Table {
  const columns: readonly Column<WaiverInForce>[] = [
    {
      ...buildNameColumn<WaiverInForce>({ key: "rule", label: "Rule" }, ({ rule }) => rule),
      cell: ({ rule, reason }) => ({ text: rule, code: true, note: reason }),
    },
    { key: "reason", label: "Reason", value: ({ reason }) => reason },
    buildRepositoryColumn(hasRepositories),
    { key: "base_branches", label: "Base branches", value: ({ baseRefs }) => baseRefs.join(", ") },
    buildTextColumn({ key: "owner", label: "Owner", sortable: true }, ({ owner }) => owner),
    {
      key: "until",
      label: "Ends",
      sortable: true,
      cell: ({ untilMs }) => formatEnd(untilMs, nowMs),
      value: ({ untilMs }) => new Date(untilMs).toISOString(),
    },
  ];
  return createTable({
    name: "waivers",
    caption: "Waivers",
    empty: "No waiver is in force.",
    pageSize: 10,
    columns,
    order: { key: "until", direction: "ascending" },
    rows: list,
  });
}

function formatEnd(untilMs: number, nowMs: number): TableCell {
  const days = Math.ceil((untilMs - nowMs) / DAY_MS);
  const text = days <= 1 ? "within a day" : `in ${days} days`;
  const note = `last day ${formatUtcDay(untilMs - 1)}`;
  return days <= SOON_DAYS ? { text, note, tone: "attention", icon: "alert" } : { text, note };
}

/** What merged pull requests were estimated to cost, and what their workspaces cost since. */
function createEstimatesTable(
  list: (isFile: boolean) => Promise<readonly Comparison[]>,
  nowMs: number,
): Table {
  const columns: readonly Column<Comparison>[] = [
    ...buildPullColumns<Comparison>(),
    buildAmountColumn({ key: "estimated", label: "Estimated" }, ({ currency, estimated }) => ({
      currency,
      amount: estimated,
    })),
    buildAmountColumn({ key: "actual", label: "Actual" }, ({ currency, actual }) => ({
      currency,
      amount: actual,
    })),
    {
      key: "off_by_percent",
      label: "Off by",
      numeric: true,
      sortable: true,
      cell: ({ percent }) => formatDeviation(percent),
      value: ({ percent }) => percent,
    },
    buildCurrencyColumn(),
    buildAgeColumn({ key: "compared_at", label: "Compared" }, ({ comparedAt }) => comparedAt, nowMs),
  ];
  return createTable({
    name: "estimates",
    caption: "Estimate against actual",
    empty: "No merged pull request was compared with its actual cost in this time.",
    pageSize: 5,
    columns,
    order: { key: "compared_at", direction: "descending" },
    rows: list,
    currencyOf: ({ currency }) => currency,
  });
}

/** Percent from which a deviation is marked. */
const LARGE = 20;

/** Null: nothing was estimated, so there is no percentage. */
function formatDeviation(percent: Decimal | null): TableCell {
  if (percent === null) return { text: "estimated at zero", tone: "attention" };
  return { text: formatPercent(percent), tone: Math.abs(Number(percent)) >= LARGE ? "attention" : "muted" };
}

/** Recommendations that merged pull requests carried out, and what they save per month. */
function createSavingsTable(
  list: (isFile: boolean) => Promise<readonly AppliedSaving[]>,
  nowMs: number,
): Table {
  const columns: readonly Column<AppliedSaving>[] = [
    ...buildPullColumns<AppliedSaving>(),
    { key: "recommendation", label: "Recommendation", value: ({ recommendationId }) => recommendationId },
    { key: "state", label: "State", value: ({ state }) => state },
    {
      key: "savings",
      label: "Saves a month",
      numeric: true,
      sortable: true,
      cell: ({ savings: amount, currency }) => ({ text: formatAmounts([{ amount, currency }]) }),
      value: ({ savings }) => savings,
    },
    buildCurrencyColumn(),
    buildAgeColumn({ key: "applied_at", label: "Applied" }, ({ updatedAt }) => updatedAt, nowMs),
  ];
  return createTable({
    name: "savings",
    caption: "Realised savings",
    empty: "No recommendation was carried out in this time.",
    pageSize: 5,
    columns,
    order: { key: "applied_at", direction: "descending" },
    rows: list,
    currencyOf: ({ currency }) => currency,
  });
}

/** The repositories of an organisation that the reader can read, with their open pull requests. */
function createRepositoriesTable(list: () => Promise<readonly RepositoryCounts[]>): Table {
  return createTable({
    name: "repositories",
    caption: "Repositories",
    empty: "There are none.",
    pageSize: 10,
    columns: COLUMNS,
    rows: list,
  });
}

const pathOf = ({ owner, name }: RepositoryCounts): string => formatRepositoryPath(`${owner}/${name}`);

const COLUMNS: readonly Column<RepositoryCounts>[] = [
  {
    key: "repository",
    label: "Repository",
    sortable: true,
    cell: (row) => ({ text: row.name, href: pathOf(row), icon: "repo" }),
    value: ({ owner, name }) => `${owner}/${name}`,
  },
  ...WAITING.map(
    (outcome): Column<RepositoryCounts> => ({
      key: outcome,
      label: OUTCOME_STYLES[outcome].label,
      numeric: true,
      sortable: true,
      cell: (row) => {
        const count = row.pulls[outcome] ?? 0;
        return count === 0
          ? { text: "0", tone: "muted" }
          : { text: String(count), href: `${pathOf(row)}?verdict=${outcome}` };
      },
      value: ({ pulls }) => pulls[outcome] ?? 0,
    }),
  ),
  {
    key: "open",
    label: "Open",
    numeric: true,
    sortable: true,
    cell: ({ open }) => ({ text: String(open) }),
    value: ({ open }) => open,
  },
];
