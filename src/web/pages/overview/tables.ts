import { DAY_MS } from "../../../kernel/clock.ts";
import { toIsoDay } from "../../../kernel/instant.ts";
import { compare, type Decimal, HUNDRED, scale, toPlaces, ZERO } from "../../../kernel/money.ts";
import { readOnce } from "../../../kernel/read-once.ts";
import { isTeam } from "../../../policy/approvals/requests.ts";
import { formatCount, formatMoney, formatPercent, formatUtcDay } from "../../../render/format.ts";
import {
  type AppliedSaving,
  type Comparison,
  findLastDays,
  listComparisons,
  listPartAccuracy,
  listSavings,
  listTemporaryApprovals,
  type PartAccuracy,
  type TemporaryApproval,
} from "../../../store/history/merged-changes.ts";
import { sumMergedPulls } from "../../../store/history/merged-pulls.ts";
import {
  listWaitingApprovals,
  type OpenTagChange,
  sumOpenTags,
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
  buildChangeCell,
  buildCountColumn,
  buildCurrencyColumn,
  buildFigureColumn,
  buildFileColumn,
  buildNameColumn,
  buildPullColumns,
  buildRepositoryColumn,
  buildTextColumn,
  joinWords,
  NO_VALUE,
} from "../../page/columns.ts";
import type { PageDeps } from "../../page/page.ts";
import { type Column, createTable, MAX_FILE_ROWS, type TableBar, type TableCell } from "../../page/table.ts";
import { splitMerged } from "../merged/charts.ts";
import { OUTCOME_LABELS, type RepositoryCounts, rankRepositories, WAITING } from "../outcomes.ts";
import type { PageScope } from "../scope.ts";
import { buildSumColumns, formatSums, listMissing } from "../sums.ts";
import { buildTagCell, formatTagChoice } from "../tag-choice.ts";
import { type OverviewFilter, toPullFilter } from "./filter.ts";
import { createIncreasesTable, createPullsTable } from "./open-pulls.ts";

/** Most savings, and most comparisons, that the page goes through; their files have all. */
const MAX_NEWEST = 100;

export interface OverviewRequest {
  readonly scope: PageScope;
  readonly filter: OverviewFilter;
  readonly address: PageAddress;
}

export type OverviewTables = ReturnType<typeof createTables>;

