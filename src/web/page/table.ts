import { setImmediate } from "node:timers/promises";
import { stringify } from "csv-stringify/sync";
import { compare, type Decimal, parseDecimal } from "../../kernel/money.ts";
import { formatCount } from "../../render/format.ts";
import { byText } from "../../report/model/order.ts";
import { formatAddress, type PageAddress } from "./address.ts";
import { type Html, html, type IconName, icon, type Label } from "./html.ts";

export interface TableCell {
  readonly text: string;
  readonly href?: string;
  readonly icon?: IconName;
  /** Words of the icon, where the text does not say them. */
  readonly iconLabel?: string;
  readonly tone?: Label["tone"];
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
  /** What the page shows; absent: the column is only in CSV and JSON. */
  readonly cell?: (row: Row) => TableCell;
  /** The exact value: amounts as decimal text, times as ISO 8601, null where unknown. */
  readonly value: (row: Row) => string | number | boolean | null;
}

export interface TableOrder {
  readonly key: string;
  readonly direction: "ascending" | "descending";
}

/** A table: some of its rows on a page, all of them as a file. */
export interface Table {
  /** Its name in the address: `table=<name>`, `<name>_sort`, `<name>_page`; empty for the main table of a page. */
  readonly name: string;
  readonly caption: string;
  render(address: PageAddress): Promise<Html>;
  /** `file`: the file's name without its ending. */
  export(address: PageAddress, format: TableFormat, file: string): Promise<Response>;
}

interface TableOptions<Row> {
  readonly name: string;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Words in place of a table without rows. */
  readonly empty: string;
  /** Rows of a page; absent: 100. */
  readonly pageSize?: number;
  /** Absent: the order in which the rows are. */
  readonly order?: TableOrder;
}

interface ListTableOptions<Row> extends TableOptions<Row> {
  /** All rows; `isFile`: for a file, not for a page. */
  readonly rows: readonly Row[] | ((isFile: boolean) => Promise<readonly Row[]>);
  /** The currency of a row's amounts: amounts of two currencies are not compared, so their rows stay apart. Absent: all rows have one. */
  readonly currencyOf?: (row: Row) => string | null;
}

/** Creates a table that is sorted and cut into pages here. */
export const createTable = <Row>({ rows, ...options }: ListTableOptions<Row>): Table =>
  createSlicedTable({
    ...options,
    read: async ({ order, limit, offset, isFile }) => {
      const all = typeof rows === "function" ? await rows(isFile) : rows;
      const sorted = order === null ? all : sortRows(all, options, order);
      return { rows: isFile ? sorted : sorted.slice(offset, offset + limit), total: all.length };
    },
  });

interface SliceRequest {
  readonly order: TableOrder | null;
  readonly limit: number;
  readonly offset: number;
  readonly isFile: boolean;
}

interface SlicedTableOptions<Row> extends TableOptions<Row> {
  /** Reads some rows, and the number of all of them. */
  readonly read: (
    request: SliceRequest,
  ) => Promise<{ readonly rows: readonly Row[]; readonly total: number }>;
}

/** Most rows of a file. The API pages through longer lists. */
export const MAX_FILE_ROWS = 10_000;

/** Creates a table whose source sorts it and cuts it into pages. */
export function createSlicedTable<Row>(options: SlicedTableOptions<Row>): Table {
  const { name, caption, columns, empty, pageSize = 100, read } = options;
  const findOrder = ({ query }: PageAddress) =>
    readOrder(query[nameMember(name, "sort")], columns) ?? options.order ?? null;
  return {
    ...{ name, caption },
    render: async (address) => {
      const order = findOrder(address);
      const asked = readPageNumber(address.query[nameMember(name, "page")]);
      const readPage = (page: number) =>
        read({ order, limit: pageSize, offset: (page - 1) * pageSize, isFile: false });
      const found = await readPage(asked);
      const last = Math.max(1, Math.ceil(found.total / pageSize));
      const { rows, total } = asked <= last ? found : await readPage(last);
      if (rows.length === 0) return html`<p class="blank">${empty}</p>`;
      const place = { name, address, order, total, last, page: Math.min(asked, last) };
      return html`${renderScroll(caption, renderGrid({ caption, columns, rows }, place))}
<div class="below">
${last > 1 && renderPageLinks(caption, place)}
${renderFileLinks(caption, {
  csv: formatAddress(address, { format: "csv", table: name || null }),
  json: formatAddress(address, { format: "json", table: name || null }),
})}
</div>`;
    },
    export: async (address, format, file) => {
      const request = { order: findOrder(address), limit: MAX_FILE_ROWS, offset: 0, isFile: true };
      const { rows } = await read(request);
      return exportRows({ columns, rows, file }, format);
    },
  };
}

