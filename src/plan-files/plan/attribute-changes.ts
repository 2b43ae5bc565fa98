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

/**
 * One attribute of a changed resource (provisioning document, section 2.7). Values that are marked as
 * sensitive are masked.
 */
export interface PlanAttributeChange {
  readonly change: "added" | "changed" | "deleted";
  readonly drift: boolean;
  readonly old: unknown;
  readonly new: unknown;
  /** Whether the attribute, or a value inside it, is marked as sensitive. */
  readonly sensitive: boolean;
}

/** Placeholder of a value that is known only after the apply. */
const LATER = "(known after apply)";

/**
 * Returns the attributes that differ between before and after, by name. Blocks and maps are compared as a
 * whole.
 */
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

/** One attribute before and after; `later` marks the parts that are known only after the apply. */
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

/** Inserts the placeholder for values that are known only after the apply, because a plan omits them. */
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

/** Calls `found` with every value that the change marks as sensitive. */
export function forEachSensitivePart(change: PlanChange, found: (part: unknown) => void): void {
  const marks = marksOf(change);
  forEachMarkedPart(change.before, marks.before, found);
  forEachMarkedPart(change.after, marks.after, found);
}

/**
 * Adds marks derived from attribute names. Tools that wrote format 0.1 marked values from sensitive
 * variables, but not values that the provider declares to be secret.
 */
export function markByName(change: PlanChange): PlanChange {
  return {
    ...change,
    before_sensitive: joinMarks(change.before_sensitive, marksByName(change.before)),
    after_sensitive: joinMarks(change.after_sensitive, marksByName(change.after)),
  };
}

/** Returns the marks of a change, derived from attribute names when its tool is too old to write marks. */
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