/** Creates the tables of an overview. Nothing is read until one of them is shown. */
export function createTables(
  { db, clock, fiscalYearStarts }: PageDeps,
  { scope: { kind, repositoryIds, repositories }, filter, address }: OverviewRequest,
) {
  const pulls = toPullFilter(repositoryIds, filter);
  const nowMs = clock.now();
  const span = findLastDays(Number(filter.period), nowMs);
  const newest = (isFile: boolean) => ({ ...span, limit: isFile ? MAX_FILE_ROWS : MAX_NEWEST });
  const listMerged = readOnce(async () =>
    splitMerged(
      await sumMergedPulls(db, {
        repositoryIds,
        span,
        ...(filter.stage !== "" && { stage: filter.stage }),
        ...(filter.author !== "" && { author: filter.author }),
      }),
    ),
  );
  const readPolicies = readOnce(() => listPoliciesInForce(db, repositoryIds));
  const listTags = readOnce(() => sumOpenTags(db, toPullFilter(repositoryIds, { ...filter, tag: null })));
  const hasRepositories = kind === "organisation";
  const byName = {
    pulls: createPullsTable(db, pulls, nowMs),
    increases: createIncreasesTable(db, pulls, nowMs),
    tags: createTable({
      ...{ name: "tags", caption: "Open changes by tag", pageSize: 10 },
      empty: "No open pull request changes the cost of a tag.",
      columns: listTagColumns(address),
      order: { key: "change", direction: "descending" },
      rows: async () => nameKeys(await listTags()),
      currencyOf: ({ currency }) => currency,
    }),
    approvals: createTable({
      ...{ name: "approvals", caption: "Waiting for approval", pageSize: 5 },
      empty: "No open pull request waits for an approval.",
      columns: listApprovalColumns(address, nowMs),
      order: { key: "pulls", direction: "descending" },
      rows: async (isFile) => {
        const waiting = await listWaitingApprovals(db, repositoryIds);
        return isFile ? waiting.flatMap(splitCurrencies) : waiting;
      },
    }),
    budgets: createTable({
      ...{ name: "budgets", caption: "Budgets", pageSize: 10 },
      empty: "The policies in force have no budget.",
      columns: listBudgetColumns(hasRepositories),
      order: { key: "percent_used", direction: "descending" },
      rows: () =>
        listBudgets(db, repositoryIds, { day: toIsoDay(nowMs), yearStart: fiscalYearStarts }, readPolicies()),
      currencyOf: ({ limit }) => limit.currency,
    }),
    waivers: createTable({
      ...{ name: "waivers", caption: "Waivers", pageSize: 10 },
      empty: "No waiver is in force.",
      columns: listWaiverColumns(hasRepositories, nowMs),
      order: { key: "until", direction: "ascending" },
      rows: () =>
        listEndingWaivers(
          db,
          repositoryIds,
          { fromMs: nowMs, toMs: Number.MAX_SAFE_INTEGER },
          readPolicies(),
        ),
    }),
    temporary: createTable({
      ...{ name: "temporary", caption: "Temporary approvals", pageSize: 10 },
      empty: "No merged pull request has a temporary approval.",
      columns: listTemporaryColumns(nowMs),
      order: { key: "until", direction: "ascending" },
      rows: (isFile) =>
        listTemporaryApprovals(db, repositoryIds, { after: span.from, limit: newest(isFile).limit }),
    }),
    estimates: createTable({
      ...{ name: "estimates", caption: "Estimate against actual", pageSize: 5 },
      empty: "No merged pull request was compared with its actual cost in this time.",
      columns: listEstimateColumns(nowMs),
      order: { key: "compared_at", direction: "descending" },
      rows: (isFile) => listComparisons(db, repositoryIds, newest(isFile)),
      currencyOf: ({ currency }) => currency,
    }),
    accuracy: createTable({
      ...{ name: "accuracy", caption: "Estimates by module and resource type", pageSize: 5 },
      empty: "No actual change of a module or a resource type is known in this time.",
      columns: listAccuracyColumns(hasRepositories),
      order: { key: "compared", direction: "descending" },
      rows: () => listPartAccuracy(db, repositoryIds, span.from),
      currencyOf: ({ currency }) => currency,
    }),
    savings: createTable({
      ...{ name: "savings", caption: "Realised savings", pageSize: 5 },
      empty: "No recommendation was carried out in this time.",
      columns: listSavingColumns(nowMs),
      order: { key: "applied_at", direction: "descending" },
      rows: (isFile) => listSavings(db, repositoryIds, newest(isFile)),
      currencyOf: ({ currency }) => currency,
    }),
    repositories: createTable({
      ...{ name: "repositories", caption: "Repositories", empty: "There are none.", pageSize: 10 },
      columns: REPOSITORY_COLUMNS,
      rows: async () => rankRepositories(repositories, await countOpenPulls(db, repositoryIds)),
    }),
  };
  return { byName, listMerged, listTags, span };
}

/** `hasKey`: there are lines of several keys, so each names its own. */
interface TagRow extends OpenTagChange {
  readonly hasKey: boolean;
}

function nameKeys(changes: readonly OpenTagChange[]): readonly TagRow[] {
  const hasKey = new Set(changes.map(({ key }) => key)).size > 1;
  return changes.map((change) => ({ ...change, hasKey }));
}

