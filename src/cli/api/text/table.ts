import measure from "fast-string-truncated-width";
import { type Block, NULL } from "./blocks.ts";

/** Lines for people, and what was left out to fit the terminal. */
export interface TextTable {
  readonly lines: readonly string[];
  /** Columns that did not fit. */
  readonly omittedColumns: readonly string[];
}

const GAP = "  ";
/** No column is cut below this; if that is not enough, the last columns are left out. */
const LEAST = 12;

/** Draws blocks one below the other. `width`: columns of the terminal; undefined: nothing is cut. */
export function draw(blocks: readonly Block[], width: number | undefined): TextTable {
  const drawn = blocks.map((block) =>
    block.kind === "table" ? drawTable(block, width) : drawRecord(block, width),
  );
  const titled = blocks.length > 1;
  const lines = drawn.flatMap((one, at) => {
    const title = titled ? (blocks[at]?.title ?? "") : "";
    return [...(at === 0 ? [] : [""]), ...(title === "" ? [] : [`${title}:`]), ...one.lines];
  });
  return { lines, omittedColumns: drawn.flatMap((one) => one.omittedColumns) };
}

function drawRecord({ entries }: Extract<Block, { kind: "record" }>, width: number | undefined): TextTable {
  const names = Math.max(0, ...entries.map(([name]) => measureWidth(name)));
  const lines = entries.map(([name, text]) =>
    fitColumns(`${padCell(name, names)}${GAP}${text}`.trimEnd(), width),
  );
  return { lines, omittedColumns: [] };
}

const fitColumns = (line: string, width: number | undefined): string =>
  width === undefined ? line : cut(line, width);

interface Column {
  readonly name: string;
  readonly cells: readonly string[];
  readonly numeric: boolean;
  readonly width: number;
}

function drawTable(
  { columns, rows }: Extract<Block, { kind: "table" }>,
  width: number | undefined,
): TextTable {
  const filled = columns
    .map((name) =>
      createColumn(
        name,
        rows.map((row) => row.get(name) ?? ""),
      ),
    )
    .filter(({ cells }) => cells.some((cell) => cell !== "" && cell !== NULL));
  const { columns: fittingColumns, omittedColumns } = shrink(filled, width);
  const line = (cellOf: (column: Column) => string): string =>
    fittingColumns
      .map((column) => alignCell(cut(cellOf(column), column.width), column))
      .join(GAP)
      .trimEnd();
  const body = rows.map((_, at) => line(({ cells }) => cells[at] ?? ""));
  const lines = fittingColumns.length === 0 ? ["(none)"] : [line(({ name }) => name), ...body];
  return { lines, omittedColumns };
}

function createColumn(name: string, cells: readonly string[]): Column {
  const width = Math.max(measureWidth(name), ...cells.map(measureWidth));
  return { name, cells, numeric: cells.every((cell) => /^(-?[\d.]+|-|)$/.test(cell)), width };
}

const alignCell = (text: string, { numeric, width }: Column): string =>
  numeric ? " ".repeat(Math.max(0, width - measureWidth(text))) + text : padCell(text, width);

const padCell = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - measureWidth(text)));

const sumWidths = (columns: readonly Column[]): number =>
  columns.reduce((sum, column) => sum + column.width, 0) + GAP.length * Math.max(0, columns.length - 1);

/** The widest columns are cut first, one column of the terminal after the other. */
function shrink(
  columns: readonly Column[],
  width: number | undefined,
): { columns: readonly Column[]; omittedColumns: readonly string[] } {
  if (width === undefined) return { columns, omittedColumns: [] };
  const least = (column: Column): Column => ({ ...column, width: Math.min(column.width, LEAST) });
  let count = columns.length;
  while (count > 1 && sumWidths(columns.slice(0, count).map(least)) > width) count -= 1;
  const fittingColumns = columns.slice(0, count);
  const limit = widestLimit(fittingColumns, width);
  return {
    columns: fittingColumns.map((column) => ({ ...column, width: Math.min(column.width, limit) })),
    omittedColumns: columns.slice(count).map(({ name }) => name),
  };
}

/** The largest width for each column with which all fit. */
function widestLimit(columns: readonly Column[], width: number): number {
  let limit = Math.max(LEAST, ...columns.map((column) => column.width));
  const total = () =>
    sumWidths(columns.map((column) => ({ ...column, width: Math.min(column.width, limit) })));
  while (limit > LEAST && total() > width) limit -= 1;
  return limit;
}

/** How many columns of a terminal a text takes. */
export const measureWidth = (text: string): number => measure(text).width;

/** A text in at most `width` columns; … marks that its end is cut off. */
function cut(text: string, width: number): string {
  const { truncated, index } = measure(text, { limit: width, ellipsis: "…", ellipsisWidth: 1 });
  return truncated ? `${text.slice(0, index)}…` : text;
}
