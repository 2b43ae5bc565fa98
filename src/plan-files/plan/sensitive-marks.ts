import { isSecretName } from "../../kernel/redact-credentials.ts";
import { MASK } from "./secrets.ts";

/**
 * A plan's sensitivity marks of a value: `true` for the whole value, otherwise the same shape with `true`
 * inside.
 */
export type Marks = unknown;

/**
 * Calls `found` with every marked part of `value`. Marks that do not fit the shape of the value cover all of
 * it.
 */
export function forEachMarkedPart(value: unknown, marks: Marks, found: (part: unknown) => void): void {
  if (value === null || value === undefined || !marksAnything(marks)) return;
  if (!fits(value, marks)) {
    found(value);
    return;
  }
  for (const [key, mark] of Object.entries(marks ?? {})) forEachMarkedPart(memberOf(value, key), mark, found);
}

/** Masks every marked part of a value. */
export function maskMarked(value: unknown, marks: Marks): unknown {
  if (value === null || value === undefined || !marksAnything(marks)) return value;
  if (!fits(value, marks)) return MASK;
  if (Array.isArray(value)) return value.map((one, at) => maskMarked(one, memberOf(marks, String(at))));
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, maskMarked(one, memberOf(marks, key))]),
  );
}

/** Whether any part is marked. */
export function marksAnything(marks: Marks): boolean {
  if (typeof marks === "object" && marks !== null) return Object.values(marks).some(marksAnything);
  return marks === true;
}

/** Returns the marks of one member. */
export function memberOf(marks: Marks, key: string): unknown {
  if (marks === true) return true;
  return typeof marks === "object" && marks !== null && Object.hasOwn(marks, key)
    ? Reflect.get(marks, key)
    : undefined;
}

/**
 * Derives marks from attribute names, for plans without marks: a value is marked when its attribute's name
 * suggests a secret.
 */
export function marksByName(value: unknown): Marks {
  if (Array.isArray(value)) return value.map(marksByName);
  if (typeof value !== "object" || value === null) return false;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, isSecretName(key) || marksByName(one)]),
  );
}

/** Joins two sets of marks: a part is marked when either set marks it. */
export function joinMarks(a: Marks, b: Marks): Marks {
  if (!marksAnything(a)) return b;
  if (!marksAnything(b)) return a;
  if (a === true || b === true) return true;
  const names = new Set([a, b].flatMap((marks) => Object.keys(marks ?? {})));
  const joined = [...names].map((name) => [name, joinMarks(memberOf(a, name), memberOf(b, name))] as const);
  return Array.isArray(b)
    ? b.map((_, at) => joinMarks(memberOf(a, String(at)), b[at]))
    : Object.fromEntries(joined);
}

function fits(value: unknown, marks: Marks): value is object {
  if (typeof value !== "object" || value === null || typeof marks !== "object" || marks === null)
    return false;
  return Array.isArray(value) === Array.isArray(marks);
}
