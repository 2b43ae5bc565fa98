import { z } from "zod";
import { texts, type ValueOf } from "./schemas.ts";

/** The value of one tag, or why it is unknown: the plan tells it only after the apply, or marks it as sensitive. */
const TagValue = z.union([z.string(), z.object({ unknown: z.enum(["later", "sensitive"]) })]);
export type TagValue = ValueOf<typeof TagValue>;

/** The tags (AWS, Azure) or labels (Google) of a resource, by key. Keys and values are from outside, not escaped. */
export const ResourceTags = z.object({
  values: z.record(z.string(), TagValue),
  /** False: there may be further tags, because the plan knows some of them only after the apply. */
  complete: z.boolean(),
  /** Tags of other keys were left out: they are unknown. In lower case; absent: none were. */
  onlyKeys: texts.readonly().exactOptional(),
});
export type ResourceTags = ValueOf<typeof ResourceTags>;

/** The tags of a resource on both sides of a change; null: there is no resource on that side. */
const TagChange = z.object({
  /** Absent: the same as `after`. */
  before: ResourceTags.nullable().exactOptional(),
  after: ResourceTags.nullable(),
});

/** The tags of a resource, or that its type cannot carry any. Where a member of this type is absent, the tags are unknown. */
export const StatedTags = z.union([TagChange, z.literal("unsupported")]);
export type StatedTags = ValueOf<typeof StatedTags>;

/** What a resource says about one key. */
export type TagReading =
  | { readonly state: "value"; readonly value: string }
  | { readonly state: "missing" }
  | { readonly state: "unsupported" }
  | { readonly state: "unknown"; readonly because: "later" | "sensitive" | "not_read" };

/**
 * Reads the tag of a resource on one side of its change. Azure compares keys without regard to case, the other clouds do not. A side
 * without a resource has no tags.
 */
export function readTag(
  tags: StatedTags | undefined,
  {
    key,
    type,
    side = "after",
  }: { readonly key: string; readonly type: string; readonly side?: "before" | "after" },
): TagReading {
  if (tags === undefined) return { state: "unknown", because: "not_read" };
  if (tags === "unsupported") return { state: "unsupported" };
  const own = side === "before" && tags.before !== undefined ? tags.before : tags.after;
  if (own === null) return { state: "missing" };
  const found = findValue(own.values, key, isCaseIgnored(type));
  if (typeof found === "string") return { state: "value", value: found };
  if (found !== undefined) return { state: "unknown", because: found.unknown };
  if (own.onlyKeys?.includes(key.toLowerCase()) === false) return { state: "unknown", because: "not_read" };
  return own.complete ? { state: "missing" } : { state: "unknown", because: "later" };
}

const isCaseIgnored = (type: string): boolean => /^az(urerm|api|uread|urestack)_/.test(type);

function findValue(values: ResourceTags["values"], key: string, ignoresCase: boolean): TagValue | undefined {
  if (Object.hasOwn(values, key)) return values[key];
  if (!ignoresCase) return undefined;
  const lower = key.toLowerCase();
  return Object.entries(values).find(([own]) => own.toLowerCase() === lower)?.[1];
}
