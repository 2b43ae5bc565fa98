import { ZERO } from "../../../kernel/money.ts";
import { readOnce } from "../../../kernel/read-once.ts";
import { createMoneyStyle, formatCount, formatUtcDay } from "../../../render/format.ts";
import {
  addMergedPulls,
  listMergedPulls,
  type MergedFilter,
  type MergedPull,
  type MergedSum,
  sumMergedPulls,
} from "../../../store/history/merged-pulls.ts";
import { addChangeSums } from "../../../store/history/open-pulls.ts";
import type { MergeWay } from "../../../store/tables/after-merge.ts";
import { formatAddress, type PageAddress } from "../../page/address.ts";
import {
  buildFileColumn,
  buildPullColumns,
  buildTextColumn,
  chooseChangeTone,
  formatChanges,
  NO_VALUE,
  NOT_SHOWN,
  UNKNOWN,
} from "../../page/columns.ts";
import type { Label } from "../../page/html.ts";
import type { PageDeps } from "../../page/page.ts";
import { type Column, createSlicedTable, createTable, type TableCell } from "../../page/table.ts";
import type { PageScope } from "../scope.ts";
import { buildSumColumns, splitCurrencies } from "../sums.ts";
import { buildTagCell, describeTag, formatTagChoice } from "../tag-choice.ts";
import { createWeeksTable, type MergedChange, splitMerged } from "./charts.ts";

export const WAY_LABELS: Readonly<Record<MergeWay, Label>> = {
  over_check: { text: "Over a failing check", icon: "unlock", tone: "danger" },
  overridden: { text: "Overridden", icon: "unlock", tone: "attention" },
  approved: { text: "Approved", icon: "person", tone: "accent" },
  waived: { text: "Waived", icon: "calendar", tone: "attention" },
  warned: { text: "With warnings", icon: "alert", tone: "attention" },
  passed: { text: "Passed", icon: "check-circle-fill", tone: "success" },
  no_check: { text: "No check", icon: "skip", tone: "muted" },
};

/** The same page with another filter, from the first page of its lists on. */
export const chooseIn = (address: PageAddress, changes: Readonly<Record<string, string | null>>): string =>
  formatAddress(address, { ...changes, pulls_page: null });

/** Creates the tables of merged pull requests. Nothing is read until one of them is shown, and then the sums of all. */
export function createMergedTables(
  { db }: Pick<PageDeps, "db">,
  {
    scope: { kind, repositories },
    filter,
    address,
  }: { readonly scope: PageScope; readonly filter: MergedFilter; readonly address: PageAddress },
) {
  const readSums = readOnce(() => sumMergedPulls(db, filter));
  const listWhere = async (part: MergedSum["part"]) => (await readSums()).filter((one) => one.part === part);
  const listChosen = async () =>
    (await readSums()).filter(({ kind: way }) => filter.way === undefined || way === filter.way);
  const listChanges = async () => splitMerged(await readSums()).known;
  const createSums = (
    by: string,
    columns: readonly Column<MergedSum>[],
    rows: () => Promise<readonly MergedSum[]>,
  ) =>
    createTable<MergedSum>({
      ...{ name: by === "tag" ? "teams" : `${by}s`, caption: `Merged change by ${by}`, pageSize: 5 },
      empty: `Nothing that was merged changes the cost of a ${by}.`,
      columns: [...columns, ...buildSumColumns<MergedSum>("Merged")],
      order: { key: "change", direction: "descending" },
      currencyOf: ({ currency }) => currency,
      rows,
    });
  const names = new Map(repositories.map(({ repositoryId, name }) => [repositoryId, name]));
  const nameOf = ({ repositoryId }: MergedSum): string => names.get(repositoryId ?? 0) ?? "";
  const buildChoice = (key: "author" | "module" | "stage", absent: TableCell): Column<MergedSum> => ({
    ...{ key, label: key.replace(/^./, (first) => first.toUpperCase()), sortable: true },
    cell: (row) => ({
      ...(row.name === null
        ? absent
        : { text: row.name, code: key !== "author", href: chooseIn(address, { [key]: row.name }) }),
      ...(key === "module" && kind === "organisation" && { note: nameOf(row) }),
    }),
    value: ({ name }) => name,
  });
  const tag: Column<MergedSum> = {
    ...{ key: "tag", label: "Tag", sortable: true },
    cell: ({ name: value, kind: absent }) => {
      const label = { kind: absent as MergedPull["tags"][number]["kind"], value }; // of a sum by tag
      return { ...buildTagCell(label), href: chooseIn(address, { tag: formatTagChoice(label) }) };
    },
    value: ({ name }) => name,
  };
  const tables = {
    pulls: createSlicedTable<MergedPull>({
      ...{ name: "pulls", caption: "Merged pull requests", pageSize: 15 },
      empty: "No merged pull request matches.",
      columns: PULL_COLUMNS,
      order: { key: "merged_at", direction: "descending" },
      read: async ({ order, isFile, ...page }) => {
        const direction = order?.direction === "ascending" ? "asc" : "desc";
        const sort = (["title", "author", "change"] as const).find((key) => key === order?.key) ?? "merged";
        const pulls = await listMergedPulls(db, filter, { ...page, sort, direction });
        return {
          rows: isFile ? pulls.flatMap(splitCurrencies) : pulls,
          total: addMergedPulls(await listChosen()).pulls,
        };
      },
    }),
    teams: createSums(
      "tag",
      [tag, buildFileColumn("tag_kind", (row) => row.kind), buildFileColumn("tag_key", (row) => row.key)],
      () => listWhere("tag"),
    ),
    authors: createSums(
      "author",
      [buildChoice("author", NO_VALUE), buildFileColumn("hidden", ({ hidden }) => hidden)],
      async () => listAuthors(await listChosen()),
    ),
    modules: createSums(
      "module",
      [buildChoice("module", { text: "in no module", tone: "muted" }), buildFileColumn("repository", nameOf)],
      () => listWhere("module"),
    ),
    stages: createSums("stage", [buildChoice("stage", NO_VALUE)], async () =>
      listStages(await listChanges()),
    ),
    weeks: createWeeksTable(listChanges),
  };
  return { tables, readSums, listChosen, listChanges };
}

