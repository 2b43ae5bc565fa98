import { z } from "zod";
import { cutText, shorten } from "./shorten.ts";
import { suggestChoice } from "./suggest.ts";
import {
  createFlaw,
  createKeyFlaw,
  type FileProblem,
  formatPath,
  readYaml,
  type ValuePath,
  type YamlTree,
} from "./yaml-tree.ts";

type SchemaIssue = z.core.$ZodIssue;

/** A strict mapping. The message of an unknown key is the list of the known ones, among which the nearest is found. */
export const createMapping = <Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  expected = "a mapping of keys and values",
) =>
  z.strictObject(shape, {
    error: ({ code }) => (code === "unrecognized_keys" ? Object.keys(shape).join(", ") : expected),
  });

/** A file that was read by a schema. */
export interface ReadFile<T> {
  /** Null: the text is no document. */
  readonly tree: YamlTree | null;
  /** Absent: the schema does not accept it. */
  readonly value?: T;
  readonly flaws: readonly FileProblem[];
}

/** Reads a file and words each problem: what was found, what was expected, and what was probably meant. */
export function readFile<T>(text: string, schema: z.ZodType<T>): ReadFile<T> {
  const unreadable = findTextProblem(text);
  if (unreadable !== null)
    return { tree: null, flaws: [{ line: 1, column: 1, path: "", message: unreadable }] };
  const tree = readYaml(text);
  if (tree.value === undefined) return { tree: null, flaws: tree.flaws };
  const { data, error } = schema.safeParse(tree.value);
  if (error === undefined) return { tree, value: data, flaws: tree.flaws };
  return { tree, flaws: [...tree.flaws, ...listSchemaFlaws(error, tree)] };
}

/** Words what a schema whose messages are expectations does not accept. `isSecret`: values whose text is not shown, by their path. */
export function listSchemaFlaws(
  { issues }: z.core.$ZodError,
  tree: YamlTree,
  isSecret: (path: ValuePath) => boolean = () => false,
): readonly FileProblem[] {
  const flaws = issues.flatMap((issue) => toFlaws(issue, { ...tree, isSecret }));
  return flaws.filter((flaw) => !isConsequence(flaw, flaws));
}

type ShownTree = YamlTree & { isSecret(path: ValuePath): boolean };

/** Whether a problem of a mapping only follows from a problem of one of its keys. */
const isConsequence = ({ path }: FileProblem, flaws: readonly FileProblem[]): boolean =>
  /(^|\.)(limit|approve|override)$/.test(path) && flaws.some((other) => other.path.startsWith(`${path}.`));

function toFlaws(issue: SchemaIssue, tree: ShownTree): readonly FileProblem[] {
  const { path, message } = issue;
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) =>
      createKeyFlaw(tree, [...path, key], describeUnknownKey(key, message.split(", "))),
    );
  const inner = listInnerIssues(issue);
  if (inner.length > 0) return inner.flatMap((own) => toFlaws(own, tree));
  if (issue.code === "invalid_key")
    return [createKeyFlaw(tree, path, sentence(message, String(path.at(-1))))];
  const offset = issue.code === "custom" ? issue.params?.["offset"] : undefined;
  if (typeof offset !== "number") {
    const value = at(tree.value, path);
    const isHidden = value !== undefined && tree.isSecret(path);
    return [createFlaw(tree, path, isHidden ? `expected ${message}` : sentence(message, value))];
  }
  return tree.endsAtComma(path)
    ? [
        createFlaw(
          tree,
          path,
          "ends at a comma, as a text within { } does; put the whole condition in quotes",
        ),
      ]
    : [{ ...tree.findTextPosition(path, offset), path: formatPath(path), message }];
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
  /^(one of )?[\w-]+(, [\w-]+)*( or [\w-]+)?$/.test(expected)
    ? expected.replace(/^one of /, "").split(/, | or /)
    : [];

function describeUnknownKey(key: string, known: readonly string[]): string {
  // Within { } a comma ends a text, and what follows is read as a key.
  if (/^\d|[()"'=&|<>]/.test(key))
    return "is not a key here; within { } a comma ends a text: put the whole text in quotes, and write amounts as 1000 USD";
  const meant = suggestChoice(key, known);
  const choices = `expected one of ${known.join(", ")}`;
  return `is not a key here; ${meant === null ? choices : `did you mean ${meant}?`}`;
}

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
  const named = keys.slice(0, 3).map((key) => JSON.stringify(cutText(key, LONGEST)));
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
function findTextProblem(text: string): string | null {
  if (text.length > MAX_BYTES || new TextEncoder().encode(text).length > MAX_BYTES) {
    return `the file is larger than ${MAX_BYTES / 1024} KB; make it shorter`;
  }
  if (text.startsWith("\ufffe")) return "the file is not UTF-8 text; save it as UTF-8";
  if (text.includes("\0")) return "the file holds NUL characters, as UTF-16 text does; save it as UTF-8";
  if (text.includes("\ufffd")) return "the file is not UTF-8 text; save it as UTF-8";
  return text.trim() === "" ? "the file is empty; it needs at least version: 1" : null;
}
