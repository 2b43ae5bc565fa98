import { compare, sum, ZERO } from "../../../kernel/money.ts";
import { readOnce } from "../../../kernel/read-once.ts";
import { createMoneyStyle, formatCount, formatUtcDay } from "../../../render/format.ts";
import {
  listMergedPulls,
  type MergedFilter,
  type MergedPull,
  type MergedSort,
  type MergedSums,
  type ModuleSum,
  sumMergedChanges,
  sumMergedModules,
  sumMergedPulls,
  sumMergedTags,
  type TagSum,
} from "../../../store/history/merged-pulls.ts";
import type { MergeWay } from "../../../store/tables/after-merge.ts";
import { formatAddress, type PageAddress } from "../../page/address.ts";
import {
  buildCountColumn,
  buildCurrencyColumn,
  buildFigureColumn,
  buildFileColumn,
  buildPullColumns,
  chooseChangeTone,
  formatChanges,
  NO_VALUE,
  UNKNOWN,
} from "../../page/columns.ts";
import type { Label } from "../../page/html.ts";
import type { PageDeps } from "../../page/page.ts";
import { type Column, createSlicedTable, createTable, type TableCell } from "../../page/table.ts";
import type { PageScope } from "../scope.ts";
import { addSums, buildSumCell, type RowSum } from "../sums.ts";
import { buildTagCell, describeTag, formatTagChoice } from "../tag-choice.ts";
import { createWeeksTable, type MergedChange, splitMerged } from "./weeks.ts";

export const WAY_LABELS: Readonly<Record<MergeWay, Label>> = {
  over_check: { text: "Over a failing check", icon: "unlock", tone: "danger" },
  overridden: { text: "Overridden", icon: "unlock", tone: "attention" },
  approved: { text: "Approved", icon: "person", tone: "accent" },
  waived: { text: "Waived", icon: "calendar", tone: "attention" },
  warned: { text: "With warnings", icon: "alert", tone: "attention" },
  passed: { text: "Passed", icon: "check-circle-fill", tone: "success" },
  no_check: { text: "No check", icon: "skip", tone: "muted" },
};

export type MergedTables = ReturnType<typeof createMergedTables>;

/** Creates the tables of merged pull requests. Nothing is read until one of them is shown. */
export function createMergedTables(
  { db }: Pick<PageDeps, "db">,
  {
    scope,
    filter,
    address,
  }: { readonly scope: PageScope; readonly filter: MergedFilter; readonly address: PageAddress },
) {
  const { way, ...anyWay } = filter;
  const sumAll = readOnce(() => sumMergedPulls(db, anyWay));
  const sumMatching = async () => (await sumAll()).filter((sums) => way === undefined || sums.way === way);
  const listChanges = readOnce(async () => splitMerged(await sumMergedChanges(db, filter)));
  const listTags = readOnce(() => sumMergedTags(db, filter));
  const byName = {
    pulls: createSlicedTable<PullRow>({
      ...{ name: "pulls", caption: "Merged pull requests", pageSize: 15 },
      empty: "No merged pull request matches.",
      columns: PULL_COLUMNS,
      order: { key: "merged_at", direction: "descending" },
      read: async ({ order, isFile, ...page }) => {
        const direction = order?.direction === "ascending" ? "asc" : "desc";
        const sort = SORTS[order?.key ?? ""] ?? "merged";
        const pulls = await listMergedPulls(db, filter, { ...page, sort, direction });
        const total = (await sumMatching()).reduce((sum, { pulls: count }) => sum + count, 0);
        return { rows: pulls.flatMap((pull) => toRows(pull, isFile)), total };
      },
    }),
    teams: createTable<TagSum>({
      ...{ name: "teams", caption: "Merged change by tag", pageSize: 5 },
      empty: "Nothing that was merged changes the cost of a tag.",
      columns: [
        {
          ...{ key: "tag", label: "Tag", sortable: true },
          cell: ({ key, ...tag }) => ({
            ...buildTagCell(tag),
            href: chooseIn(address, { tag: formatTagChoice(tag) }),
          }),
          value: ({ value }) => value,
        },
        buildFileColumn("tag_kind", ({ kind }) => kind),
        buildFileColumn("tag_key", ({ key }) => key),
        ...SUM_COLUMNS,
      ],
      ...BY_CHANGE,
      rows: listTags,
    }),
    authors: createTable<AuthorRow>({
      ...{ name: "authors", caption: "Merged change by author", pageSize: 5 },
      empty: "Nothing was merged in this time.",
      columns: [
        {
          ...{ key: "author", label: "Author", sortable: true },
          cell: ({ author }) =>
            author === null ? NO_VALUE : { text: author, href: chooseIn(address, { author }) },
          value: ({ author }) => author,
        },
        ...SUM_COLUMNS,
        buildFileColumn("hidden", ({ hidden }) => hidden),
      ],
      ...BY_CHANGE,
      rows: async () => listAuthors(await sumMatching()),
    }),
    modules: createTable<ModuleSum>({
      ...{ name: "modules", caption: "Merged change by module", pageSize: 5 },
      empty: "Nothing that was merged changes the cost of a module.",
      columns: listModuleColumns(scope, address),
      ...BY_CHANGE,
      rows: () => sumMergedModules(db, filter),
    }),
    stages: createTable<StageRow>({
      ...{ name: "stages", caption: "Merged change by stage", pageSize: 5 },
      empty: "Nothing with a known cost was merged in this time.",
      columns: [
        {
          ...{ key: "stage", label: "Stage", sortable: true },
          cell: ({ stage }) => ({ text: stage, code: true, href: chooseIn(address, { stage }) }),
          value: ({ stage }) => stage,
        },
        ...SUM_COLUMNS,
      ],
      ...BY_CHANGE,
      rows: async () => sumStages((await listChanges()).known),
    }),
    weeks: createWeeksTable(async () => (await listChanges()).known),
  };
  return { byName, sumAll, sumMatching, listChanges, listTags };
}

