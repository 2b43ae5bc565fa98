import { isSecretName, listPairedSecrets } from "../../kernel/redact-credentials.ts";
import { MASK } from "./secrets.ts";

/**
 * A plan's sensitivity marks of a value: `true` for the whole value, otherwise the same shape with `true`
 * inside.
 */
export type SensitiveMarks = unknown;

/**
 * Calls `found` with every marked part of `value`. Marks that do not fit the shape of the value cover all of
 * it.
 */
export function forEachMarkedPart(
  value: unknown,
  marks: SensitiveMarks,
  found: (part: unknown) => void,
): void {
  if (value === null || value === undefined || !hasMarks(marks)) return;
  if (!hasSameShape(value, marks)) {
    found(value);
    return;
  }
  for (const [key, mark] of Object.entries(marks ?? {}))
    forEachMarkedPart(getMemberMark(value, key), mark, found);
}

/** Masks every marked part of a value. */
export function maskMarked(value: unknown, marks: SensitiveMarks): unknown {
  if (value === null || value === undefined || !hasMarks(marks)) return value;
  if (!hasSameShape(value, marks)) return MASK;
  if (Array.isArray(value)) return value.map((one, at) => maskMarked(one, getMemberMark(marks, String(at))));
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, maskMarked(one, getMemberMark(marks, key))]),
  );
}

/** Whether any part is marked. */
export function hasMarks(marks: SensitiveMarks): boolean {
  if (typeof marks === "object" && marks !== null) return Object.values(marks).some(hasMarks);
  return marks === true;
}

/** Returns the marks of one member. */
export function getMemberMark(marks: SensitiveMarks, key: string): unknown {
  if (marks === true) return true;
  return typeof marks === "object" && marks !== null && Object.hasOwn(marks, key)
    ? Reflect.get(marks, key)
    : undefined;
}

/**
 * Derives marks from attribute names, for plans without marks: a value is marked when its attribute's name
 * suggests a secret.
 */
export function buildMarksByName(value: unknown): SensitiveMarks {
  if (Array.isArray(value)) return value.map(buildMarksByName);
  if (typeof value !== "object" || value === null) return false;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, isSecretName(key) || buildMarksByName(one)]),
  );
}

/** Derives marks from what a member of an object calls another one: see `listPairedSecrets`. */
export function buildPairMarks(value: unknown): SensitiveMarks {
  if (Array.isArray(value)) {
    const marks = value.map(buildPairMarks);
    return marks.some(hasMarks) ? marks : false;
  }
  if (typeof value !== "object" || value === null) return false;
  const paired = listPairedSecrets({ ...value });
  const marks = Object.entries(value).map(
    ([key, one]) => [key, paired.includes(key) || buildPairMarks(one)] as const,
  );
  return marks.some(([, mark]) => hasMarks(mark)) ? Object.fromEntries(marks) : false;
}

/** In characters. Longer texts are not parsed as JSON. */
const MAX_JSON = 1_000_000;

/** Calls `found` with the secrets of pairs in the JSON texts inside a value, such as the definition of a container. */
export function forEachPairInText(value: unknown, found: (part: unknown) => void): void {
  if (typeof value === "string") {
    if (!/^\s*[[{]/.test(value) || value.length > MAX_JSON) return;
    const document = parseJson(value);
    if (document !== null) forEachMarkedPart(document, buildPairMarks(document), found);
  } else if (typeof value === "object" && value !== null)
    for (const one of Object.values(value)) forEachPairInText(one, found);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Joins two sets of marks: a part is marked when either set marks it. */
export function joinMarks(a: SensitiveMarks, b: SensitiveMarks): SensitiveMarks {
  if (!hasMarks(a)) return b;
  if (!hasMarks(b)) return a;
  if (a === true || b === true) return true;
  const names = new Set([a, b].flatMap((marks) => Object.keys(marks ?? {})));
  const joined = [...names].map(
    (name) => [name, joinMarks(getMemberMark(a, name), getMemberMark(b, name))] as const,
  );
  return Array.isArray(b)
    ? b.map((_, at) => joinMarks(getMemberMark(a, String(at)), b[at]))
    : Object.fromEntries(joined);
}

function hasSameShape(value: unknown, marks: SensitiveMarks): value is object {
  if (typeof value !== "object" || value === null || typeof marks !== "object" || marks === null)
    return false;
  return Array.isArray(value) === Array.isArray(marks);
}