const listTagColumns = (address: PageAddress): readonly Column<TagRow>[] => [
  {
    ...{ key: "tag", label: "Tag", sortable: true },
    cell: ({ key, hasKey, ...tag }) => ({
      ...buildTagCell(tag),
      href: formatAddress(address, { tag: formatTagChoice(tag), pulls_page: null, increases_page: null }),
      ...(hasKey && { note: key }),
    }),
    value: ({ value }) => value,
  },
  buildFileColumn("tag_kind", ({ kind }) => kind),
  buildFileColumn("tag_key", ({ key }) => key),
  ...buildSumColumns<TagRow>("Pull requests"),
];

/** A file has one row per currency. */
const splitCurrencies = (row: WaitingApprovals): readonly WaitingApprovals[] =>
  row.sums.length < 2 ? [row] : row.sums.map((sum) => ({ ...row, sums: [sum] }));

/** Who can give the approvals that open pull requests lack. A pull request that several can approve counts for each of them. */
const listApprovalColumns = (address: PageAddress, nowMs: number): readonly Column<WaitingApprovals>[] => [
  {
    ...{ key: "approver", label: "Team or person", sortable: true },
    cell: ({ approver }) => ({
      text: approver,
      icon: isTeam(approver) ? "people" : "person",
      href: formatAddress(address, { approver, verdict: null, pulls_page: null, increases_page: null }),
    }),
    value: ({ approver }) => approver,
  },
  buildCountColumn({ key: "pulls", label: "Pull requests" }, ({ pulls }) => pulls),
  {
    ...{ key: "change", label: "Monthly change", numeric: true },
    cell: formatWait,
    value: ({ sums: [sum] }) => sum?.change ?? null,
  },
  buildFileColumn("currency", ({ sums: [sum] }) => sum?.currency ?? null),
  buildAgeColumn({ key: "oldest_at", label: "Since" }, ({ oldestAt }) => oldestAt, nowMs),
];

function formatWait(wait: WaitingApprovals): TableCell {
  const text = formatSums(wait);
  const missing = listMissing(wait).join(", ");
  if (text === null) return { text: missing === "" ? "no change" : missing, tone: "muted" };
  return { text, ...(missing !== "" && { note: missing }) };
}

/** Percent of a budget from which it is marked. */
const NEARLY = 80;

const listBudgetColumns = (hasRepositories: boolean): readonly Column<BudgetState>[] => [
  {
    ...buildNameColumn<BudgetState>({ key: "budget", label: "Budget" }, ({ rule }) => rule),
    cell: (budget) => formatBudget(budget, hasRepositories),
  },
  buildRepositoryColumn(false),
  buildFigureColumn(
    { key: "percent_used", label: "Used" },
    (budget) => toPercent(budget.used, budget),
    formatUse,
  ),
  buildFigureColumn(
    { key: "used", label: "Now" },
    ({ used }) => used,
    ({ used, forecast, period, ...budget }) => ({
      text: formatAtLeast(used, budget),
      ...(period !== null && { note: `${formatAtLeast(forecast, budget)} by the end` }),
    }),
  ),
  buildFileColumn("forecast", ({ forecast }) => forecast),
  buildFigureColumn(
    { key: "with_open", label: "With open pull requests" },
    ({ withOpen }) => withOpen,
    (budget) => ({ text: formatAtLeast(budget.withOpen, budget) }),
  ),
  buildAmountColumn({ key: "limit", label: "Budget" }, ({ limit }) => limit),
  buildFileColumn("period", ({ period }) => period?.unit ?? null),
  buildFileColumn("period_start", ({ period }) => period?.from ?? null),
  buildFileColumn("period_end", ({ period }) => period?.to ?? null),
  buildFileColumn("currency", ({ limit }) => limit.currency),
  buildFileColumn("unknown", ({ unknown }) => unknown.join(", ")),
];

/** Unknown workspaces are named: the amounts lack them. */
function formatBudget(
  { rule, repository, period, unknown }: BudgetState,
  hasRepositories: boolean,
): TableCell {
  const notes = [
    ...(hasRepositories ? [repository] : []),
    ...(period === null ? [] : [`${period.unit} to ${formatUtcDay(Date.parse(period.to))}`]),
    ...(unknown.length > 0 ? [`without ${joinWords(unknown)}`] : []),
  ];
  return { text: rule, code: true, ...(notes.length > 0 && { note: notes.join(", ") }) };
}

