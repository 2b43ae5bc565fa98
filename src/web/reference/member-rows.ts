import { type DocumentSchema, parseReferenceName } from "./api-document.ts";

/** One row of a member of a shape. The rows of its own members follow with a greater depth. */
export interface MemberRow {
  readonly name: string;
  /** Nesting depth inside the shape, from 0. */
  readonly depth: number;
  readonly required: boolean;
  readonly type: string;
  /** Shapes with a section of their own that are named in the type. */
  readonly shapes: readonly string[];
  readonly limits: string;
  readonly words: string;
}

/** Returns the rows of a shape's members, or one row for a shape without members. */
export function buildMemberRows(schema: DocumentSchema): readonly MemberRow[] {
  const rows = listInnerRows(schema, 0);
  return rows.length > 0 ? rows : [buildMemberRow({ name: "", schema, required: true, depth: 0 })];
}

function listInnerRows(schema: DocumentSchema, depth: number): readonly MemberRow[] {
  const { properties = {}, required = [], items, additionalProperties } = schema;
  const own = Object.entries(properties).flatMap(([name, member]) => [
    buildMemberRow({ name, schema: member, required: required.includes(name), depth }),
    ...listInnerRows(member, depth + 1),
  ]);
  const values = typeof additionalProperties === "object" ? additionalProperties : undefined;
  const options = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [
    ...own,
    ...[items, values, ...options].flatMap((one) => (one === undefined ? [] : listInnerRows(one, depth))),
  ];
}

interface SchemaMember {
  readonly name: string;
  readonly schema: DocumentSchema;
  readonly required: boolean;
  readonly depth: number;
}

const buildMemberRow = ({ name, schema, required, depth }: SchemaMember): MemberRow => ({
  name,
  depth,
  required,
  type: describeType(schema),
  shapes: [...new Set(listShapes(schema))],
  limits: describeLimits(schema),
  words: schema.description ?? "",
});

/** Returns a short name of the type: `list of text`, `map of integer`, `Recommendation or null`. */
export function describeType(schema: DocumentSchema): string {
  const { $ref, type, items, additionalProperties, anyOf, oneOf, enum: values, const: only } = schema;
  if ($ref !== undefined) return parseReferenceName($ref);
  const options = anyOf ?? oneOf;
  if (options !== undefined) return [...new Set(options.map(describeType))].join(" or ");
  if (only !== undefined) return JSON.stringify(only);
  if (values !== undefined) return values.join(" | ");
  if (items !== undefined) return appendNull(type, `list of ${describeType(items)}`);
  if (typeof additionalProperties === "object" && schema.properties === undefined)
    return appendNull(type, `map of ${describeType(additionalProperties)}`);
  return type === undefined ? "anything" : [type].flat().map(getTypeWord).join(" or ");
}

const appendNull = (type: DocumentSchema["type"], words: string): string =>
  Array.isArray(type) && type.includes("null") ? `${words} or null` : words;

const getTypeWord = (type: string): string => (type === "string" ? "text" : type);

function listShapes({
  $ref,
  items,
  additionalProperties,
  anyOf = [],
  oneOf = [],
}: DocumentSchema): readonly string[] {
  if ($ref !== undefined) return [parseReferenceName($ref)];
  const values = typeof additionalProperties === "object" ? [additionalProperties] : [];
  return [...(items === undefined ? [] : [items]), ...values, ...anyOf, ...oneOf].flatMap(listShapes);
}

/** Returns limits and default in words; empty without any. */
export function describeLimits(schema: DocumentSchema): string {
  const { format, examples, pattern } = schema;
  const parts = [
    format ?? "",
    describeRange(schema.minimum, schema.maximum, ""),
    describeRange(schema.minLength, schema.maxLength, " characters"),
    describeRange(schema.minItems, schema.maxItems, " items"),
    pattern === undefined ? "" : `matches ${pattern}`,
    examples === undefined ? "" : `e.g. ${examples.join(", ")}`,
    schema.default === undefined ? "" : `default ${JSON.stringify(schema.default)}`,
  ];
  return parts.filter((part) => part !== "").join("; ");
}

function describeRange(from: number | undefined, to: number | undefined, unit: string): string {
  if (to !== undefined) return from === undefined ? `at most ${to}${unit}` : `${from} to ${to}${unit}`;
  return from === undefined || from === 0 ? "" : `at least ${from}${unit}`;
}
