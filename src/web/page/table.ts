import { stringify } from "csv-stringify/sync";
import { parseDecimal } from "../../kernel/money.ts";
import { formatAddress, type PageAddress } from "./address.ts";
import type { IconName } from "./html.ts";

/** What a cell shows. */
export interface TableCell {
  readonly text: string;
  readonly href?: string;
  readonly icon?: IconName;
  /** Words of the icon, where the text does not say them. */
  readonly iconLabel?: string;
  readonly tone?: "success" | "danger" | "attention" | "done" | "accent" | "muted";
  /** A second line, smaller. */
  readonly note?: string;
  /** True: a name from outside, in a fixed-width font. */
  readonly code?: boolean;
  /** How many levels inside of another row it is, at most 6. */
  readonly depth?: number;
  /** A bar below the text. */
  readonly bar?: TableBar;
}

/** A share of a whole as a bar: in percent of its length, from 0 to 100. The text of its cell says the same. */
export interface TableBar {
  readonly used: number;
  /** What is added by what is still open; drawn behind `used`. */
  readonly forecast: number;
  readonly tone: "success" | "attention" | "danger";
}

/** One column of a table: its cells on the page, and its values in CSV and JSON. */
export interface Column<Row> {
  /** Name in CSV, JSON and `sort`. */
  readonly key: string;
  readonly label: string;
  readonly numeric?: boolean;
  readonly sortable?: boolean;
  /** True: only in CSV and JSON, whether it has a cell or not. */
  readonly isExportOnly?: boolean;
  /** What the page shows; absent: the column is only in CSV and JSON. */
  readonly cell?: (row: Row) => TableCell;
  /** The exact value: amounts as decimal text, times as ISO 8601, null where unknown. */
  readonly value: (row: Row) => string | number | boolean | null;
}

/** Order of a table: a column's key, and its direction. */
export interface TableOrder {
  readonly key: string;
  readonly direction: "ascending" | "descending";
}

export interface Table<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Rows of this page. */
  readonly rows: readonly Row[];
  /** Number of rows on all pages. */
  readonly total: number;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly order: TableOrder | null;
  /** Words in place of a table without rows. */
  readonly empty: string;
  readonly address: PageAddress;
  /** Name of this table where a page has several: its members of the query are `<prefix>_sort` and `<prefix>_page`; absent: none. */
  readonly prefix?: string;
}

export type TableMember = "sort" | "page";

/** Returns the name of a table's member of the query. */
export const nameMember = (prefix: string, member: TableMember): string =>
  prefix === "" ? member : `${prefix}_${member}`;

/** Reads `sort` (`key` or `-key`) of a query; an unknown key means the default order. */
export function readOrder<Row>(
  text: string | undefined,
  columns: readonly Column<Row>[],
  byDefault: TableOrder | null = null,
): TableOrder | null {
  if (text === undefined) return byDefault;
  const key = text.replace(/^-/, "");
  const isKnown = columns.some((column) => column.key === key && column.sortable === true);
  return isKnown ? { key, direction: text.startsWith("-") ? "descending" : "ascending" } : byDefault;
}

/** Reads `page` of a query: a number from 1, else 1. */
export const readPageNumber = (text: string | undefined): number =>
  text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1;

/** Returns the values of the template `table`. */
export function buildTableView<Row>(table: Table<Row>) {
  const { columns, rows, address, prefix = "", total, page, pageSize } = table;
  const link = (key: TableMember, value: string) =>
    formatAddress(address, {
      ...(key === "sort" && { [nameMember(prefix, "page")]: null }),
      [nameMember(prefix, key)]: value,
    });
  const last = Math.max(1, Math.ceil(total / pageSize));
  const shown = columns.flatMap(({ cell, isExportOnly, ...column }) =>
    cell === undefined || isExportOnly === true ? [] : [{ ...column, cell }],
  );
  return {
    caption: table.caption,
    empty: table.empty,
    columns: shown.map((column) => buildHeading(column, table.order, link)),
    rows: rows.map((row) =>
      shown.map(({ cell, numeric }) => ({ ...BLANK, ...cell(row), numeric: numeric === true })),
    ),
    pages:
      last === 1
        ? null
        : {
            page,
            last,
            total,
            previous: page > 1 ? link("page", String(page - 1)) : null,
            next: page < last ? link("page", String(page + 1)) : null,
          },
    csv: formatAddress(address, { format: "csv", table: prefix === "" ? null : prefix }),
    json: formatAddress(address, { format: "json", table: prefix === "" ? null : prefix }),
  };
}

const BLANK = {
  href: null,
  icon: null,
  iconLabel: null,
  tone: null,
  note: null,
  code: false,
  depth: 0,
  bar: null,
};

function buildHeading<Row>(
  { key, label, numeric = false, sortable = false }: Column<Row>,
  order: TableOrder | null,
  link: (key: TableMember, value: string) => string,
) {
  const sorted = order?.key === key ? order.direction : null;
  const isNext = sorted === null ? numeric : sorted === "ascending"; // figures are first shown from the largest on
  return { label, numeric, sorted, href: sortable ? link("sort", isNext ? `-${key}` : key) : null };
}

export type TableFormat = "csv" | "json";

/** Reads `format` of a query; null: a page. */
export const readFormat = (text: string | undefined): TableFormat | null =>
  text === "csv" || text === "json" ? text : null;

/** Returns a table's exact values as a file. Spreadsheets do not run what names from outside contain. */
export function exportTable<Row>(
  { columns, rows, name }: { columns: readonly Column<Row>[]; rows: readonly Row[]; name: string },
  format: TableFormat,
): Response {
  const records = rows.map((row) => Object.fromEntries(columns.map(({ key, value }) => [key, value(row)])));
  const text = format === "json" ? `${JSON.stringify(records, null, 2)}\n` : formatCsv(records, columns);
  return new Response(text, {
    headers: {
      "content-type": format === "json" ? "application/json" : "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name.replaceAll(/[^\w.-]+/g, "-")}.${format}"`,
    },
  });
}

const formatCsv = <Row>(records: readonly object[], columns: readonly Column<Row>[]): string =>
  stringify([...records], {
    header: true,
    bom: true,
    columns: columns.map(({ key }) => key),
    escape_formulas: true,
    cast: {
      boolean: String, // false is left out otherwise, as unknown is
      // A negative amount begins like a formula.
      string: (value) => ({ value, escape_formulas: parseDecimal(value) === null }),
    },
  });
