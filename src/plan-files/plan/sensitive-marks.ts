import { isSecretName } from "../../kernel/redact-credentials.ts";
import { MASK } from "./secrets.ts";

/** What a plan says about what is sensitive in a value: `true` for all of it, else the same shape with `true` inside. */
export type Marks = unknown;

/** Hands every part of `value` that is marked to `found`. Marks that do not fit the shape of the value cover all of it. */
export function forEachMarkedPart(value: unknown, marks: Marks, found: (part: unknown) => void): void {
  if (value === null || value === undefined || !marksAnything(marks)) return;
  if (!fits(value, marks)) {
    found(value);
    return;
  }
  for (const [key, mark] of Object.entries(marks ?? {})) forEachMarkedPart(memberOf(value, key), mark, found);
}

/** The value with every marked part masked. */
export function maskMarked(value: unknown, marks: Marks): unknown {
  if (value === null || value === undefined || !marksAnything(marks)) return value;
  if (!fits(value, marks)) return MASK;
  if (Array.isArray(value)) return value.map((one, at) => maskMarked(one, memberOf(marks, String(at))));
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, maskMarked(one, memberOf(marks, key))]),
  );
}

/** Whether anything at all is marked. */
export function marksAnything(marks: Marks): boolean {
  if (typeof marks === "object" && marks !== null) return Object.values(marks).some(marksAnything);
  return marks === true;
}

/** The mark of one member; nothing is marked where there is none. */
export function memberOf(marks: Marks, key: string): unknown {
  if (marks === true) return true;
  return typeof marks === "object" && marks !== null && Object.hasOwn(marks, key)
    ? Reflect.get(marks, key)
    : undefined;
}

/** Marks by name, for plans that carry none: a value is marked when its attribute's name promises a secret. */
export function marksByName(value: unknown): Marks {
  if (Array.isArray(value)) return value.map(marksByName);
  if (typeof value !== "object" || value === null) return false;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, isSecretName(key) || marksByName(one)]),
  );
}

/** What either marks. */
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