/** One row per author and currency, each with the counts of all; an author without a known change has one. */
function listAuthors(sums: readonly MergedSum[]): readonly MergedSum[] {
  const pulls = sums.filter(({ part }) => part === "pull" || part === "total");
  return [...Map.groupBy(pulls, ({ name }) => name).values()].flatMap((own): readonly MergedSum[] => {
    const [first] = own;
    const { sums: known, ...counts } = addMergedPulls(own);
    if (first === undefined) return [];
    if (known.length === 0) return [{ ...first, ...counts, currency: null, change: ZERO }];
    return known.map(({ currency, change }) => ({ ...first, ...counts, currency, change }));
  });
}

/** One row per stage and currency: the sum over all weeks. */
function listStages(changes: readonly MergedChange[]): readonly MergedSum[] {
  const groups = Map.groupBy(changes, ({ name, currency }) => JSON.stringify([name, currency]));
  return [...groups.values()].flatMap((own) => {
    const unknown = own.reduce((added, one) => added + one.unknown, 0);
    return addChangeSums(own).flatMap((added) =>
      own.slice(0, 1).map((one) => ({ ...one, ...added, unknown })),
    );
  });
}

const PULL_COLUMNS: readonly Column<MergedPull>[] = [
  ...buildPullColumns<MergedPull>(),
  {
    ...{ key: "change", label: "Monthly change", numeric: true, sortable: true },
    cell: formatPullChange,
    value: ({ totals: [total] }) => total?.change ?? null,
  },
  buildFileColumn("currency", ({ totals: [total] }) => total?.currency ?? null),
  buildFileColumn("cost", ({ figures, cost }) => (figures ? cost : "hidden")),
  buildFileColumn("verdict", ({ verdict }) => verdict),
  { ...{ key: "how", label: "How it got through" }, cell: formatWay, value: ({ way }) => way },
  buildTextColumn({ key: "author", label: "Author", sortable: true }, ({ author }) => author),
  buildNamesColumn(
    { key: "teams", label: "For" },
    ({ tags }) => tags.map(formatTagChoice),
    ({ tags }) => tags.map(describeTag),
  ),
  buildNamesColumn({ key: "stages", label: "Stages" }, ({ stages }) => stages),
  buildNamesColumn({ key: "modules", label: "Modules" }, ({ modules }) => modules),
  buildFileColumn("approved_by", ({ consents }) => consents.map(({ login }) => login).join(", ")),
  buildFileColumn("up_to", ({ consents }) =>
    consents.flatMap(({ upTo }) => (upTo === null ? [] : [`${upTo.amount} ${upTo.currency}`])).join(", "),
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

/** Names: two of them on the page, all of them in files. */
function buildNamesColumn(
  words: Pick<Column<never>, "key" | "label">,
  read: (pull: MergedPull) => readonly string[],
  describe = read,
): Column<MergedPull> {
  const cell = (pull: MergedPull): TableCell => {
    const [first, ...names] = describe(pull);
    if (first === undefined) return NO_VALUE;
    const more = names.length - 1;
    const text = [first, ...names.slice(0, 1)].join(", ");
    return { text, ...(more > 0 && { note: `and ${formatCount(more)} more` }) };
  };
  return { ...words, cell, value: (pull) => read(pull).join(", ") };
}

function formatPullChange({ figures, cost, totals }: MergedPull): TableCell {
  if (!figures) return NOT_SHOWN;
  if (totals.length === 0) return cost === "none" ? NO_VALUE : UNKNOWN;
  const isPartial = cost === "unknown";
  return {
    text: formatChanges(totals, isPartial),
    tone: chooseChangeTone(totals[0]?.change ?? null),
    ...(isPartial && { note: "not fully known" }),
  };
}

/** How it got through, and by whose consent up to which amount. */
function formatWay({ way, consents }: MergedPull): TableCell {
  const { text, icon, tone } = WAY_LABELS[way];
  const people = consents.map(({ login, upTo }) =>
    upTo === null ? login : `${login} up to ${createMoneyStyle(upTo.currency).amount(upTo.amount)}`,
  );
  return { text, icon, tone, ...(people.length > 0 && { note: `by ${people.join(", ")}` }) };
}
