import { z } from "zod";
import { count, decimal, texts } from "./scalars.ts";

/** A fact about a value; see `Fact`. */
export const fact = <S extends z.ZodType>(value: S) =>
  z.discriminatedUnion("state", [
    z.object({ state: z.literal("known"), value }),
    z.object({ state: z.literal("absent") }),
    z.object({ state: z.literal("unknown"), reason: unknownReason }),
    z.object({ state: z.literal("stale"), value, ageMs: z.number() }),
  ]);

export const unknownReason = z.enum([
  "not_estimated",
  "not_indexed",
  "not_read",
  "not_listed",
  "not_granted",
  "not_stated",
  "no_plan",
  "execution_failed",
  "execution_pending",
  "unproven",
  "push_disabled",
  "past_retention",
  "unauthorised",
  "forbidden",
  "rate_limited",
  "unavailable",
  "malformed",
  "contradictory",
  "too_large",
  "timed_out",
  "local_preview",
  "no_history",
]);

/** The members of `CostDelta`. */
export const delta = {
  before: decimal.nullable(),
  after: decimal.nullable(),
  change: decimal.nullable(),
  percent: decimal.nullable(),
};

const quantity = z.object({ unit: z.string(), before: decimal.nullable(), after: decimal.nullable() });

export const componentCost = z.object({ ...delta, name: z.string(), quantity: quantity.exactOptional() });

const resourceCost = z.object({ ...delta, address: z.string(), components: z.array(componentCost) });

const resourceGroup = z.object({ ...delta, type: z.string(), resources: z.array(resourceCost) });

export const unpriced = z.object({ count, types: z.record(z.string(), count) });

/** The members of `UsageResource`. */
export const usageResource = {
  address: z.string(),
  type: z.string(),
  change: z.enum(["added", "changed", "deleted", "given", "unchanged", "unstated"]),
};

/** The members of `UsageBasedResources`. */
export const usageBased = {
  resources: z.array(z.object(usageResource)),
  unnamed: count,
  unnamedUnchanged: count,
};

const stageCost = z.object({
  ...delta,
  currency: z.string(),
  completeness: z.enum(["complete", "partial", "unstated"]),
  problems: texts,
  groups: z.array(resourceGroup),
  unpriced: unpriced.nullable(),
  usage: z.object(usageBased).exactOptional(),
  partsAreWhole: z.boolean(),
});

export const moduleCost = z.object({ ...delta, module: z.string(), currency: z.string() });

export const changeCounts = z.object({
  added: count,
  changed: count,
  deleted: count,
  replaced: count.nullable(),
  imported: count,
  removed: count,
  unchanged: count,
  drifted: count,
});

export const changeKind = z.enum([
  "deleted",
  "added",
  "changed",
  "imported",
  "removed",
  "replaced",
  "drifted",
  "moved",
]);

const attributeValue = z.union([
  z.object({ kind: z.literal("text"), text: z.string() }),
  z.object({ kind: z.enum(["list", "map", "document"]), count }),
  z.object({ kind: z.enum(["none", "later", "sensitive"]) }),
]);

export const attributeChange = z.object({
  name: z.string(),
  before: attributeValue,
  after: attributeValue,
});

/** What the platform says about the attributes of a row. */
const rowAttributes = {
  changedAttributes: texts.exactOptional(),
  attributeChanges: z.array(attributeChange).exactOptional(),
  attributesBecause: unknownReason.exactOptional(),
};

/** The members of `ResourceChange`. */
export const changeRow = {
  address: z.string(),
  type: z.string(),
  module: z.string(),
  change: changeKind,
  previousAddress: z.string().exactOptional(),
  ordinal: count.exactOptional(),
  ...rowAttributes,
};

const changeRows = z.object({ rows: z.array(z.object(changeRow)), omitted: count, unread: count });

/** What was read of the stages of one execution. */
export const stageParts = z.array(
  z.object({
    cost: fact(stageCost),
    modules: fact(z.array(moduleCost)),
    counts: fact(changeCounts),
    rows: fact(changeRows),
  }),
);

/** The attributes of the rows of one stage, by the place of the row in the platform's listing. */
export const attributesByPlace = z.record(z.string(), z.object(rowAttributes));
