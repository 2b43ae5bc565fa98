import type { PlanChange } from "./plan-parts.ts";
import {
  buildMarksByName,
  buildPairMarks,
  forEachMarkedPart,
  forEachPairInText,
  getMemberMark,
  hasMarks,
  joinMarks,
  maskMarked,
  type Secrets,
  type SensitiveMarks,
} from "./secrets.ts";

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
const KNOWN_AFTER_APPLY = "(known after apply)";

/**
 * Returns the attributes that differ between before and after, by name: first those that force a
 * replacement. Blocks and maps are compared as a whole.
 */
export function buildAttributeChanges(
  change: PlanChange,
  drift: boolean,
  secrets: Secrets,
): Readonly<Record<string, PlanAttributeChange>> {
  const before = toMembers(change.before);
  const after = toMembers(change.after);
  const marks = getMarks(change);
  const forcing = (change.replace_paths ?? []).flatMap(([name]) =>
    name === undefined ? [] : [String(name)],
  );
  const names = new Set([
    ...forcing,
    ...Object.keys(before),
    ...Object.keys(after),
    ...listUnknownNames(change),
  ]);
  const changes: Record<string, PlanAttributeChange> = Object.create(null);
  for (const name of names) {
    const pair: AttributePair = {
      old: before[name] ?? null,
      new: after[name] ?? null,
      later: getMemberMark(change.after_unknown, name),
      oldMarks: getMemberMark(marks.before, name),
      newMarks: getMemberMark(marks.after, name),
    };
    if (hasMarks(pair.later) || !isEqual(pair.old, pair.new))
      changes[name] = buildAttributeChange(pair, drift, secrets);
  }
  return changes;
}

/** One attribute before and after; `later` marks the parts that are known only after the apply. */
interface AttributePair {
  readonly old: unknown;
  readonly new: unknown;
  readonly later: SensitiveMarks;
  readonly oldMarks: SensitiveMarks;
  readonly newMarks: SensitiveMarks;
}

function buildAttributeChange(pair: AttributePair, drift: boolean, secrets: Secrets): PlanAttributeChange {
  const next = withUnknownValues(pair.new, pair.later);
  const mask = (value: unknown, marks: SensitiveMarks) => secrets.maskValue(maskMarked(value, marks));
  return {
    change: deriveChangeKind(pair.old, next),
    drift,
    old: mask(pair.old, pair.oldMarks),
    new: next === KNOWN_AFTER_APPLY ? KNOWN_AFTER_APPLY : mask(next, pair.newMarks),
    sensitive: hasMarks(pair.oldMarks) || hasMarks(pair.newMarks),
  };
}

/** Inserts the placeholder for values that are known only after the apply, because a plan omits them. */
function withUnknownValues(value: unknown, later: SensitiveMarks): unknown {
  if (!hasMarks(later)) return value;
  if (later === true || value === null || typeof value !== "object") return value ?? KNOWN_AFTER_APPLY;
  if (Array.isArray(value))
    return value.map((one, at) => withUnknownValues(one ?? null, getMemberMark(later, String(at))));
  const names = new Set([...Object.keys(value), ...Object.keys(toMembers(later))]);
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      withUnknownValues(getMemberMark(value, name) ?? null, getMemberMark(later, name)),
    ]),
  );
}

/** Calls `found` with every value that the change marks as sensitive. */
export function forEachSensitivePart(
  change: Omit<PlanChange, "actions">,
  found: (part: unknown) => void,
): void {
  const marks = getMarks(change);
  forEachMarkedPart(change.before, marks.before, found);
  forEachMarkedPart(change.after, marks.after, found);
  forEachPairInText(change.before, found);
  forEachPairInText(change.after, found);
}

/**
 * Adds marks derived from attribute names. Tools that wrote format 0.1 marked values from sensitive
 * variables, but not values that the provider declares to be secret.
 */
export function markSecretNames(change: PlanChange): PlanChange {
  return {
    ...change,
    before_sensitive: joinMarks(change.before_sensitive, buildMarksByName(change.before)),
    after_sensitive: joinMarks(change.after_sensitive, buildMarksByName(change.after)),
  };
}

/**
 * Returns the marks of a change, derived from attribute names when its tool is too old to write marks, and
 * always from what a member calls another one.
 */
function getMarks(change: Omit<PlanChange, "actions">): {
  readonly before: SensitiveMarks;
  readonly after: SensitiveMarks;
} {
  const isUnmarked = change.before_sensitive === undefined && change.after_sensitive === undefined;
  const [before, after] = isUnmarked
    ? [buildMarksByName(change.before), buildMarksByName(change.after)]
    : [change.before_sensitive, change.after_sensitive];
  return {
    before: joinMarks(before, buildPairMarks(change.before)),
    after: joinMarks(after, buildPairMarks(change.after)),
  };
}

function toMembers(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function listUnknownNames(change: PlanChange): string[] {
  return Object.keys(toMembers(change.after_unknown));
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function deriveChangeKind(before: unknown, after: unknown): PlanAttributeChange["change"] {
  if (before === null) return "added";
  return after === null ? "deleted" : "changed";
}