interface Grid<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

/** Renders rows without links that sort, page or export them. */
export const renderRows = <Row>(grid: Grid<Row>): Html => renderScroll(grid.caption, renderGrid(grid, null));

const renderScroll = (caption: string, grid: Html): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">
${grid}
</div>`;

interface TablePlace {
  readonly name: string;
  readonly address: PageAddress;
  readonly order: TableOrder | null;
  readonly total: number;
  /** From 1. */
  readonly page: number;
  readonly last: number;
}

function renderGrid<Row>({ caption, columns, rows }: Grid<Row>, place: TablePlace | null): Html {
  const shown = columns.flatMap(({ cell, ...column }) => (cell === undefined ? [] : [{ ...column, cell }]));
  return html`<table class="data">
<caption class="hidden">${caption}</caption>
<thead><tr>
${shown.map((column) => renderHeading(column, place))}
</tr></thead>
<tbody>
${rows.map(
  (row) => html`<tr>
${shown.map(({ cell, numeric = false }) => renderCell(cell(row), numeric))}
</tr>
`,
)}</tbody>
</table>`;
}

function renderHeading<Row>({ key, label, numeric, sortable }: Column<Row>, place: TablePlace | null): Html {
  const sorted = place?.order?.key === key ? place.order.direction : null;
  return html`<th scope="col"${numeric && html` class="numeric"`}${sorted && html` aria-sort="${sorted}"`}>${
    sortable && place !== null
      ? html`<a href="${linkToOrder({ key, numeric: numeric === true }, place)}">${label}${sorted && icon(sorted === "ascending" ? "sort-asc" : "sort-desc")}</a>`
      : label
  }</th>
`;
}

/** The same table in the order of a column, from its first page on. Figures are first shown from the largest on. */
function linkToOrder(
  { key, numeric }: { readonly key: string; readonly numeric: boolean },
  { name, address, order }: TablePlace,
): string {
  const isDescending = order?.key === key ? order.direction === "ascending" : numeric;
  return formatAddress(address, {
    [nameMember(name, "page")]: null,
    [nameMember(name, "sort")]: isDescending ? `-${key}` : key,
  });
}

function renderCell(cell: TableCell, numeric: boolean): Html {
  const { text, href, icon: mark, iconLabel, tone, note, code, depth = 0, bar } = cell;
  const name = code ? html`<code>${text}</code>` : html`<bdi>${text}</bdi>`;
  const classes = [numeric && "numeric", tone, depth > 0 && `depth-${depth}`].filter(Boolean).join(" ");
  return html`<td class="${classes}">${mark && html`${icon(mark, iconLabel)}&nbsp;`}${
    href === undefined ? name : html`<a href="${href}">${name}</a>`
  }${note && html`<small>${note}</small>`}${bar && renderBar(bar)}</td>
`;
}

const renderBar = ({ used, forecast, tone }: TableBar): Html =>
  html`<svg class="bar-of ${tone}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="bar-whole" width="100" height="8"/><rect class="bar-forecast" width="${forecast}" height="8"/><rect width="${used}" height="8"/></svg>`;

function renderPageLinks(caption: string, { name, address, page, last, total }: TablePlace): Html {
  const link = (to: number) => formatAddress(address, { [nameMember(name, "page")]: String(to) });
  return html`<nav class="pages" aria-label="Pages of: ${caption}">
${page > 1 && html`<a rel="prev" href="${link(page - 1)}">${icon("chevron-left")}Previous</a>`}
<span>Page ${formatCount(page)} of ${formatCount(last)} · ${formatCount(total)} rows</span>
${page < last && html`<a rel="next" href="${link(page + 1)}">Next${icon("chevron-right")}</a>`}
</nav>`;
}

export const renderFileLinks = (
  caption: string,
  { csv, json }: Readonly<Record<TableFormat, string>>,
): Html =>
  html`<span class="export">${icon("download")}<a href="${csv}" aria-label="${caption} as CSV">CSV</a> <a href="${json}" aria-label="${caption} as JSON">JSON</a></span>`;

