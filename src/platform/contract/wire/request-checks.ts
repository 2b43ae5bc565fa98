import { z } from "zod";
import { isPathSegment, isPlatformId, SCOPE_NAME } from "../../../kernel/ids.ts";
import { PARSE_OPTIONS } from "../../../kernel/parse-options.ts";
import { suggestChoice } from "../../../kernel/suggest.ts";
import type { Endpoint } from "../endpoint.ts";
import { createSchemaTest, unwrapSchema, type ZodSchema } from "./schema-parts.ts";

/** A problem of one member of a request: `field` is its path below `part`. */
export interface FieldError {
  readonly part: string;
  readonly field: string;
  readonly error: string;
}

export type RequestCheck<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly fields: readonly FieldError[];
      /** The same problems as text, one line each. */
      readonly problems: readonly string[];
    };

type RequestValues = Readonly<Record<string, unknown>>;

export function checkBody(endpoint: Endpoint, body: unknown): readonly FieldError[] {
  const wrong = (error: string): readonly FieldError[] => [{ part: "body", field: "", error }];
  if (endpoint.body === undefined) return body === undefined ? [] : wrong("this endpoint takes none");
  if (endpoint.body === "bytes") return body instanceof Uint8Array ? [] : wrong("expected bytes");
  return checkPart("body", endpoint.body, body);
}

export function checkPart(
  part: string,
  schema: z.ZodType | undefined,
  value: unknown,
): readonly FieldError[] {
  const result = schema?.safeParse(value, PARSE_OPTIONS);
  return result === undefined || result.success ? [] : toFieldErrors(part, result.error);
}

/** Returns a problem for each undeclared parameter. `accepted`: further allowed names. */
export function findUndeclared(
  part: string,
  schema: z.ZodObject | undefined,
  fields: { readonly names: Iterable<string>; readonly accepted?: readonly string[] },
): readonly FieldError[] {
  const declared = Object.keys(schema?.shape ?? {});
  const known = new Set([...declared, ...(fields.accepted ?? [])]);
  return [...new Set(fields.names)]
    .filter((name) => !known.has(name))
    .map((field) => ({ part, field, error: explainUndeclared(field, declared) }));
}

function explainUndeclared(name: string, declared: readonly string[]): string {
  // Other servers take a list as `name[]`.
  const meant = suggestChoice(name.split("[", 1)[0] ?? "", declared);
  const question = meant === null ? "" : ` (did you mean ${meant}?)`;
  return `is not a parameter of this operation${question}; it takes ${declared.join(", ") || "none"}`;
}

/** Returns a problem for each path parameter that could leave its path segment or names another account. */
export const findUnsafeIds = (
  { slashes = [] }: Endpoint,
  params: RequestValues,
  account: string,
): readonly FieldError[] =>
  Object.entries(params).flatMap(([field, value]) => {
    if (typeof value !== "string") return [];
    const error = slashes.includes(field) ? explainReference(value, account) : explainSegment(field, value);
    return error === null ? [] : [{ part: "params", field, error }];
  });

/** Orgs and projects may have any name; their schema limits the length. */
function explainSegment(field: string, value: string): string | null {
  if (field !== "org" && field !== "project") return isPlatformId(value) ? null : `expected ${ID_CHARACTERS}`;
  return value === "" || isPathSegment(value) ? null : `expected ${SCOPE_NAME}`;
}

function explainReference(value: string, account: string): string | null {
  const pieces = value.split("/");
  const end = pieces.pop();
  if (end !== "+" || pieces.length === 0 || !pieces.every(isPlatformId))
    return `expected pieces of ${ID_CHARACTERS} with slashes between them, and /+ at the end`;
  return pieces[0] === account ? null : "expected this client's account as the first piece";
}

const ID_CHARACTERS = "1 to 128 of the characters A-Z a-z 0-9 _ . $ -";

