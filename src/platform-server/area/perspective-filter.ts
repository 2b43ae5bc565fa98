import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type {
  PerspectiveCondition,
  PerspectiveField,
  PerspectiveFilter,
  ViewOperator,
} from "../../platform/contract/shapes/perspective-filter.ts";
import { DIALECTS, translateWord } from "../../platform/contract/wire/translate.ts";
import { type FieldProblem, refuseFields } from "./problem.ts";

export type Sql = RawBuilder<SqlBool>;

/** One kind of rows, as the filters of perspectives see it. */
export interface FilterableRows {
  /** A row, for messages: "a recommendation". */
  readonly one: string;
  /** By the field's id in the contract; null where a row has no text. */
  readonly texts: Readonly<Record<string, Expression<unknown>>>;
  /** By the field's id, in ms since 1970; null where the time is not known. `startTime` is the one of `timeRangeTypeFilter`. */
  readonly times: Readonly<Record<string, Expression<unknown>>> & { readonly startTime: Expression<unknown> };
  testLabel(label: LabelName, test: TextTest): Sql;
}

export interface LabelName {
  readonly kind: "tag" | "cost-category";
  readonly key: string;
}

/** The comparison of a text. `NULL` and `NOT_NULL` ignore the values. */
export interface TextTest {
  readonly operator: ViewOperator;
  readonly values: readonly string[];
}

/**
 * Returns the condition of perspective filters on rows: every filter must hold, and of all their rules at least one. A perspective that a
 * filter names narrows rows that have a `perspectiveId`. `path`: the place of the filters in the request, with a final dot. @throws Refusal
 */
export function parsePerspectiveFilters(
  rows: FilterableRows,
  filters: readonly PerspectiveFilter[],
  { now, path }: { readonly now: number; readonly path: string },
): Sql {
  const problems: FieldProblem[] = [];
  const reading: Reading = { rows, problems };
  const conditions: Sql[] = [];
  const rules: Sql[] = [];
  for (const [index, filter] of filters.entries()) {
    conditions.push(...parseFilter(reading, filter, { now, path: `${path}${index}` }));
    if (filter.ruleFilter !== undefined)
      rules.push(parseRule(reading, filter.ruleFilter, `${path}${index}.ruleFilter`));
  }
  if (problems.length > 0) refuseFields(problems);
  return allOf(rules.length === 0 ? conditions : [...conditions, anyOf(rules)]);
}

/** A saved rule of a perspective: all of its conditions must hold. */
export interface PerspectiveRule {
  readonly conditions: readonly PerspectiveCondition[];
}

/** Returns the condition of saved rules, of which one must hold, and their problems; without rules every row matches. */
export function parseRules(
  rows: FilterableRows,
  rules: readonly PerspectiveRule[],
): { readonly condition: Sql; readonly problems: readonly FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const all = rules.map((rule, index) => parseRule({ rows, problems }, rule, `rules.${index}`));
  return { condition: all.length === 0 ? allOf([]) : anyOf(all), problems };
}

/** Whether a filter's perspective counts: a preview brings its rules along. */
export const isPreview = ({
  isPreview: is,
  preview,
}: NonNullable<PerspectiveFilter["viewMetadataFilter"]>): boolean => is === true || preview === true;

interface Reading {
  readonly rows: FilterableRows;
  /** All problems are reported at once. */
  readonly problems: FieldProblem[];
}

function* parseFilter(
  reading: Reading,
  { idFilter, timeFilter, timeRangeTypeFilter, viewMetadataFilter: view }: PerspectiveFilter,
  { now, path }: { readonly now: number; readonly path: string },
): Iterable<Sql> {
  const { texts, times } = reading.rows;
  if (idFilter !== undefined) yield parseCondition(reading, idFilter, `${path}.idFilter`);
  if (timeFilter !== undefined) yield parseTime(reading, timeFilter, `${path}.timeFilter`);
  if (timeRangeTypeFilter !== undefined) {
    const { from, to } = monthRange(timeRangeTypeFilter, now);
    yield sql`${times.startTime} between ${from}::bigint and ${to}::bigint`;
  }
  if (view !== undefined && !isPreview(view) && texts["perspectiveId"] !== undefined)
    yield textCondition(texts["perspectiveId"], { operator: "IN", values: [view.viewId] });
}

const parseRule = (reading: Reading, { conditions }: PerspectiveRule, path: string): Sql =>
  allOf(conditions.map((one, index) => parseCondition(reading, one, `${path}.conditions.${index}`)));

function parseCondition({ rows, problems }: Reading, condition: PerspectiveCondition, path: string): Sql {
  const { field, operator, values } = condition;
  const refuse = (member: keyof PerspectiveField, error: string): Sql => {
    problems.push({ field: `${path}.field.${member}`, error });
    return NOTHING;
  };
  if (field.identifier === "CUSTOM")
    return refuse("fieldId", "custom fields are computed by the platform, not imported");
  const kind = findLabelKind(field);
  if (kind !== null) {
    const key = field.fieldName || (field.fieldId === LABEL_FIELDS[kind] ? "" : field.fieldId);
    if (key === "") return refuse("fieldName", `expected ${LABEL_NAMES[kind]}`);
    return rows.testLabel({ kind, key }, { operator, values });
  }
  const text = findField(rows.texts, field.fieldId);
  if (text === undefined)
    return refuse(
      "fieldId",
      `${rows.one} has no field ${field.fieldId}; expected one of ${Object.keys(rows.texts).join(", ")}`,
    );
  // A filter's values are plain texts, which no dialect translates.
  const isCloud = toNeutralId(field.fieldId) === "cloudprovider";
  const neutral = isCloud ? values.map((value) => translateWord("cloud", value, "neutral")) : values;
  return textCondition(text, { operator, values: neutral });
}