/** The same page with another filter, from the first page of its lists on. */
export const chooseIn = (address: PageAddress, changes: Readonly<Record<string, string | null>>): string =>
  formatAddress(address, { ...changes, pulls_page: null });

const BY_CHANGE = {
  order: { key: "change", direction: "descending" },
  currencyOf: ({ currency }: { readonly currency: string | null }) => currency,
} as const;

const SUM_COLUMNS: readonly Column<RowSum>[] = [
  buildCountColumn({ key: "pulls", label: "Merged" }, ({ pulls }) => pulls),
  buildFigureColumn(
    { key: "change", label: "Monthly change" },
    ({ currency, pulls, unknown, change }) => (currency === null || pulls === unknown ? null : change),
    buildSumCell,
  ),
  buildFileColumn("unknown", ({ unknown }) => unknown),
  buildCurrencyColumn(),
];

interface AuthorRow extends RowSum {
  readonly author: string | null;
  readonly hidden: number;
}

/** One row per author and currency; an author without a known change has one. */
function listAuthors(sums: readonly MergedSums[]): readonly AuthorRow[] {
  return [...Map.groupBy(sums, ({ author }) => author)].flatMap(([author, own]): readonly AuthorRow[] => {
    const { sums: known, unknown, hidden } = addSums(own);
    const pulls = own.reduce((total, one) => total + one.pulls, 0);
    const rest = { author, pulls, unknown, hidden };
    if (known.length === 0) return [{ ...rest, currency: null, change: ZERO }];
    return known.map(({ currency, change }) => ({ ...rest, currency, change }));
  });
}

interface StageRow extends RowSum {
  readonly stage: string;
}

/** Sums over all weeks. */
function sumStages(changes: readonly MergedChange[]): readonly StageRow[] {
  const groups = Map.groupBy(changes, ({ stage, currency }) => JSON.stringify([stage, currency]));
  return [...groups.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const pulls = own.reduce((total, one) => total + one.pulls, 0);
    const unknown = own.reduce((total, one) => total + one.unknown, 0);
    return [{ ...first, change: sum(own.map(({ change }) => change)), pulls, unknown }];
  });
}

function listModuleColumns(
  { kind, repositories }: PageScope,
  address: PageAddress,
): readonly Column<ModuleSum>[] {
  const names = new Map(repositories.map(({ repositoryId, name }) => [repositoryId, name]));
  const nameOf = ({ repositoryId }: ModuleSum): string => names.get(repositoryId) ?? "";
  return [
    {
      ...{ key: "module", label: "Module", sortable: true },
      cell: (row) => ({
        ...(row.module === null
          ? { text: "in no module", tone: "muted" }
          : { text: row.module, code: true, href: chooseIn(address, { module: row.module }) }),
        ...(kind === "organisation" && { note: nameOf(row) }),
      }),
      value: ({ module }) => module,
    },
    buildFileColumn("repository", nameOf),
    ...SUM_COLUMNS,
  ];
}

