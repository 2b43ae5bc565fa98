/** A node of a JSON Schema, with the members that the tables show. */
interface JsonSchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly JsonSchemaNode[];
  readonly items?: JsonSchemaNode;
  readonly properties?: Readonly<Record<string, JsonSchemaNode>>;
  readonly propertyNames?: JsonSchemaNode;
  readonly additionalProperties?: JsonSchemaNode | boolean;
  readonly required?: readonly string[];
}

/** Returns a Markdown table of the keys at a path of the schema, such as `rules[].scope`. */
export function renderKeyTable(schemaText: string, path: string): string {
  const schema = getNode(JSON.parse(schemaText) as JsonSchemaNode, path); // written by our own generator
  const rows = Object.entries(schema.properties ?? {}).map(([key, own]) => {
    const required = schema.required?.includes(key) === true ? " Required." : "";
    return `| \`${key}\` | ${describeValues(own)} | ${escapeCell(own.description ?? "")}${required} |`;
  });
  return ["| key | takes | |", "|---|---|---|", ...rows].join("\n");
}

function getNode(schema: JsonSchemaNode, path: string): JsonSchemaNode {
  return path
    .split(/\.|(?=\[\])/)
    .filter((step) => step !== "")
    .reduce((own, step) => (step === "[]" ? own.items : own.properties?.[step]) ?? {}, schema);
}

function describeValues(schema: JsonSchemaNode): string {
  const { anyOf, items, enum: choices } = schema;
  if (choices !== undefined) return choices.map(formatCode).join(", ");
  if (schema.const !== undefined) return formatCode(schema.const);
  if (anyOf !== undefined) return [...new Set(anyOf.map(describeValues))].join(" or ");
  if (schema.examples !== undefined) return `such as ${schema.examples.map(formatCode).join(", ")}`;
  if (items !== undefined) return `a list: ${describeValues(items)}`;
  return describePlainType(schema);
}

function describePlainType({
  type,
  properties,
  propertyNames,
  additionalProperties,
}: JsonSchemaNode): string {
  if (properties !== undefined) return "keys of its own";
  if (propertyNames !== undefined && typeof additionalProperties === "object")
    return `for each pattern ${describeValues(additionalProperties)}`;
  return TYPE_WORDS[type ?? ""] ?? "text";
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  boolean: "`true`, `false`",
  integer: "a whole number",
  number: "a number",
  string: "text",
};

const formatCode = (value: unknown): string => `\`${String(value)}\``;
const escapeCell = (text: string): string => text.replaceAll("|", "\\|");
