import type { z } from "zod";
import { shorten } from "../../kernel/shorten.ts";
import { suggestChoice } from "../../kernel/suggest.ts";
import { type FileProblem, formatPath, type ValuePath } from "./text-position.ts";
import type { YamlTree } from "./yaml-tree.ts";

type SchemaIssue = z.core.$ZodIssue;

/** Validates a tree and words each problem: what was found, what was expected, and what was probably meant. */
export function findSchemaProblems(tree: YamlTree, schema: z.ZodType): readonly FileProblem[] {
  const parsed = schema.safeParse(tree.value);
  if (parsed.success) return [];
  const flaws = parsed.error.issues.flatMap((issue) => toFlaws(issue, tree, schema));
  return flaws.filter((flaw) => !isConsequence(flaw, flaws));
}

/** Whether a problem of a mapping only follows from a problem of one of its keys. */
const isConsequence = ({ path }: FileProblem, flaws: readonly FileProblem[]): boolean =>
  /(^|\.)(limit|approve|override)$/.test(path) && flaws.some((other) => other.path.startsWith(`${path}.`));

function toFlaws(issue: SchemaIssue, tree: YamlTree, schema: z.ZodType): readonly FileProblem[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      ...tree.findKeyPosition(issue.path, key),
      path: formatPath([...issue.path, key]),
      message: describeUnknownKey(issue.path, key, schema),
    }));
  }
  const inner = listInnerIssues(issue);
  if (inner.length > 0) return inner.flatMap((own) => toFlaws(own, tree, schema));
  const { path, message } = issue;
  const key = issue.code === "invalid_key" ? String(path.at(-1)) : null;
  const place = key === null ? tree.findPosition(path) : tree.findKeyPosition(path.slice(0, -1), key);
  return [{ ...place, path: formatPath(path), message: sentence(message, key ?? at(tree.value, path)) }];
}

/** For a union: the problems within the alternative that was attempted. */
function listInnerIssues(issue: SchemaIssue): readonly SchemaIssue[] {
  if (issue.code !== "invalid_union") return [];
  const taken = issue.errors.find((way) => way.some(({ path }) => path.length > 0)) ?? [];
  return taken.map((own) => ({ ...withKeyMessage(own), path: [...issue.path, ...own.path] }));
}

const withKeyMessage = (issue: SchemaIssue): SchemaIssue =>
  issue.code === "invalid_key" ? { ...issue, message: issue.issues[0]?.message ?? issue.message } : issue;

function sentence(expected: string, value: unknown): string {
  if (value === undefined) return `is missing; expected ${expected}`;
  const meant = typeof value === "string" ? suggestChoice(value, listChoices(expected)) : null;
  return `found ${found(value)}, expected ${expected}${meant === null ? "" : ` (did you mean ${meant}?)`}`;
}

/** The choices of a closed set, as its expectation names them. */
const listChoices = (expected: string): readonly string[] =>
  /^(one of )?[a-z-]+(, [a-z-]+)*( or [a-z-]+)?$/.test(expected)
    ? expected.replace(/^one of /, "").split(/, | or /)
    : [];

function describeUnknownKey(path: ValuePath, key: string, schema: z.ZodType): string {
  const known = listKeys(path, schema);
  // Within { } a comma ends a text, and what follows is read as a key.
  if (/^\d|[()"'=&|<>]/.test(key))
    return "is not a key here; within { } a comma ends a text: put the whole text in quotes, and write amounts as 1000 USD";
  const meant = suggestChoice(key, known);
  const choices = `expected one of ${known.join(", ")}`;
  return `is not a key here; ${meant === null ? choices : `did you mean ${meant}?`}`;
}

/** The keys that a schema knows at a path. */
function listKeys(path: ValuePath, whole: z.ZodType): readonly string[] {
  let schema: unknown = whole;
  for (const step of path)
    schema = typeof step === "number" ? getItemSchema(schema) : memberAt(schema, String(step));
  return Object.keys(getShape(schema));
}

type ZodDefinition = {
  readonly innerType?: unknown;
  readonly element?: unknown;
  readonly valueType?: unknown;
  /** The alternatives of a union. */
  readonly options?: readonly unknown[];
  readonly shape?: Record<string, unknown>;
};

/** The schema's definition without "optional" around it. */
function getDefinition(schema: unknown): ZodDefinition {
  const { def } = schema as { readonly def: ZodDefinition }; // every zod schema has one, and only schemas are passed
  return def.innerType === undefined ? def : getDefinition(def.innerType);
}

function getShape(schema: unknown): Record<string, unknown> {
  if (schema === undefined) return {};
  const { shape, options } = getDefinition(schema);
  return shape ?? Object.assign({}, ...(options ?? []).map(getShape));
}

const memberAt = (schema: unknown, key: string): unknown =>
  getShape(schema)[key] ?? (schema === undefined ? undefined : getDefinition(schema).valueType);
const getItemSchema = (schema: unknown): unknown => getDefinition(schema).element;

/** The value at a path; undefined: there is none. */
const at = (value: unknown, path: ValuePath): unknown => path.reduce<unknown>(readMember, value);

/** Longest text of a found value, in characters. */
const LONGEST = 60;

function found(value: unknown): string {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object") return describeMapping(Object.keys(value));
  return shorten(JSON.stringify(value) ?? "nothing", LONGEST);
}

function describeMapping(keys: readonly string[]): string {
  if (keys.length === 0) return "an empty mapping";
  const named = keys.slice(0, 3).map((key) => JSON.stringify(key.slice(0, LONGEST)));
  return `a mapping with ${named.join(", ")}${keys.length > named.length ? " and more" : ""}`;
}

/** A member of an external value; undefined: the value is no mapping, or has no own member of that name. */
export function readMember(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<PropertyKey, unknown>>)[key]; // an object that has it
}

/** Largest policy file, in UTF-8 bytes. */
const MAX_BYTES = 65_536;

/** The problem of a text before it is parsed, as a sentence; null: none. */
export function findTextProblem(text: string): string | null {
  if (text.length > MAX_BYTES || new TextEncoder().encode(text).length > MAX_BYTES) {
    return `the file is larger than ${MAX_BYTES / 1024} KB; make it shorter`;
  }
  if (text.startsWith("\ufffe")) return "the file is not UTF-8 text; save it as UTF-8";
  if (text.includes("\0")) return "the file holds NUL characters, as UTF-16 text does; save it as UTF-8";
  if (text.includes("\ufffd")) return "the file is not UTF-8 text; save it as UTF-8";
  return text.trim() === "" ? "the file is empty; it needs at least version: 1" : null;
}
