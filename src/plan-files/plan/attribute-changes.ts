import type { PlanChange } from "./plan-parts.ts";
import {
  forEachMarkedPart,
  joinMarks,
  type Marks,
  marksAnything,
  marksByName,
  maskMarked,
  memberOf,
} from "./sensitive-marks.ts";

/** One attribute of a changed resource (provisioning document, section 2.7). Marked values are masked already. */
export interface PlanAttributeChange {
  readonly change: "added" | "changed" | "deleted";
  readonly drift: boolean;
  readonly old: unknown;
  readonly new: unknown;
  /** The attribute, or something in it, is marked. */
  readonly sensitive: boolean;
}

/** Stands for a value that is known only after the apply. */
const LATER = "(known after apply)";

/** The attributes in which before and after differ, by name. Blocks and maps are compared whole. */
export function attributeChanges(
  change: PlanChange,
  drift: boolean,
): Readonly<Record<string, PlanAttributeChange>> {
  const before = membersOf(change.before);
  const after = membersOf(change.after);
  const marks = marksOf(change);
  const names = new Set([...Object.keys(before), ...Object.keys(after), ...namesUnknown(change)]);
  const changes: Record<string, PlanAttributeChange> = Object.create(null);
  for (const name of names) {
    const pair: AttributePair = {
      old: before[name] ?? null,
      new: after[name] ?? null,
      later: memberOf(change.after_unknown, name),
      oldMarks: memberOf(marks.before, name),
      newMarks: memberOf(marks.after, name),
    };
    if (marksAnything(pair.later) || !same(pair.old, pair.new)) changes[name] = attributeChange(pair, drift);
  }
  return changes;
}

/** One attribute before and after; `later` marks what of it is known only after the apply. */
interface AttributePair {
  readonly old: unknown;
  readonly new: unknown;
  readonly later: Marks;
  readonly oldMarks: Marks;
  readonly newMarks: Marks;
}

function attributeChange(pair: AttributePair, drift: boolean): PlanAttributeChange {
  const next = withLater(pair.new, pair.later);
  return {
    change: kindOf(pair.old, next),
    drift,
    old: maskMarked(pair.old, pair.oldMarks),
    new: next === LATER ? LATER : maskMarked(next, pair.newMarks),
    sensitive: marksAnything(pair.oldMarks) || marksAnything(pair.newMarks),
  };
}

/** The value with what is known only after the apply in its place: a plan leaves that out. */
function withLater(value: unknown, later: Marks): unknown {
  if (!marksAnything(later)) return value;
  if (later === true || value === null || typeof value !== "object") return value ?? LATER;
  if (Array.isArray(value))
    return value.map((one, at) => withLater(one ?? null, memberOf(later, String(at))));
  const names = new Set([...Object.keys(value), ...Object.keys(membersOf(later))]);
  return Object.fromEntries(
    [...names].map((name) => [name, withLater(memberOf(value, name) ?? null, memberOf(later, name))]),
  );
}

/** Hands every value that the change marks as sensitive to `found`. */
export function forEachSensitivePart(change: PlanChange, found: (part: unknown) => void): void {
  const marks = marksOf(change);
  forEachMarkedPart(change.before, marks.before, found);
  forEachMarkedPart(change.after, marks.after, found);
}

/**
 * The change with names believed as well as marks: the tools that wrote format 0.1 marked what came from a sensitive variable,
 * and not what the provider knows to be a secret.
 */
export function markByName(change: PlanChange): PlanChange {
  return {
    ...change,
    before_sensitive: joinMarks(change.before_sensitive, marksByName(change.before)),
    after_sensitive: joinMarks(change.after_sensitive, marksByName(change.after)),
  };
}

/** The marks of a change; by name when its tool is too old to give any. */
function marksOf(change: PlanChange): { readonly before: Marks; readonly after: Marks } {
  if (change.before_sensitive === undefined && change.after_sensitive === undefined) {
    return { before: marksByName(change.before), after: marksByName(change.after) };
  }
  return { before: change.before_sensitive, after: change.after_sensitive };
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function namesUnknown(change: PlanChange): string[] {
  return Object.keys(membersOf(change.after_unknown));
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function kindOf(before: unknown, after: unknown): PlanAttributeChange["change"] {
  if (before === null) return "added";
  return after === null ? "deleted" : "changed";
}
