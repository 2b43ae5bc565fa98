import type { Decimal } from "../../kernel/money.ts";
import { formatCount } from "../../render/format/count.ts";
import { createMoneyStyle } from "../../render/format/money.ts";
import { formatPullPath, formatRepositoryPath } from "./address.ts";
import { chooseChangeTone, formatChange } from "./amounts.ts";
import type { Column } from "./table.ts";
import { buildTimeView } from "./times.ts";

type Words = Pick<Column<never>, "key" | "label">;

/** A column of numbers of something. */
export const buildCountColumn = <Row>(words: Words, read: (row: Row) => number): Column<Row> => ({
  ...words,
  numeric: true,
  sortable: true,
  cell: (row) => {
    const count = read(row);
    return { text: formatCount(count), ...(count === 0 && { tone: "muted" }) };
  },
  value: read,
});

/** An amount per month in one currency; null: unknown. */
interface Amount {
  readonly currency: string;
  readonly amount: Decimal | null;
  /** True: a part of it is unknown. */
  readonly isPartial?: boolean;
}

/** A column of amounts; the column `buildCurrencyColumn` says in what. */
export const buildAmountColumn = <Row>(words: Words, read: (row: Row) => Amount): Column<Row> => ({
  ...words,
  numeric: true,
  sortable: true,
  cell: (row) => {
    const { currency, amount, isPartial } = read(row);
    return amount === null
      ? { text: "unknown", tone: "attention" }
      : { text: `${isPartial ? "at least " : ""}${createMoneyStyle(currency).amount(amount)}` };
  },
  value: (row) => read(row).amount,
});

/** A column of changes, each with its sign. */
export const buildChangeColumn = <Row extends { readonly currency: string; readonly change: Decimal }>(
  label = "Monthly change",
): Column<Row> => ({
  key: "change",
  label,
  numeric: true,
  sortable: true,
  cell: (row) => ({ text: formatChange(row), tone: chooseChangeTone(row.change) }),
  value: ({ change }) => change,
});

/** The currency of a row's amounts, for files: on a page each amount has its sign. */
export const buildCurrencyColumn = <Row extends { readonly currency: string | null }>(): Column<Row> => ({
  key: "currency",
  label: "Currency",
  value: ({ currency }) => currency,
});

/** A column of names from the policy or the platform. */
export const buildNameColumn = <Row>(words: Words, read: (row: Row) => string): Column<Row> => ({
  ...words,
  sortable: true,
  cell: (row) => ({ text: read(row), code: true }),
  value: read,
});

interface PullReference {
  readonly repository: string;
  readonly number: number;
  readonly title: string | null;
}

/** Columns of the pull request that a row is about. */
export const buildPullColumns = <Row extends PullReference>(): readonly Column<Row>[] => [
  { key: "repository", label: "Repository", value: ({ repository }) => repository },
  { key: "number", label: "Number", value: ({ number }) => number },
  {
    key: "title",
    label: "Pull request",
    sortable: true,
    cell: ({ repository, number, title }) => ({
      text: title ?? `Pull request ${number}`,
      href: formatPullPath(repository, number),
      note: `${repository}#${number}`,
    }),
    value: ({ title }) => title,
  },
];

/** A column of repositories; on the page of one repository it is in files only. */
export const buildRepositoryColumn = <Row extends { readonly repository: string }>(
  isShown: boolean,
): Column<Row> => ({
  key: "repository",
  label: "Repository",
  sortable: true,
  ...(isShown && {
    cell: ({ repository }: Row) => ({ text: repository, href: formatRepositoryPath(repository) }),
  }),
  value: ({ repository }) => repository,
});

/** A column of ages. */
export const buildAgeColumn = <Row>(
  words: Words,
  read: (row: Row) => Date | null,
  nowMs: number,
): Column<Row> => ({
  ...words,
  sortable: true,
  cell: (row) => {
    const time = read(row);
    return { text: time === null ? "unknown" : buildTimeView(time.getTime(), nowMs).ago, tone: "muted" };
  },
  value: (row) => read(row)?.toISOString() ?? null,
});
