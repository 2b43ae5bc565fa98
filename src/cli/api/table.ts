import measure from "fast-string-truncated-width";
import { toOneLine } from "../../kernel/terminal-text.ts";
import type { Output } from "../command.ts";

/** A table or a list of members, as wide as the terminal. */
export function printForPeople(value: unknown, output: Output): void {
  if (value === undefined) {
    output.message("done");
    return;
  }
  const { lines, omittedColumns: leftOut } = draw(buildBlocks(value), output.columns);
  output.result(lines.join("\n"));
  if (leftOut.length > 0)
    output.message(`left out, too wide for this terminal: ${leftOut.join(", ")}; --json prints all`);
}

interface TextTable {
  readonly lines: readonly string[];
  /** Columns that did not fit. */
  readonly omittedColumns: readonly string[];
}

const GAP = "  ";
/** No column is cut below this; if that is not enough, the last columns are left out. */
const LEAST = 12;

/** Draws blocks one below the other. `width`: columns of the terminal; undefined: nothing is cut. */
function draw(blocks: readonly Block[], width: number | undefined): TextTable {
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

/** What people are shown of an answer, in order. */
type Block =
  | {
      readonly kind: "table";
      readonly title: string;
      readonly columns: readonly string[];
      readonly rows: readonly Row[];
    }
  | {
      readonly kind: "record";
      readonly title: string;
      readonly entries: readonly (readonly [string, string])[];
    };

/** The texts of a row by their column; a column that a row does not have is blank. */
type Row = ReadonlyMap<string, string>;

/** Members of members are shown under their whole path; deeper ones are counted. */
const MAX_DEPTH = 6;

/** A list becomes a table, an object a list of its members, a list inside it a table of its own. */
function buildBlocks(value: unknown, title = ""): readonly Block[] {
  if (Array.isArray(value)) return [buildTable(value, title)];
  if (!isObject(value))
    return [{ kind: "record", title, entries: [[title === "" ? "answer" : title, formatValue(value)]] }];
  const entries: [string, string][] = [];
  const tables: Block[] = [];
  for (const [path, member] of leaves(nameDays(value))) {
    if (isTable(member)) tables.push(buildTable(member, path));
    else entries.push([toOneLine(path), formatMember(path, member)]);
  }
  return entries.length === 0 && tables.length > 0 ? tables : [{ kind: "record", title, entries }, ...tables];
}

/** An answer by days names them by their start, in ms since 1970. */
const nameDays = (answer: object): object =>
  Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      MILLISECONDS.test(name) ? new Date(Number(name)).toISOString() : name,
      value,
    ]),
  );

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isTable = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.some(isObject);

function buildTable(items: readonly unknown[], title: string): Block {
  const rows = items.map((item) =>
    isObject(item)
      ? new Map(
          [...leaves(item)].map(([path, member]) => [toOneLine(path), formatMember(path, member)] as const),
        )
      : new Map([["value", formatValue(item)]]),
  );
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  return { kind: "table", title: toOneLine(title), columns, rows };
}

/** The members that are no objects, by their path. */
function* leaves(value: object, path: readonly string[] = []): Generator<readonly [string, unknown]> {
  for (const [name, member] of Object.entries(value)) {
    const here = [...path, name];
    if (isObject(member) && Object.keys(member).length > 0 && here.length < MAX_DEPTH)
      yield* leaves(member, here);
    else yield [here.join("."), member];
  }
}

/** What is shown of null: stated to be none, or not known. */
const NULL = "-";

/** Names of members that contain a time, in each of the platform's spellings. */
const TIME_NAME = /(^|[._])(created|updated|time|date|timestamp)$|(Time|At|Used|Until)$/;
/** A number or a text of ms or seconds since 1970, between 2001 and 2286. */
const MILLISECONDS = /^[1-9]\d{12}$/;
const SECONDS = /^[1-9]\d{9}$/;

/** The value of a member; a time as ISO 8601. */
const formatMember = (path: string, value: unknown): string =>
  (TIME_NAME.test(path) ? formatTime(`${value}`) : null) ?? formatValue(value);

function formatTime(text: string): string | null {
  if (MILLISECONDS.test(text)) return new Date(Number(text)).toISOString();
  return SECONDS.test(text) ? new Date(Number(text) * 1000).toISOString() : null;
}

function formatValue(value: unknown): string {
  if (value === null) return NULL;
  if (typeof value === "string") return toOneLine(value);
  if (Array.isArray(value))
    return value.some((one) => typeof one === "object")
      ? `(${value.length})`
      : value.map(formatValue).join(", ");
  if (typeof value === "object")
    return isObject(value) && Object.keys(value).length === 0 ? "" : `(${Object.keys(value).length})`;
  return value === undefined ? "" : `${value}`;
}
