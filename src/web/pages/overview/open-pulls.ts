import type { Kysely } from "kysely";
import { ZERO } from "../../../kernel/money.ts";
import {
  listOpenPulls,
  type OpenPull,
  type OpenPullFilter,
  type OpenPullSort,
} from "../../../store/history/open-pulls.ts";
import type { CostFigures } from "../../../store/history/readable.ts";
import type { Tables } from "../../../store/tables/tables.ts";
import { formatPullPath } from "../../page/address.ts";
import { buildAgeColumn, chooseChangeTone, formatChange, joinWords } from "../../page/columns.ts";
import { type Column, createSlicedTable, type Table, type TableCell } from "../../page/table.ts";
import { OUTCOME_STYLES } from "../outcomes.ts";

/** An open pull request with one of its totals: a page has one row per pull request, a file one per currency. */
interface PullRow {
  readonly pull: OpenPull;
  /** Null: no amount is known. */
  readonly total: CostFigures | null;
}

/** The open pull requests of a filter. */
export function createPullsTable(db: Kysely<Tables>, filter: OpenPullFilter, nowMs: number): Table {
  return createSlicedTable<PullRow>({
    name: "pulls",
    caption: "Open pull requests",
    empty: "No open pull request matches.",
    pageSize: 25,
    columns: buildColumns(nowMs),
    order: { key: "evaluated_at", direction: "descending" },
    read: async ({ order, limit, offset, isFile }) => {
      const direction = order?.direction === "ascending" ? "asc" : "desc";
      const sort = SORTS[order?.key ?? ""] ?? "evaluated";
      const { pulls, total } = await listOpenPulls(db, filter, { sort, direction, limit, offset });
      return { rows: isFile ? pulls.flatMap(toFileRows) : pulls.map(toRow), total };
    },
  });
}

/** The largest increases among the open pull requests of a filter. */
export function createIncreasesTable(db: Kysely<Tables>, filter: OpenPullFilter, nowMs: number): Table {
  const columns = buildColumns(nowMs).map(({ cell, key, ...column }) => {
    const isShown = cell !== undefined && ["title", "verdict", "change"].includes(key);
    return { ...column, key, sortable: false, ...(isShown && { cell }) };
  });
  return createSlicedTable<PullRow>({
    name: "increases",
    caption: "Largest increases",
    empty: "No open pull request raises the monthly cost.",
    pageSize: 5,
    columns,
    read: async ({ limit, offset, isFile }) => {
      const page = { sort: "change", direction: "desc", limit, offset } as const;
      const { pulls, total } = await listOpenPulls(db, { ...filter, isIncrease: true }, page);
      return { rows: isFile ? pulls.flatMap(toFileRows) : pulls.map(toRow), total };
    },
  });
}

const toRow = (pull: OpenPull): PullRow => ({ pull, total: pull.totals[0] ?? null });
const toFileRows = (pull: OpenPull): readonly PullRow[] =>
  pull.totals.length === 0 ? [toRow(pull)] : pull.totals.map((total) => ({ pull, total }));

const SORTS: Readonly<Record<string, OpenPullSort>> = {
  title: "title",
  change: "change",
  opened_at: "opened",
  evaluated_at: "evaluated",
};

const buildColumns = (nowMs: number): readonly Column<PullRow>[] => [
  { key: "repository", label: "Repository", value: ({ pull }) => pull.repository },
  { key: "number", label: "Number", value: ({ pull }) => pull.number },
  {
    key: "title",
    label: "Pull request",
    sortable: true,
    cell: ({ pull }) => formatTitle(pull),
    value: ({ pull }) => pull.title,
  },
  {
    key: "change",
    label: "Monthly change",
    numeric: true,
    sortable: true,
    cell: ({ pull }) => formatPullChange(pull),
    value: ({ total }) => total?.change ?? null,
  },
  { key: "author", label: "Author", value: ({ pull }) => pull.author },
  { key: "is_draft", label: "Draft", value: ({ pull }) => pull.isDraft },
  {
    key: "verdict",
    label: "Verdict",
    cell: ({ pull }) => formatOutcome(pull),
    value: ({ pull }) => pull.outcome,
  },
  {
    key: "waiting_for",
    label: "Waiting for",
    cell: ({ pull }) => ({ text: joinWords(pull.waitingFor) }),
    value: ({ pull }) => pull.waitingFor.join(", "),
  },
  { key: "before", label: "Before", value: ({ total }) => total?.before ?? null },
  { key: "after", label: "After", value: ({ total }) => total?.after ?? null },
  { key: "currency", label: "Currency", value: ({ total }) => total?.currency ?? null },
  { key: "cost", label: "Cost", value: ({ pull }) => pull.cost ?? "unknown" },
  buildAgeColumn({ key: "opened_at", label: "Opened" }, ({ pull }) => pull.openedAt, nowMs),
  buildAgeColumn({ key: "evaluated_at", label: "Evaluated" }, ({ pull }) => pull.evaluatedAt, nowMs),
];

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

const formatOutcome = ({ outcome }: OpenPull): TableCell => {
  const { label, icon, tone } = OUTCOME_STYLES[outcome];
  return { text: label, icon, tone };
};

/** A change that is only partly known says so; hidden ones are no amount. */
function formatPullChange({ cost, totals: [first, ...others] }: OpenPull): TableCell {
  if (cost === "hidden") return { text: "not shown", tone: "muted" };
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
