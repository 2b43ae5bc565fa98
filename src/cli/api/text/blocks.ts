import { toOneLine } from "../../../kernel/terminal-text.ts";

/** What people are shown of an answer, in order. */
export type Block =
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
export type Row = ReadonlyMap<string, string>;

/** Members of members are shown under their whole path; deeper ones are counted. */
const MAX_DEPTH = 6;

/** A list becomes a table, an object a list of its members, a list inside it a table of its own. */
export function buildBlocks(value: unknown, title = ""): readonly Block[] {
  if (Array.isArray(value)) return [buildTable(value, title)];
  if (!isObject(value))
    return [{ kind: "record", title, entries: [[title === "" ? "answer" : title, formatValue(value)]] }];
  const entries: [string, string][] = [];
  const tables: Block[] = [];
  for (const [path, member] of leaves(value)) {
    if (isTable(member)) tables.push(buildTable(member, path));
    else entries.push([toOneLine(path), formatMember(path, member)]);
  }
  return entries.length === 0 && tables.length > 0 ? tables : [{ kind: "record", title, entries }, ...tables];
}

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
export const NULL = "-";

/** Names of members that contain a time, in each of the platform's spellings. */
const TIME_NAME = /(^|[._])(created|updated|time|date|timestamp)$|(Time|At)$/;
/** A number or a text of ms since 1970, between 2001 and 2286. */
const MILLISECONDS = /^[1-9]\d{12}$/;

/** The value of a member; a time as ISO 8601. */
const formatMember = (path: string, value: unknown): string =>
  TIME_NAME.test(path) && MILLISECONDS.test(`${value}`)
    ? new Date(Number(value)).toISOString()
    : formatValue(value);

/** One value in a cell. */
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
