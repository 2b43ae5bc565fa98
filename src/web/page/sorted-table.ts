import { compare, type Decimal, parseDecimal } from "../../kernel/money.ts";
import { byText } from "../../report/model/order.ts";
import type { PageAddress } from "./address.ts";
import {
  buildTableView,
  type Column,
  exportTable,
  nameMember,
  readOrder,
  readPageNumber,
  type TableFormat,
  type TableOrder,
} from "./table.ts";

/** All rows of a table that is sorted and cut into pages here, in their usual order. */
export interface TableSource<Row> {
  /** Prefix of its members of the query, and its name in `table`; empty for the main table of a page. */
  readonly prefix: string;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Words in place of a table without rows. */
  readonly empty: string;
  readonly pageSize?: number;
  /** The currency of a row's amounts: amounts of two currencies are not compared, so their rows stay apart. Absent: all rows have one. */
  readonly currencyOf?: (row: Row) => string | null;
}

/** A table on a page, and as a file. */
export interface PageTable {
  readonly prefix: string;
  /** Values of the template `table`. */
  readonly view: ReturnType<typeof buildTableView>;
  /** All rows, on whatever page, in the order of the page. */
  export(name: string, format: TableFormat): Response;
}

const PAGE_SIZE = 100;

/** Sorts a table as the query asks, and returns the page that it names. */
export function buildSortedTable<Row>(source: TableSource<Row>, address: PageAddress): PageTable {
  const { prefix, columns, pageSize = PAGE_SIZE, caption, empty } = source;
  const order = readOrder(address.query[nameMember(prefix, "sort")], columns);
  const rows = order === null ? source.rows : sortRows(source, order);
  const last = Math.max(1, Math.ceil(rows.length / pageSize));
  const page = Math.min(last, readPageNumber(address.query[nameMember(prefix, "page")]));
  const visible = rows.slice((page - 1) * pageSize, page * pageSize);
  const shown = columns.filter(({ isExportOnly }) => isExportOnly !== true);
  return {
    prefix,
    view: buildTableView({
      ...{ caption, empty, address, prefix, order, page, pageSize },
      columns: shown,
      rows: visible,
      total: rows.length,
    }),
    export: (name, format) => exportTable({ name, columns, rows }, format),
  };
}

interface SortKey {
  readonly group: string;
  /** Orders most rows without exact arithmetic, which is slow; null: unknown. */
  readonly rough: number | null;
  readonly exact: Decimal | null;
  readonly text: string;
}

/** Sorts rows by the exact values of a column. Unknown values are last in either direction. */
export function sortRows<Row>(
  { rows, columns, currencyOf }: Pick<TableSource<Row>, "rows" | "columns" | "currencyOf">,
  order: TableOrder,
): readonly Row[] {
  const column = columns.find(({ key }) => key === order.key);
  if (column === undefined) return rows;
  const isNumeric = column.numeric === true;
  const keyed = rows.map((row) => {
    const value = column.value(row);
    const group = isNumeric ? (currencyOf?.(row) ?? "") : "";
    return { row, key: isNumeric ? readNumber(value, group) : readText(value) };
  });
  const sign = order.direction === "ascending" ? 1 : -1;
  return keyed.sort((a, b) => compareKeys(a.key, b.key, sign)).map(({ row }) => row);
}

type Value = string | number | boolean | null;

function readNumber(value: Value, group: string): SortKey {
  const exact = typeof value === "string" ? parseDecimal(value) : null;
  const rough = typeof value === "number" ? value : exact === null ? null : Number(exact);
  return { group, rough, exact, text: "" };
}

const readText = (value: Value): SortKey => ({
  group: "",
  rough: value === null || value === "" ? null : 0,
  exact: null,
  text: String(value),
});

/** Unknown values are last in either direction. */
function compareKeys(a: SortKey, b: SortKey, sign: number): number {
  if (a.group !== b.group) return byText(a.group, b.group);
  if (a.rough === null || b.rough === null) return Number(a.rough === null) - Number(b.rough === null);
  if (a.rough !== b.rough) return sign * (a.rough - b.rough);
  if (a.exact !== null && b.exact !== null) return sign * compare(a.exact, b.exact);
  return sign * byText(a.text, b.text);
}
