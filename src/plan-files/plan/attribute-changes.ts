import type { z } from "zod";
import { KNOWN_AFTER_APPLY, SENSITIVE } from "../../kernel/redact-credentials.ts";
import type { StatedTags } from "../../kernel/resource-tags.ts";
import { listTagAttributes, readTagAttributes } from "../../kernel/tag-forms.ts";
import type { AttributeChange } from "../../platform/contract/resource-changes.ts";
import type { PlanChange } from "./plan-parts.ts";
import {
  createMemberMarks,
  getMemberMark,
  hasMarks,
  type MarkedValue,
  mapSensitive,
  type Secrets,
  type SensitiveMarks,
} from "./secrets.ts";

type PlanAttributeChange = Required<z.input<typeof AttributeChange>>;

/**
 * Returns the attributes that differ between before and after, by name: first those that force a
 * replacement. Blocks and maps are compared as a whole.
 */
export function buildAttributeChanges(
  change: PlanChange,
  { drift, isOld, secrets }: { readonly drift: boolean; readonly isOld: boolean; readonly secrets: Secrets },
): Readonly<Record<string, PlanAttributeChange>> {
  const [past, next] = listMarkedSides(change, isOld);
  const [before, after] = [toMembers(past.value), toMembers(next.value)];
  const [getOldMarks, getNewMarks] = [createMemberMarks(past), createMemberMarks(next)];
  const forcing = (change.replace_paths ?? []).flatMap(([name]) =>
    name === undefined ? [] : [String(name)],
  );
  const unknown = Object.keys(toMembers(change.after_unknown));
  const names = new Set([...forcing, ...Object.keys(before), ...Object.keys(after), ...unknown]);
  const changes: Record<string, PlanAttributeChange> = Object.create(null);
  for (const name of names) {
    const [old, own] = [before[name] ?? null, after[name] ?? null];
    const later = getMemberMark(change.after_unknown, name);
    if (!hasMarks(later) && isEqual(old, own)) continue;
    const filled = withUnknownValues(own, later);
    const [oldMarks, newMarks] = [getOldMarks(name), getNewMarks(name)];
    let sensitive = hasMarks(oldMarks) || hasMarks(newMarks);
    const mask = (value: unknown, marks: SensitiveMarks) =>
      secrets.maskValue(
        mapSensitive({ value, marks, byName: past.byName }, () => {
          sensitive = true;
          return SENSITIVE;
        }),
      );
    changes[name] = {
      change: deriveChangeKind(old, filled),
      drift,
      old: mask(old, oldMarks),
      new: filled === KNOWN_AFTER_APPLY ? KNOWN_AFTER_APPLY : mask(filled, newMarks),
      sensitive,
    };
  }
  return changes;
}

/** Returns the tags of a resource of this type, without sensitive values. Undefined: the plan states no attribute of it. */
export function readPlannedTags(
  type: string,
  change: PlanChange,
  { isOld, secrets }: { readonly isOld: boolean; readonly secrets: Secrets },
): StatedTags | undefined {
  const names = listTagAttributes(type);
  const [past, next] = listMarkedSides(change, isOld);
  const read = (side: MarkedValue, later: SensitiveMarks) => {
    const members = toMembers(side.value);
    const getMarks = createMemberMarks(side);
    const tags = names.flatMap((name) => {
      const own = getMemberMark(later, name);
      if (members[name] === undefined && !hasMarks(own)) return [];
      const value = withUnknownValues(members[name] ?? null, own);
      const masked = mapSensitive({ value, marks: getMarks(name), byName: side.byName }, () => SENSITIVE);
      return [[name, secrets.maskValue(masked)]];
    });
    return { ...members, ...Object.fromEntries(tags) };
  };
  return readTagAttributes(type, {
    before: past.value == null ? null : read(past, undefined),
    after: next.value == null ? null : read(next, change.after_unknown),
  });
}

/** The values before and after with their marks. */
export function listMarkedSides(
  { before, before_sensitive: past, after, after_sensitive: next }: PlanChange,
  isOld: boolean,
): readonly [MarkedValue, MarkedValue] {
  const byName = isOld || (past === undefined && next === undefined);
  return [
    { value: before, marks: past, byName },
    { value: after, marks: next, byName },
  ];
}

/** Inserts the placeholder for values that are known only after the apply, because a plan omits them. */
export function withUnknownValues(value: unknown, later: SensitiveMarks): unknown {
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

function toMembers(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function deriveChangeKind(before: unknown, after: unknown): PlanAttributeChange["change"] {
  if (before === null) return "added";
  return after === null ? "deleted" : "changed";
}
