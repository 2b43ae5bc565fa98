import { compare, type Decimal, type Money, ZERO } from "../../kernel/money.ts";
import { createMoneyStyle, formatCount, formatPercent } from "../../render/format.ts";
import { formatPullPath, formatRepositoryPath } from "./address.ts";
import { formatAge } from "./html.ts";
import type { Column, TableCell } from "./table.ts";

type Words = Pick<Column<never>, "key" | "label" | "sortable">;

/** What stands where there is nothing. */
export const NO_VALUE: TableCell = { text: "–", tone: "muted" };

/** A column that only files have. */
export const buildFileColumn = <Row>(key: string, value: Column<Row>["value"]): Column<Row> => ({
  ...{ key, label: key, value },
});

/** A column of figures, sorted by their exact values. */
export const buildFigureColumn = <Row>(
  { key, label }: Words,
  value: (row: Row) => string | number | null,
  cell: (row: Row) => TableCell,
): Column<Row> => ({ key, label, value, cell, numeric: true, sortable: true });

/** A column of texts; null: there is none. */
export const buildTextColumn = <Row>(words: Words, read: (row: Row) => string | null): Column<Row> => ({
  ...words,
  cell: (row) => {
    const text = read(row);
    return text === null ? NO_VALUE : { text };
  },
  value: read,
});

export const buildCountColumn = <Row>(words: Words, read: (row: Row) => number): Column<Row> => ({
  numeric: true,
  sortable: true,
  ...words,
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

/** A column of amounts; `buildCurrencyColumn` says in what. */
export const buildAmountColumn = <Row>(words: Words, read: (row: Row) => Amount): Column<Row> =>
  buildFigureColumn(
    words,
    (row) => read(row).amount,
    (row) => {
      const { currency, amount, isPartial } = read(row);
      return amount === null
        ? { text: "unknown", tone: "attention" }
        : { text: `${isPartial ? "at least " : ""}${createMoneyStyle(currency).amount(amount)}` };
    },
  );

/** A column of changes, each with its sign. */
export const buildChangeColumn = <
  Row extends { readonly currency: string; readonly change: Decimal },
>(): Column<Row> =>
  buildFigureColumn(
    { key: "change", label: "Monthly change" },
    ({ change }) => change,
    (row) => ({ text: formatChange(row), tone: chooseChangeTone(row.change) }),
  );

/** The currency of a row's amounts, for files: on a page each amount has its sign. */
export const buildCurrencyColumn = <Row extends { readonly currency: string | null }>(): Column<Row> =>
  buildFileColumn("currency", ({ currency }) => currency);

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
  buildFileColumn("repository", ({ repository }) => repository),
  buildFileColumn("number", ({ number }) => number),
  {
    ...{ key: "title", label: "Pull request", sortable: true },
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
  ...{ key: "repository", label: "Repository" },
  sortable: true,
  ...(isShown && {
    cell: ({ repository }: Row) => ({ text: repository, href: formatRepositoryPath(repository) }),
  }),
  value: ({ repository }) => repository,
});

export const buildAgeColumn = <Row>(
  words: Words,
  read: (row: Row) => Date | null,
  nowMs: number,
): Column<Row> => ({
  sortable: true,
  ...words,
  cell: (row) => {
    const time = read(row);
    return { text: time === null ? "unknown" : formatAge(time.getTime(), nowMs), tone: "muted" };
  },
  value: (row) => read(row)?.toISOString() ?? null,
});

export const UNKNOWN: TableCell = { text: "unknown", tone: "muted" };
export const NOT_SHOWN: TableCell = { text: "not shown", tone: "muted" };

/** The cell of one amount of a cost per month; null: unknown. Amounts before and after have no sign, all others are changes. */
export const buildCostCell = (which: string, amount: Decimal | null, currency: string): TableCell =>
  which === "before" || which === "after"
    ? buildAmountCell(amount, currency)
    : buildChangeCell(amount, currency);

/** The cell of a monthly amount; null: unknown. */
export const buildAmountCell = (amount: Decimal | null, currency: string): TableCell =>
  amount === null ? UNKNOWN : { text: createMoneyStyle(currency).amount(amount) };

/** The cell of a change of the monthly cost; null: unknown. */
export function buildChangeCell(change: Decimal | null, currency: string): TableCell {
  if (change === null) return UNKNOWN;
  const text = createMoneyStyle(currency).change(change);
  return { text, ...(change !== ZERO && { tone: chooseChangeTone(change) }) };
}

export type CostSide = "change" | "before" | "after";

/** Columns of a monthly cost: its change, and the amounts before and after. */
export const buildCostColumns = <Row>(
  read: (row: Row) => Readonly<Record<CostSide, Decimal | null>> | null | undefined,
  cell: (row: Row, side: CostSide) => TableCell,
): readonly Column<Row>[] =>
  [
    { key: "change" as const, label: "Change" },
    { key: "before" as const, label: "Before" },
    { key: "after" as const, label: "After" },
  ].map((words) =>
    buildFigureColumn<Row>(
      words,
      (row) => read(row)?.[words.key] ?? null,
      (row) => cell(row, words.key),
    ),
  );

/** The cell of a percentage; null: not stated, or nothing was paid before. */
export const buildPercentCell = (percent: Decimal | null): TableCell =>
  percent === null ? NO_VALUE : { text: formatPercent(percent) };

/** Colour of a change: more cost is a warning, less is good. */
export const chooseChangeTone = (change: Decimal | null): "danger" | "success" | "muted" =>
  change === null || compare(change, ZERO) === 0 ? "muted" : compare(change, ZERO) > 0 ? "danger" : "success";

/** A monthly change in one currency; null: unknown. */
export interface ChangeAmount {
  readonly currency: string;
  readonly change: Decimal | null;
}

/** Formats a change with its sign: "+$5.00"; unknown is "unknown". */
export const formatChange = ({ currency, change }: ChangeAmount): string =>
  change === null ? "unknown" : createMoneyStyle(currency).change(change);

/** Formats changes in several currencies, which are never added: "+$5.00 and −€2.00". `isPartial`: a part is unknown. */
export function formatChanges(changes: readonly ChangeAmount[], isPartial = false): string {
  const isAtLeast = isPartial && changes.every(({ change }) => change !== null && compare(change, ZERO) >= 0);
  return `${isAtLeast ? "at least " : ""}${joinWords(changes.map(formatChange))}`;
}

/** Formats amounts in several currencies: "$5.00 and €2.00"; none is an empty text. */
export const formatAmounts = (amounts: readonly Money[]): string =>
  joinWords(amounts.map(({ amount, currency }) => createMoneyStyle(currency).amount(amount)));

/** Joins words: "a", "a and b", "a, b and c". */
export const joinWords = (words: readonly string[]): string =>
  new Intl.ListFormat("en-GB", { type: "conjunction" }).format(words);