export const createRefusedCheck = (fields: readonly FieldError[]): RequestCheck<never> => ({
  ok: false,
  fields,
  problems: fields.map(describeFieldError),
});

const describeFieldError = ({ part, field, error }: FieldError): string => {
  const place = [part, field].filter((name) => name !== "").join(".");
  return place === "" ? error : `${place}: ${error}`;
};

export const toFieldErrors = (part: string, error: z.ZodError): readonly FieldError[] =>
  error.issues.map(({ path, message }) => ({ part, field: path.join("."), error: message }));

/** Returns one line per issue: the place and what was expected. `part` prefixes each place; empty: no prefix. */
export const explain = (part: string, error: z.ZodError): readonly string[] =>
  toFieldErrors(part, error).map(describeFieldError);

type MemberPath = readonly (string | number)[];
type InvalidMember = { readonly path: MemberPath; readonly issues: readonly z.core.$ZodIssue[] };

/** A value with more members than this is large: only its first problem is reported. */
const LARGE = 2_000;
/** A map with more members than this is checked separately. */
const LARGE_MAP = 100;

/** Zod stops at the first wrong member of a list or an object, but not of a map. */
const STOP_EARLY = { ...PARSE_OPTIONS, abortEarly: true } as const;

type BoundedResult<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly error: z.ZodError };

/**
 * Parses a value by its schema. Of a large value only the first problem is reported: a list of all problems would take
 * a hundred times the memory of the value itself.
 */
export function parseBounded<T>(schema: z.ZodType<T>, value: unknown): BoundedResult<T> {
  if (!isLarge(value)) return schema.safeParse(value, PARSE_OPTIONS);
  const wrong = findInvalidInMap(schema, value);
  if (wrong === null) return schema.safeParse(value, STOP_EARLY);
  const issues = wrong.issues.map((issue) => ({ ...issue, path: [...wrong.path, ...issue.path] }));
  return { success: false, error: new z.ZodError([...issues]) };
}

function isLarge(value: unknown): boolean {
  let members = 0;
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const inside = Object.values(next);
    members += inside.length;
    if (members > LARGE) return true;
    open.push(...inside.filter((one) => typeof one === "object" && one !== null));
  }
  return false;
}

/** Returns the first invalid member of a large map, inner maps before outer ones; null without any. */
function findInvalidInMap(schema: ZodSchema, value: unknown): InvalidMember | null {
  if (typeof value !== "object" || value === null || !hasMap(schema)) return null;
  const { shape = {}, element, valueType } = unwrapSchema(schema);
  const each = element ?? valueType;
  for (const key in each === undefined ? shape : value) {
    const wrong = findInvalidInside(each ?? shape[key], value, key);
    if (wrong !== null) return wrong;
  }
  return valueType === undefined ? null : findInvalidMember(valueType, value);
}

/** The path is built on the way back: a path for each of many members would take longer than reading them. */
function findInvalidInside(schema: ZodSchema | undefined, holder: object, key: string): InvalidMember | null {
  const member = (holder as Readonly<Record<string, unknown>>)[key]; // an object or a list: either has members by name
  const wrong = schema === undefined ? null : findInvalidInMap(schema, member);
  return wrong === null ? null : { ...wrong, path: [key, ...wrong.path] };
}

function findInvalidMember(schema: ZodSchema, map: object): InvalidMember | null {
  if (unwrapSchema(schema).type === "unknown") return null;
  const members = Object.entries(map);
  if (members.length <= LARGE_MAP) return null;
  for (const [key, one] of members) {
    const { error } = z.safeParse(schema, one, STOP_EARLY);
    if (error !== undefined) return { path: [key], issues: error.issues };
  }
  return null;
}

/** Whether a value may hold a map that is checked separately. */
const hasMap = createSchemaTest(({ schema }, test) => {
  const { shape = {}, element, valueType } = unwrapSchema(schema);
  return valueType !== undefined || [...Object.values(shape), ...(element ? [element] : [])].some(test);
});