/** A merged pull request: a page has one row per pull request, a file one per currency. */
interface PullRow extends Omit<MergedPull, "totals"> {
  readonly totals: MergedPull["totals"];
}

const toRows = ({ totals, ...pull }: MergedPull, isFile: boolean): readonly PullRow[] =>
  isFile && totals.length > 1 ? totals.map((total) => ({ ...pull, totals: [total] })) : [{ ...pull, totals }];

const SORTS: Readonly<Record<string, MergedSort>> = {
  title: "title",
  author: "author",
  change: "change",
  merged_at: "merged",
};

const PULL_COLUMNS: readonly Column<PullRow>[] = [
  ...buildPullColumns<PullRow>(),
  {
    ...{ key: "author", label: "Author", sortable: true },
    cell: ({ author }) => (author === null ? NO_VALUE : { text: author }),
    value: ({ author }) => author,
  },
  {
    ...{ key: "teams", label: "For" },
    cell: ({ tags }) => joinNames(tags.map(describeTag)),
    value: ({ tags }) => tags.map(formatTagChoice).join(", "),
  },
  {
    ...{ key: "stages", label: "Stages" },
    cell: ({ stages }) => joinNames(stages),
    value: ({ stages }) => stages.join(", "),
  },
  {
    ...{ key: "modules", label: "Modules" },
    cell: ({ modules }) => joinNames(listModules(modules)),
    value: ({ modules }) => listModules(modules).join(", "),
  },
  {
    ...{ key: "change", label: "Monthly change", numeric: true, sortable: true },
    cell: formatPullChange,
    value: ({ totals: [total] }) => total?.change ?? null,
  },
  buildFileColumn("currency", ({ totals: [total] }) => total?.currency ?? null),
  buildFileColumn("cost", ({ figures, cost }) => (figures ? cost : "hidden")),
  buildFileColumn("verdict", ({ verdict }) => verdict),
  {
    ...{ key: "how", label: "How it got through" },
    cell: formatWay,
    value: ({ way }) => way,
  },
  buildFileColumn("approved_by", ({ consents }) => consents.map(({ login }) => login).join(", ")),
  buildFileColumn("up_to", ({ consents }) =>
    consents.flatMap(({ amount, currency }) => (amount === null ? [] : [`${amount} ${currency}`])).join(", "),
  ),
  buildFileColumn("merged_by", ({ mergedBy }) => mergedBy),
  {
    ...{ key: "merged_at", label: "Merged", sortable: true },
    cell: ({ mergedAt, mergedBy }) => ({
      text: formatUtcDay(mergedAt.getTime()),
      ...(mergedBy !== null && { note: `by ${mergedBy}` }),
    }),
    value: ({ mergedAt }) => mergedAt.toISOString(),
  },
];

/** Names of modules, each once. */
export const listModules = (modules: readonly (string | null)[]): string[] => [
  ...new Set(modules.filter((name) => name !== null)),
];

/** Most names of a cell. */
const MAX_NAMES = 2;

function joinNames(names: readonly string[]): TableCell {
  if (names.length === 0) return NO_VALUE;
  const more = names.length - MAX_NAMES;
  return {
    text: names.slice(0, MAX_NAMES).join(", "),
    ...(more > 0 && { note: `and ${formatCount(more)} more` }),
  };
}

function formatPullChange({ figures, cost, totals }: PullRow): TableCell {
  if (!figures) return { text: "not shown", tone: "muted" };
  if (totals.length === 0) return cost === "none" ? NO_VALUE : UNKNOWN;
  const isPartial = cost === "unknown";
  const isAtLeast = isPartial && totals.every(({ change }) => compare(change, ZERO) >= 0);
  return {
    text: `${isAtLeast ? "at least " : ""}${formatChanges(totals)}`,
    tone: chooseChangeTone(totals[0]?.change ?? null),
    ...(isPartial && { note: "not fully known" }),
  };
}

/** How it got through, and by whose consent up to which amount. */
function formatWay({ way, consents }: PullRow): TableCell {
  const { text, icon, tone } = WAY_LABELS[way];
  const people = consents.map(({ login, amount, currency }) =>
    amount === null || currency === null
      ? login
      : `${login} up to ${createMoneyStyle(currency).amount(amount)}`,
  );
  return { text, icon, tone, ...(people.length > 0 && { note: `by ${people.join(", ")}` }) };
}
