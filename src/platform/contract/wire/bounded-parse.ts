import { z } from "zod";
import { PARSE_OPTIONS } from "../../../kernel/parse-options.ts";

type ZodSchema = z.core.$ZodType;
type MemberPath = readonly (string | number)[];
type InvalidMember = { readonly path: MemberPath; readonly issues: readonly z.core.$ZodIssue[] };

/** A value with more members than this is large: only its first problem is reported. */
const LARGE = 2_000;
/** A map with more members than this is checked separately. */
const LARGE_MAP = 100;

/** Zod stops at the first wrong member of a list or an object, but not of a map. */
const STOP_EARLY = { ...PARSE_OPTIONS, abortEarly: true } as const;

export type BoundedResult<T> =
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
  const { shape = {}, element, valueType } = getDefinition(schema);
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
  if (getDefinition(schema).type === "unknown") return null;
  const members = Object.entries(map);
  if (members.length <= LARGE_MAP) return null;
  for (const [key, one] of members) {
    const { error } = z.safeParse(schema, one, STOP_EARLY);
    if (error !== undefined) return { path: [key], issues: error.issues };
  }
  return null;
}

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, ZodSchema>>;
  readonly element?: ZodSchema;
  readonly valueType?: ZodSchema;
  readonly innerType?: ZodSchema;
  readonly in?: ZodSchema;
}

/**
 * Returns the definition that applies to the raw value. A union is not opened: no part of it is invalid by
 * itself.
 */
function getDefinition(schema: ZodSchema): Definition {
  const definition = schema._zod.def as unknown as Definition; // zod has a type per kind; these are the members that any has
  const inner = definition.innerType ?? definition.in;
  return inner === undefined || definition.type === "catch" ? definition : getDefinition(inner);
}

const HOLDS_MAP = new WeakMap<ZodSchema, boolean>();

function hasMap(schema: ZodSchema): boolean {
  const known = HOLDS_MAP.get(schema);
  if (known !== undefined) return known;
  HOLDS_MAP.set(schema, false); // a recursive schema adds nothing
  const { shape = {}, element, valueType } = getDefinition(schema);
  const inside = element === undefined ? Object.values(shape) : [element];
  const found = valueType !== undefined || inside.some(hasMap);
  HOLDS_MAP.set(schema, found);
  return found;
}