/** Returns the name of a table's member of the query. */
const nameMember = (name: string, member: "sort" | "page"): string =>
  name === "" ? member : `${name}_${member}`;

/** Reads `sort` (`key` or `-key`) of a query; null: there is none, or an unknown key. */
function readOrder<Row>(text: string | undefined, columns: readonly Column<Row>[]): TableOrder | null {
  if (text === undefined) return null;
  const key = text.replace(/^-/, "");
  const isKnown = columns.some((column) => column.key === key && column.sortable === true);
  return isKnown ? { key, direction: text.startsWith("-") ? "descending" : "ascending" } : null;
}

/** Reads `page` of a query: a number from 1, else 1. */
export const readPageNumber = (text: string | undefined): number =>
  text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1;

/** Sorts rows by the exact values of a column; rows of different currencies stay apart. */
function sortRows<Row>(
  rows: readonly Row[],
  { columns, currencyOf }: Pick<ListTableOptions<Row>, "columns" | "currencyOf">,
  { key, direction }: TableOrder,
): readonly Row[] {
  const column = columns.find((one) => one.key === key);
  if (column === undefined) return rows;
  const { numeric = false, value } = column;
  const sign = direction === "ascending" ? 1 : -1;
  return rows
    .map((row) => ({ row, value: value(row), group: numeric ? (currencyOf?.(row) ?? "") : "" }))
    .sort((a, b) => byText(a.group, b.group) || compareValues(a.value, b.value, { sign, numeric }))
    .map(({ row }) => row);
}

type Value = ReturnType<Column<never>["value"]>;

/** Unknown values are last in either direction. */
function compareValues(
  a: Value,
  b: Value,
  { sign, numeric }: { readonly sign: number; readonly numeric: boolean },
): number {
  const [isUnknown, isOther] = [a === null || a === "", b === null || b === ""];
  if (isUnknown || isOther) return Number(isUnknown) - Number(isOther);
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  return sign * (numeric ? compare(a as Decimal, b as Decimal) : byText(String(a), String(b))); // amounts and percentages are decimals
}

export type TableFormat = "csv" | "json";

/** Reads `format` of a query; null: a page. */
export const readFormat = (text: string | undefined): TableFormat | null =>
  text === "csv" || text === "json" ? text : null;

/**
 * Returns a table's exact values as a file, made in slices while it is sent: other requests go between them. Spreadsheets do not run
 * what names from outside contain.
 */
export function exportRows<Row>(
  { file, ...table }: Omit<Grid<Row>, "caption"> & { readonly file: string },
  format: TableFormat,
): Response {
  return new Response(ReadableStream.from(formatSlices(table, format)), {
    headers: {
      "content-type": format === "json" ? "application/json" : "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${file.replaceAll(/[^\w.-]+/g, "-")}.${format}"`,
    },
  });
}

/** Rows of a slice: some milliseconds of work. */
const SLICE_ROWS = 25;

async function* formatSlices<Row>(
  { columns, rows }: Omit<Grid<Row>, "caption">,
  format: TableFormat,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (let at = 0; at === 0 || at < rows.length; at += SLICE_ROWS) {
    await setImmediate();
    const records = rows
      .slice(at, at + SLICE_ROWS)
      .map((row) => Object.fromEntries(columns.map(({ key, value }) => [key, value(row)])));
    const place = { isFirst: at === 0, isLast: at + SLICE_ROWS >= rows.length };
    yield encoder.encode(
      format === "json" ? formatJson(records, place) : formatCsv(records, columns, place.isFirst),
    );
  }
}

/** A slice's part of one indented list. */
function formatJson(
  records: readonly object[],
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): string {
  const list = JSON.stringify(records, null, 2);
  return `${isFirst ? "[" : ","}${list.slice(1, isLast ? undefined : -2)}${isLast ? "\n" : ""}`;
}

const formatCsv = <Row>(
  records: readonly object[],
  columns: readonly Column<Row>[],
  isFirst: boolean,
): string =>
  stringify([...records], {
    header: isFirst,
    bom: isFirst,
    columns: columns.map(({ key }) => key),
    escape_formulas: true,
    cast: {
      boolean: String, // false is left out otherwise, as unknown is
      // A negative amount begins like a formula.
      string: (value) => ({ value, escape_formulas: parseDecimal(value) === null }),
    },
  });
