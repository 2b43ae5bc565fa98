import { z } from "zod";
import { CaseFile } from "../src/policy/cases/case-schema.ts";
import { PolicyFile } from "../src/policy/file/schema.ts";
import type { FactName } from "../src/policy/model/policy.ts";
import { RULE_KINDS } from "../src/policy/rules/rule-kinds.ts";
import { NEEDS } from "../src/policy/when/condition-run.ts";
import { TYPES, VARIABLES, WORDS } from "../src/policy/when/environment.ts";

/**
 * Fills in the generated parts of a page. `read` returns the text of a file by its path relative to the page.
 */
export function fillPage(page: string, read: (path: string) => string): string {
  return page.replaceAll(GENERATED_PART, (...matched: readonly unknown[]) => {
    const [, start, what, about, end] = matched.map(String);
    return `${start}${renderPart(what ?? "", about?.trim() ?? "", read)}\n${end}`;
  });
}

const GENERATED_PART = /(<!-- generated: (\w+)([^>]*?)-->\n)[\s\S]*?(<!-- end -->)/g;

function renderPart(what: string, about: string, read: (path: string) => string): string {
  switch (what) {
    case "keys":
      return renderKeyTable(renderPolicySchema(), about);
    case "cases":
      return renderKeyTable(renderCaseSchema(), about);
    case "limits":
      return renderLimitTable();
    case "variables":
      return renderVariableTable();
    case "types":
      return renderTypeTable();
    case "words":
      return renderWordTable();
    case "needs":
      return renderNeedTable();
    default:
      return `\`\`\`${what}\n${read(about).trimEnd()}\n\`\`\``;
  }
}

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
function renderKeyTable(schemaText: string, path: string): string {
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

const VARIABLE_DESCRIPTIONS: { readonly [name in keyof typeof VARIABLES]: string } = {
  pull: "the pull request itself; `author` in lower case, of an app with `[bot]`; `base` is the branch to merge into",
  cost: "the total cost, where there is one currency",
  costs: "the total cost in each currency",
  stages: "each stage: its cost and numbers of changed resources",
  modules: "each module, over all stages",
  resources: "each resource whose cost changes; `action` is what happens to it, or empty",
  changes:
    "how many resources change, and `rows`: each of them; a resource that only moves is not one of them",
  invocations:
    "each action that a plan invokes, at an `event` of a `resource` (`AfterCreate`), or on request: both are empty then",
  unpriced: "unpriced resources",
  usage:
    "resources whose price depends on usage that is not given: `count` after merging, `introduced` of them new or changed; `resources`, whose `action` may be `given`: its usage is stated only now",
  savings: "missed savings on resources that the pull request touches",
  anomalies: "open cost anomalies",
  governance: "newest evaluations of the governance engine",
  unit_costs:
    "the cost of one unit of each granted metric; `perspective` is empty unless it was derived from one",
  governance_prompts: "rules that governance suggests for touched types of resources, one for each type",
  drift:
    "each stage with drift: `drift` is the part of its change that undoes or absorbs the drift, `own` the rest",
  lifetimes: "each stage that is destroyed automatically: its cost until then",
};

/** Returns a Markdown table of every variable with its type. */
function renderVariableTable(): string {
  const rows = Object.entries(VARIABLES).map(
    ([name, type]) =>
      `| \`${name}\` | \`${type}\` | ${VARIABLE_DESCRIPTIONS[name as keyof typeof VARIABLES]} |`, // its own keys
  );
  return ["| variable | type | |", "|---|---|---|", ...rows].join("\n");
}

/** Returns a Markdown table of every type with its members. */
function renderTypeTable(): string {
  const rows = Object.entries(TYPES).map(([name, members]) => {
    const memberTexts = Object.entries(members).map(([member, type]) => `\`${member}\` ${type}`);
    return `| \`${name}\` | ${memberTexts.join(", ")} |`;
  });
  return ["| type | members |", "|---|---|", ...rows].join("\n");
}

/** Returns a Markdown table of the members whose values are words; any other word is refused. */
function renderWordTable(): string {
  const rows = Object.entries(WORDS).map(([member, words]) => {
    const texts = words.map((word) => (word === "" ? "empty (nothing is planned)" : `\`${word}\``));
    return `| \`${member}\` | ${texts.join(", ")} |`;
  });
  return ["| member | its values |", "|---|---|", ...rows].join("\n");
}

const UNKNOWN_WHEN: { readonly [fact in FactName]: string } = {
  stages:
    "an execution may not be shown, its stages could not be read, it is not proven to belong to the commit, or its result is unknown",
  cost: "the cost of a stage is unknown, partly estimated or contradictory, or a new, changed or deleted resource is usage-based",
  totals: "the scope names parts of a stage, whose total cost is not listed",
  currency: "there are several currencies",
  modules: "the modules of a stage are unknown, or do not add up to its change",
  resources: "the listed resources do not add up to the change of a stage",
  counts: "the numbers of changes of a stage are unknown",
  unchanged: "the scope names parts of a stage",
  rows: "a change of a stage is not listed",
  tags: "a tag that it reads is unknown",
  attributes:
    "an attribute that it reads is unknown, more than 200 resources change, or the pull request is evaluated only for an edit of the policy",
  invocations: "the source of a stage does not state them, or they are too many to list",
  unpriced: "the unpriced resources of a stage are unknown",
  usage: "the usage-based resources of a stage are unknown",
  usage_resources: "some usage-based resources that may be new are counted and not named",
  paths: "GitHub does not list all changed files",
  author: "the author's account is deleted",
  labels: "the labels are unknown",
  savings: "the platform could not state them for a touched resource",
  anomalies: "they could not be read",
  anomaly_cost: "an anomaly does not state its cost above what was expected, or they are more than 500",
  governance: "they could not be read",
  unit_costs: "a metric has no value before or after",
  governance_prompts: "they could not be read, or the touched resources are unknown",
  drift: "the numbers of changes of a stage, or the cost of its drifted resources, are unknown",
  lifetimes: "the schedules of a project could not be read, or do not determine the lifetime of a stage",
};

/** Returns a Markdown table of the facts that a condition requires, by the members that it reads. */
function renderNeedTable(): string {
  const rows = NEEDS.map(({ fact, variables, members }) => {
    const names = variables.map((name) => `\`${name}\``).join(", ");
    const read = members === null ? "" : `, with ${members.map(renderMember).join(", ")}`;
    return `| ${names}${read} | ${UNKNOWN_WHEN[fact]} |`;
  });
  return ["| a condition that reads | is undecided where |", "|---|---|", ...rows].join("\n");
}

/** Without the type that a member is named with. */
const renderMember = (member: string): string => `\`${member.split(".").at(-1)}\``;

const PARTS = { modules: "modules", types: "resource types, providers", tags: "tags" } as const;

/**
 * Returns a Markdown table of every kind of limit: the allowed value, the values of `per`, and the parts of a
 * stage that a scope can name.
 */
function renderLimitTable(): string {
  const rows = Object.entries(RULE_KINDS).flatMap(([kind, { words, granularities: pers, parts }]) => {
    if (words === null) return [];
    const each = pers.length === 5 ? "all" : pers.map((per) => `\`${per}\``).join(", ");
    return `| \`${kind}\` | ${words} | ${each} | ${parts.map((part) => PARTS[part]).join(", ") || "–"} |`;
  });
  return ["| limit | | `per` | parts of a stage in `scope` |", "|---|---|---|---|", ...rows].join("\n");
}

/** The published JSON Schema of a policy file, for editors: `docs/policy.schema.json`, byte for byte. */
export const renderPolicySchema = (): string => renderSchema(PolicyFile, "Tollgate policy file");

/** The published JSON Schema of a file of cases: `docs/policy-cases.schema.json`, byte for byte. */
export const renderCaseSchema = (): string => renderSchema(CaseFile, "Cases for a Tollgate policy");

function renderSchema(schema: z.ZodType, title: string): string {
  const json = z.toJSONSchema(schema, { io: "input", target: "draft-2020-12" });
  return `${JSON.stringify({ ...json, title }, null, 2)}\n`;
}