function parseTime(
  { rows, problems }: Reading,
  { field, operator, value }: NonNullable<PerspectiveFilter["timeFilter"]>,
  path: string,
): Sql {
  const time = findField(rows.times, field.fieldId);
  if (time !== undefined)
    return operator === "AFTER" ? sql`${time} >= ${value}::bigint` : sql`${time} <= ${value}::bigint`;
  const error = `${rows.one} has no time ${field.fieldId}; expected one of ${Object.keys(rows.times).join(", ")}`;
  problems.push({ field: `${path}.field.fieldId`, error });
  return NOTHING;
}

/** The ids of fields that are labels of any key, which `fieldName` states. */
export const LABEL_FIELDS = { tag: "labels.value", "cost-category": "businessMapping" } as const;
const LABEL_NAMES = { tag: "the label's key", "cost-category": "the cost category's name" } as const;

function findLabelKind({ fieldId, identifier }: PerspectiveField): LabelName["kind"] | null {
  if (identifier === "LABEL" || identifier === "LABEL_V2" || fieldId === LABEL_FIELDS.tag) return "tag";
  return identifier === "BUSINESS_MAPPING" || fieldId === LABEL_FIELDS["cost-category"]
    ? "cost-category"
    : null;
}

/** Returns what a table has for a field's id, which may be written in any case and as either dialect does. */
export function findField<T>(fields: Readonly<Record<string, T>>, fieldId: string): T | undefined {
  const wanted = toNeutralId(fieldId);
  return Object.entries(fields).find(([id]) => id.toLowerCase() === wanted)?.[1];
}

function toNeutralId(fieldId: string): string {
  const id = fieldId.toLowerCase();
  const words = Object.entries(DIALECTS.live.firstWords);
  const [neutral, live] = words.find(([, other]) => id.startsWith(other)) ?? ["", ""];
  return neutral.toLowerCase() + id.slice(live.length);
}

/** First and last millisecond of a calendar month in UTC, in ms since 1970. */
function monthRange(
  month: NonNullable<PerspectiveFilter["timeRangeTypeFilter"]>,
  nowMs: number,
): { readonly from: number; readonly to: number } {
  const now = new Date(nowMs);
  const index = now.getUTCMonth() - (month === "LAST_MONTH" ? 1 : 0);
  const start = (plus: number) => Date.UTC(now.getUTCFullYear(), index + plus);
  return { from: start(0), to: start(1) - 1 };
}

const NOTHING: Sql = sql`false`;

/** Returns the condition that all of these hold; of none it is true. */
export const allOf = (parts: readonly Sql[]): Sql =>
  parts.length === 0 ? sql`true` : sql`(${sql.join(parts, sql` and `)})`;

/** Returns the condition that one of these holds; of none it is false. */
export const anyOf = (parts: readonly Sql[]): Sql =>
  parts.length === 0 ? NOTHING : sql`(${sql.join(parts, sql` or `)})`;

/**
 * Returns a test of a text. `IN`, `EQUALS`: one of the values. `NOT_IN`: none of them, or no text. `LIKE`: a pattern with `%` and `_`.
 * `SEARCH`: contains one, see `containsText`. `NULL`, `NOT_NULL`: there is no text, there is one.
 */
export function textCondition(text: Expression<unknown>, { operator, values }: TextTest): Sql {
  const wanted = sql`${[...values]}::text[]`;
  switch (operator) {
    case "IN":
    case "EQUALS":
      return sql`${text} = any(${wanted})`;
    case "NOT_IN":
      return sql`(${text} = any(${wanted})) is not true`;
    case "LIKE":
      // Without an escape character no pattern is invalid.
      return sql`exists (select 1 from unnest(${wanted}) as wanted(text) where ${text} like wanted.text escape '')`;
    case "SEARCH":
      return containsText(text, values);
    case "NULL":
      return sql`${text} is null`;
    case "NOT_NULL":
      return sql`${text} is not null`;
  }
}

/**
 * Returns the condition that a text contains one of the values, in upper or lower case by Unicode's rules, as `foldCase` has them. A
 * database's own rules depend on its locale.
 */
export const containsText = (text: Expression<unknown>, values: readonly string[]): Sql =>
  sql`exists (select 1 from unnest(${[...values]}::text[]) as wanted(text)
    where strpos(lower(${text} collate "und-x-icu"), lower(wanted.text collate "und-x-icu")) > 0)`;

// Line feed and tab separate values in texts that are searched, so no folded value may hold a control character.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is folded away
const CONTROL = /[\u0000-\u001f]/g;

/** Returns the searchable form of a text: lower case by Unicode's rules (not the database's), control characters as blanks. */
export const foldCase = (text: string): string => text.toLowerCase().replace(CONTROL, " ");