const formatAtLeast = (
  amount: Decimal,
  { limit: { currency }, unknown }: Pick<BudgetState, "limit" | "unknown">,
): string => `${unknown.length > 0 ? "at least " : ""}${formatMoney({ amount, currency })}`;

/** Null: a budget of nothing. */
const toPercent = (amount: Decimal, { limit }: BudgetState): Decimal | null =>
  compare(limit.amount, ZERO) === 0 ? null : scale(amount, HUNDRED, limit.amount);

function formatUse(budget: BudgetState): TableCell {
  const [now, then] = [toPercent(budget.used, budget), toPercent(budget.withOpen, budget)];
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

const listWaiverColumns = (hasRepositories: boolean, nowMs: number): readonly Column<WaiverInForce>[] => [
  {
    ...buildNameColumn<WaiverInForce>({ key: "rule", label: "Rule" }, ({ rule }) => rule),
    cell: ({ rule, reason }) => ({ text: rule, code: true, note: reason }),
  },
  buildFileColumn("reason", ({ reason }) => reason),
  buildRepositoryColumn(hasRepositories),
  buildFileColumn("base_branches", ({ baseRefs }) => baseRefs.join(", ")),
  buildTextColumn({ key: "owner", label: "Owner", sortable: true }, ({ owner }) => owner),
  buildEndColumn(nowMs),
];

/** What was accepted for a time, the first to end first. */
const listTemporaryColumns = (nowMs: number): readonly Column<TemporaryApproval>[] => [
  ...buildPullColumns<TemporaryApproval>(),
  buildTextColumn({ key: "approver", label: "Approved by" }, ({ approver }) => approver),
  buildTextColumn({ key: "reason", label: "Reason" }, ({ reason }) => reason),
  {
    ...{ key: "up_to", label: "Up to", numeric: true },
    cell: ({ upTo }) => (upTo === null ? NO_VALUE : { text: formatMoney(upTo) }),
    value: ({ upTo }) => upTo?.amount ?? null,
  },
  buildFileColumn("currency", ({ upTo }) => upTo?.currency ?? null),
  buildEndColumn(nowMs),
];

const buildEndColumn = (nowMs: number): Column<{ readonly untilMs: number }> => ({
  ...{ key: "until", label: "Ends", sortable: true },
  cell: ({ untilMs }) => formatEnd(untilMs, nowMs),
  value: ({ untilMs }) => new Date(untilMs).toISOString(),
});

function formatEnd(untilMs: number, nowMs: number): TableCell {
  const days = Math.ceil((untilMs - nowMs) / DAY_MS);
  const text = days <= 0 ? "ended" : days <= 1 ? "within a day" : `in ${days} days`;
  const note = `last day ${formatUtcDay(untilMs - 1)}`;
  return days <= SOON_DAYS ? { text, note, tone: "attention", icon: "alert" } : { text, note };
}

/** Amounts of the whole are in files only. */
const listEstimateColumns = (nowMs: number): readonly Column<Comparison>[] => [
  ...buildPullColumns<Comparison>(),
  buildFileColumn("before", ({ before }) => before),
  buildFileColumn("estimated", ({ estimated }) => estimated),
  buildFileColumn("actual", ({ actual }) => actual),
  buildSignedColumn("estimated_change", "Estimated change", ({ estimatedChange }) => estimatedChange),
  buildSignedColumn("actual_change", "Actual change", ({ actualChange }) => actualChange),
  buildSignedColumn("off_by", "Off by", ({ miss }) => miss),
  buildMissColumn("off_by_percent", "Of the change", ({ ofChange }) => ofChange),
  buildMissColumn("off_by_percent_of_whole", "Of the whole", ({ ofWhole }) => ofWhole),
  buildCurrencyColumn(),
  buildAgeColumn({ key: "compared_at", label: "Compared" }, ({ comparedAt }) => comparedAt, nowMs),
];

const buildSignedColumn = (key: string, label: string, read: (row: Comparison) => Decimal) =>
  buildFigureColumn<Comparison>({ key, label }, read, (row) => buildChangeCell(read(row), row.currency));

const buildMissColumn = <Row>(key: string, label: string, read: (row: Row) => Decimal | null) =>
  buildFigureColumn<Row>({ key, label }, read, (row) => formatMiss(read(row)));

/** Percent from which a miss is marked. */
const LARGE = 20;

/** Null: what a miss would be related to was estimated at zero. */
const formatMiss = (percent: Decimal | null): TableCell =>
  percent === null
    ? { text: "estimated at zero", tone: "attention" }
    : { text: formatPercent(percent), tone: Math.abs(Number(percent)) >= LARGE ? "attention" : "muted" };

/** Of each module of a repository, and of each resource type: how its estimated changes came out. */
const listAccuracyColumns = (hasRepositories: boolean): readonly Column<PartAccuracy>[] => [
  {
    ...buildNameColumn<PartAccuracy>({ key: "name", label: "Module or type" }, ({ name }) => name),
    cell: ({ kind, name, repository }) => ({
      ...{ text: name, code: true },
      note: kind === "module" ? `module${hasRepositories ? ` of ${repository}` : ""}` : "resource type",
    }),
  },
  buildCountColumn({ key: "compared", label: "Compared" }, ({ compared }) => compared),
  {
    ...buildMissColumn<PartAccuracy>("bias_percent", "Bias", (row) => row.bias_percent),
    cell: ({ bias_percent, over, under }) => ({
      ...formatMiss(bias_percent),
      note: `${formatCount(over)} over, ${formatCount(under)} under`,
    }),
  },
  buildFigureColumn(
    { key: "median_percent", label: "Median miss" },
    (row) => row.median_percent,
    ({ median_percent, mean_percent }) => ({ text: `${median_percent}%`, note: `mean ${mean_percent}%` }),
  ),
  ...FILE_KEYS.map((key) => buildFileColumn<PartAccuracy>(key, (row) => row[key])),
];

const FILE_KEYS = ["kind", "repository", "mean_percent", "over", "under", "low", "high", "currency"] as const;

const listSavingColumns = (nowMs: number): readonly Column<AppliedSaving>[] => [
  ...buildPullColumns<AppliedSaving>(),
  buildFileColumn("recommendation", ({ recommendationId }) => recommendationId),
  buildFileColumn("state", ({ state }) => state),
  buildAmountColumn({ key: "savings", label: "Saves a month" }, ({ savings: amount, currency }) => ({
    ...{ amount, currency },
  })),
  buildCurrencyColumn(),
  buildAgeColumn({ key: "applied_at", label: "Applied" }, ({ updatedAt }) => updatedAt, nowMs),
];

/** The repositories of an organisation that the reader can read, with their open pull requests. */
const REPOSITORY_COLUMNS: readonly Column<RepositoryCounts>[] = [
  {
    ...{ key: "repository", label: "Repository", sortable: true },
    cell: (row) => ({ text: row.name, href: pathOf(row), icon: "repo" }),
    value: ({ owner, name }) => `${owner}/${name}`,
  },
  ...WAITING.map((outcome) =>
    buildFigureColumn<RepositoryCounts>(
      { key: outcome, label: OUTCOME_LABELS[outcome].text },
      ({ pulls }) => pulls[outcome] ?? 0,
      (row) => {
        const count = row.pulls[outcome] ?? 0;
        return count === 0
          ? { text: "0", tone: "muted" }
          : { text: String(count), href: `${pathOf(row)}?verdict=${outcome}` };
      },
    ),
  ),
  buildFigureColumn(
    { key: "open", label: "Open" },
    ({ open }) => open,
    ({ open }) => ({ text: String(open) }),
  ),
];

const pathOf = ({ owner, name }: RepositoryCounts): string => formatRepositoryPath(`${owner}/${name}`);
