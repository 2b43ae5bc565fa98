import type { PageAddress } from "./address.ts";
import { sortRows } from "./sorted-table.ts";
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

/** Some rows of a table, and the number of all of them. */
export interface TableSlice<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** Which rows of a table are read. */
export interface SliceRequest {
  readonly order: TableOrder | null;
  readonly limit: number;
  readonly offset: number;
  /** Whether a file is made, not a page. */
  readonly isFile: boolean;
}

/** One of several tables of a page: some of its rows on the page, all of them as a file. */
export interface SlicedTable {
  /** Its name in the address: `table=<name>`, `<name>_sort`, `<name>_page`. */
  readonly name: string;
  buildView(address: PageAddress): Promise<ReturnType<typeof buildTableView>>;
  /** `scope`: the beginning of the file's name. */
  export(address: PageAddress, format: TableFormat, scope: string): Promise<Response>;
}

export interface SlicedTableOptions<Row> {
  readonly name: string;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly empty: string;
  readonly pageSize: number;
  readonly order?: TableOrder;
  readonly read: (request: SliceRequest) => Promise<TableSlice<Row>>;
}

/** Most rows of a file. The API pages through longer lists. */
export const MAX_FILE_ROWS = 10_000;

export function createSlicedTable<Row>(options: SlicedTableOptions<Row>): SlicedTable {
  const { name, caption, columns, empty, pageSize, read } = options;
  const readTableOrder = ({ query }: PageAddress) =>
    readOrder(query[nameMember(name, "sort")], columns, options.order ?? null);
  return {
    name,
    buildView: async (address) => {
      const order = readTableOrder(address);
      const asked = readPageNumber(address.query[nameMember(name, "page")]);
      const readPage = (page: number) =>
        read({ order, limit: pageSize, offset: (page - 1) * pageSize, isFile: false });
      const found = await readPage(asked);
      const page = Math.min(asked, Math.max(1, Math.ceil(found.total / pageSize)));
      const { rows, total } = page === asked ? found : await readPage(page);
      const table = { caption, columns, rows, total, page, pageSize, order, empty, address, prefix: name };
      return buildTableView(table);
    },
    export: async (address, format, scope) => {
      const order = readTableOrder(address);
      const { rows } = await read({ order, limit: MAX_FILE_ROWS, offset: 0, isFile: true });
      return exportTable({ columns, rows, name: `${scope}-${name}` }, format);
    },
  };
}

/** Reads slices of a short list, in the order of its exact values. Amounts of two currencies are not compared: their rows stay apart. */
export const sliceRows =
  <Row>(
    list: (isFile: boolean) => Promise<readonly Row[]>,
    columns: readonly Column<Row>[],
    currencyOf: (row: Row) => string | null = () => null,
  ): SlicedTableOptions<Row>["read"] =>
  async ({ order, limit, offset, isFile }) => {
    const rows = await list(isFile);
    const sorted = order === null ? rows : sortRows({ rows, columns, currencyOf }, order);
    return { rows: sorted.slice(offset, offset + limit), total: rows.length };
  };
