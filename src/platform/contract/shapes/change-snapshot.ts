import { z } from "zod";
import { count, list, map, openEnum } from "./fields.ts";

export const CATEGORIES = [
  "planned_changes",
  "unchanged",
  "drift_changes",
  "resources",
  "data_sources",
  "outputs",
] as const;
export type Category = (typeof CATEGORIES)[number];

/** In the order in which rows are sorted (provisioning 4.2, upload rule 3). */
export const CHANGE_TYPES = ["deleted", "added", "changed", "unchanged", "removed", "imported"] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

/**
 * One row of a listing (provisioning 2.6). Its members depend on its category; attribute values are never
 * included.
 */
export const ChangeRow = z
  .object({
    category: openEnum(CATEGORIES),
    ordinal: count.meta({
      description: "Zero-based position within the category, stable for the life of the snapshot.",
    }),
    change: openEnum(CHANGE_TYPES).optional(),
    change_count: count.optional().meta({ description: "Changed attributes." }),
    detail_bytes: count.optional().meta({ description: "Size of the attribute data." }),
    drift: z.boolean().optional().meta({ description: "True exactly when the category is drift_changes." }),
    mode: z.string().optional().meta({ description: "`managed` or `data`." }),
    module: z.string().optional(),
    name: z.string().optional().meta({ description: "Of the resource, or of the output." }),
    provider: z.string().optional(),
    resource_address: z.string().optional().meta({ description: "Fully qualified, module path included." }),
    previous_address: z.string().optional().meta({
      description: "Tollgate's own: the address before, of a resource that the plan moves.",
    }),
    action_reason: z.string().optional().meta({
      description: "Tollgate's own: why the plan does this, in Terraform's words.",
    }),
    resource_id: z.string().optional().meta({ description: "The cloud's identifier; rows of resources." }),
    sensitive: z.boolean().optional().meta({ description: "Rows of outputs." }),
    type: z.string().optional().meta({ description: "The provider's resource type." }),
    value: z.unknown().optional().meta({ description: "Rows of outputs; withheld where sensitive." }),
  })
  .meta({ id: "ChangeRow" });
export type ChangeRow = z.output<typeof ChangeRow>;

/** One attribute's change (provisioning 2.7). */
export const AttributeChange = z
  .object({
    change: openEnum(CHANGE_TYPES).optional(),
    drift: z.boolean().optional(),
    old: z.unknown().optional(),
    new: z.unknown().optional(),
    sensitive: z.boolean().optional().meta({ description: "Then the values are withheld." }),
  })
  .meta({ id: "AttributeChange" });

/** A row with its attribute data (provisioning 2.7). */
export const ChangeRowDetail = ChangeRow.extend({
  attributes: map(z.unknown()),
  changes: map(AttributeChange).meta({ description: "By the name of the attribute." }),
  sensitive_attributes: list(z.string()).meta({ description: "Attributes whose values are withheld." }),
}).meta({ id: "ChangeRowDetail" });
export type ChangeRowDetail = z.output<typeof ChangeRowDetail>;

/** Element of an uploaded page of `planned_changes`, `unchanged` and `drift_changes`. */
export const ChangedResource = z.object({
  provider: z.string(),
  type: z.string(),
  name: z.string(),
  module: z.string(),
  mode: z.string().optional(),
  resource_address: z.string().optional(),
  previous_address: z.string().optional(),
  action_reason: z.string().optional(),
  change: z.enum(CHANGE_TYPES),
  change_count: count.optional(),
  drift: z.boolean().optional(),
  changes: z.record(z.string(), AttributeChange).nullish(),
  attributes: z.record(z.string(), z.unknown()).nullish(),
  sensitive_attributes: z.array(z.string()).nullish(),
});

/** Element of an uploaded page of `resources` and `data_sources`. `resource_id` is the cloud's id. */
export const StateResource = z.object({
  provider: z.string(),
  type: z.string(),
  name: z.string(),
  module: z.string(),
  mode: z.string().optional(),
  resource_address: z.string().optional(),
  resource_id: z.string().optional(),
  drift_status: z.string().optional(),
  attributes: z.record(z.string(), z.unknown()).nullish(),
  drift_attributes: z.record(z.string(), z.unknown()).nullish(),
  changes: z.record(z.string(), AttributeChange).nullish(),
  sensitive_attributes: z.array(z.string()).nullish(),
});

/** Element of an uploaded page of `outputs`. */
export const OutputElement = z.object({
  name: z.string(),
  sensitive: z.boolean().optional(),
  change: z.enum(CHANGE_TYPES).optional(),
  value: z.unknown().optional(),
  old: z.unknown().optional(),
  new: z.unknown().optional(),
});

/** The shape of one element of an uploaded page, by category. */
export const PAGE_ELEMENTS = {
  planned_changes: ChangedResource,
  unchanged: ChangedResource,
  drift_changes: ChangedResource,
  resources: StateResource,
  data_sources: StateResource,
  outputs: OutputElement,
} as const satisfies Record<Category, z.ZodType>;

/** What a plan leaves out: deferred changes and actions, or, with none, a part of the code. */
const PlanGaps = z.object({
  /** The first ones. */
  deferred: z.array(
    z.object({
      address: z.string(),
      change: z.enum(["deleted", "added", "changed", "removed", "imported", "replaced", "invoked"]),
    }),
  ),
  more: count,
});
export type PlanGaps = z.output<typeof PlanGaps>;

/** What a plan states beside its changes. */
const PlanNotes = z.object({
  /** Null: the plan is complete. */
  incomplete: PlanGaps.nullable(),
  /** The actions that the plan invokes. `resource`, `event`: what invokes it; null: a request. */
  invocations: z.object({
    listed: z.array(
      z.object({
        address: z.string(),
        type: z.string(),
        module: z.string(),
        resource: z.string().nullable(),
        event: z.string().nullable(),
      }),
    ),
    more: count,
  }),
  failedChecks: z.array(z.object({ address: z.string(), problems: z.array(z.string()) })),
});
export type PlanNotes = z.output<typeof PlanNotes>;

/** The commit marker of a snapshot, `counts.json` (provisioning 2.8). */
export const CountsMarker = z.object({
  PlannedTotal: count,
  PlannedByChangeType: z.object({ added: count, changed: count, deleted: count, unchanged: count }),
  Drift: count,
  Resources: count,
  DataSources: count,
  Outputs: count,
  /** Tollgate's own; absent: not stated. */
  PlanNotes: PlanNotes.optional(),
});
export type CountsMarker = z.output<typeof CountsMarker>;
