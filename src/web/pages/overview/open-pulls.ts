import type { Kysely } from "kysely";
import { ZERO } from "../../../kernel/money.ts";
import type { TagLabel } from "../../../report/model/report.ts";
import {
  listOpenPulls,
  type OpenPull,
  type OpenPullFilter,
  type OpenPullSort,
} from "../../../store/history/open-pulls.ts";
import type { Tables } from "../../../store/tables/tables.ts";
import { formatPullPath } from "../../page/address.ts";
import {
  buildAgeColumn,
  buildFigureColumn,
  buildFileColumn,
  buildPullColumns,
  chooseChangeTone,
  formatChange,
  formatChanges,
  joinWords,
  NOT_SHOWN,
} from "../../page/columns.ts";
import { type Column, createSlicedTable, type Table, type TableCell } from "../../page/table.ts";
import { OUTCOME_LABELS } from "../outcomes.ts";
import { splitCurrencies } from "../sums.ts";
import { describeTag, formatTagChoice } from "../tag-choice.ts";

/** The open pull requests of a filter. */
export const createPullsTable = (db: Kysely<Tables>, filter: OpenPullFilter, nowMs: number): Table =>
  createSlicedTable<OpenPull>({
    ...{ name: "pulls", caption: "Open pull requests", pageSize: 25 },
    empty: "No open pull request matches.",
    columns: buildColumns(filter, nowMs),
    order: { key: "evaluated_at", direction: "descending" },
    read: ({ order, ...page }) => {
      const direction = order?.direction === "ascending" ? "asc" : "desc";
      return readRows(db, filter, { ...page, sort: SORTS[order?.key ?? ""] ?? "evaluated", direction });
    },
  });

/** The largest increases among the open pull requests of a filter. */
export const createIncreasesTable = (db: Kysely<Tables>, filter: OpenPullFilter, nowMs: number): Table =>
  createSlicedTable<OpenPull>({
    ...{ name: "increases", caption: "Largest increases", pageSize: 5 },
    empty: "No open pull request raises the monthly cost.",
    columns: buildColumns(filter, nowMs).map(({ cell, key, ...column }) => {
      const isShown = cell !== undefined && ["title", "verdict", "change"].includes(key);
      return { ...column, key, sortable: false, ...(isShown && { cell }) };
    }),
    read: ({ order: _, ...page }) =>
      readRows(db, { ...filter, isIncrease: true }, { ...page, sort: "change", direction: "desc" }),
  });

async function readRows(
  db: Kysely<Tables>,
  filter: OpenPullFilter,
  { isFile, ...page }: Parameters<typeof listOpenPulls>[2] & { readonly isFile: boolean },
) {
  const { pulls, total } = await listOpenPulls(db, filter, page);
  return { rows: isFile ? pulls.flatMap(splitCurrencies) : pulls, total };
}

const SORTS: Readonly<Record<string, OpenPullSort>> = {
  title: "title",
  change: "change",
  opened_at: "opened",
  evaluated_at: "evaluated",
};

const buildColumns = ({ tag }: OpenPullFilter, nowMs: number): readonly Column<OpenPull>[] => [
  ...buildPullColumns<OpenPull>().map((one) => (one.key === "title" ? { ...one, cell: formatTitle } : one)),
  buildFigureColumn(
    { key: "change", label: "Monthly change" },
    ({ totals: [total] }) => total?.change ?? null,
    formatPullChange,
  ),
  ...(tag === undefined ? [] : [buildTagChangeColumn(tag)]),
  buildFileColumn("tags", ({ tags }) => tags.map(formatTagChoice).join(", ")),
  buildFileColumn("author", ({ author }) => author),
  buildFileColumn("is_draft", ({ isDraft }) => isDraft),
  {
    ...{ key: "verdict", label: "Verdict" },
    cell: ({ outcome }) => OUTCOME_LABELS[outcome],
    value: ({ outcome }) => outcome,
  },
  {
    ...{ key: "waiting_for", label: "Waiting for" },
    cell: ({ waitingFor }) => ({ text: joinWords(waitingFor) }),
    value: ({ waitingFor }) => waitingFor.join(", "),
  },
  ...(["before", "after", "currency"] as const).map((key) =>
    buildFileColumn<OpenPull>(key, ({ totals: [total] }) => total?.[key] ?? null),
  ),
  buildFileColumn("cost", ({ cost }) => cost ?? "unknown"),
  buildAgeColumn({ key: "opened_at", label: "Opened" }, ({ openedAt }) => openedAt, nowMs),
  buildAgeColumn({ key: "evaluated_at", label: "Evaluated" }, ({ evaluatedAt }) => evaluatedAt, nowMs),
];

/** What of its change is that of a value of a tag. */
function buildTagChangeColumn(chosen: TagLabel): Column<OpenPull> {
  const { kind, value } = chosen;
  const list = ({ tags }: OpenPull) => tags.filter((tag) => tag.kind === kind && tag.value === value);
  return {
    ...{ key: "tag_change", label: `Of which ${describeTag(chosen)}`, numeric: true },
    cell: (pull) => ({ text: formatChanges(list(pull)) }),
    value: (pull) => list(pull).find(({ currency }) => currency === pull.totals[0]?.currency)?.change ?? null,
  };
}

function formatTitle({ repository, number, title, author, isDraft }: OpenPull): TableCell {
  const draft = isDraft === true ? ", a draft" : "";
  const by = author === null ? "" : ` by ${author}`;
  return {
    text: title ?? `Pull request ${number}`,
    href: formatPullPath(repository, number),
    icon: isDraft === true ? "git-pull-request-draft" : "git-pull-request",
    note: `${repository}#${number}${by}${draft}`,
  };
}

/** A change that is only partly known says so; hidden ones are no amount. */
function formatPullChange({ cost, totals: [first, ...others] }: OpenPull): TableCell {
  if (cost === "hidden") return NOT_SHOWN;
  if (cost === "none") return { text: "no change", tone: "muted" };
  const isZeroOfPart = cost === "unknown" && first?.change === ZERO;
  if (first === undefined || first.change === null || isZeroOfPart)
    return { text: "unknown", tone: "attention" };
  const notes = [...others.map(formatChange), ...(cost === "unknown" ? ["partly unknown"] : [])];
  return {
    text: formatChange(first),
    tone: chooseChangeTone(first.change),
    ...(notes.length > 0 && { note: joinWords(notes) }),
  };
}
