import { z } from "zod";
import { StatedTags } from "../../kernel/resource-tags.ts";
import { count, decimal, texts, type ValueOf } from "../../kernel/schemas.ts";

/** A workspace of which somebody stated that there is nothing to plan at this commit. */
export const NothingToPlan = z.object({
  org: z.string(),
  project: z.string(),
  workspace: z.string(),
  executionId: z.string(),
  /** Who stated it: the name of a token or of a CI job, not escaped. */
  by: z.string(),
});
export type NothingToPlan = ValueOf<typeof NothingToPlan>;

/** Why a value could not be read. The comment words each reason; none of them counts as zero or as a pass. */
export const UnknownReason = z.enum([
  "not_estimated",
  /** A part failed to be estimated, or the estimate contradicts the plan. */
  "partly_estimated",
  "not_indexed",
  "not_read",
  /** The platform lists no stage of a named execution. */
  "not_listed",
  "not_granted",
  "not_stated",
  /** The estimate is of one state, so its change is unknown. */
  "not_compared",
  "no_plan",
  /** The plan leaves out a part of what merging changes. */
  "incomplete_plan",
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
  /** The pull request changes more files than GitHub lists. */
  "files_unlisted",
  "timed_out",
  /** The fact exists for pull requests only, and these are local files. */
  "local_preview",
  /** The fact is about other pull requests, of which a CI job knows nothing. */
  "no_history",
  /** A tag of some resource, on which it depends, is unknown. */
  "tags_unknown",
]);
export type UnknownReason = z.infer<typeof UnknownReason>;

/**
 * A value with its state. `absent`: its source states that there is none. `unknown`: it could not be read.
 * `stale`: true `ageMs` milliseconds ago, and nothing newer can be read.
 */
export const Fact = <S extends z.ZodType>(value: S) =>
  z.discriminatedUnion("state", [
    z.object({ state: z.literal("known"), value }),
    z.object({ state: z.literal("absent") }),
    z.object({ state: z.literal("unknown"), reason: UnknownReason }),
    z.object({ state: z.literal("stale"), value, ageMs: z.number() }),
  ]);
export type Fact<T> = Readonly<z.infer<ReturnType<typeof Fact<z.ZodType<T>>>>>;

/** Amounts per month in the currency of the owner of this delta. Null: not stated, which is not zero. */
export const CostDelta = z.object({
  before: decimal.nullable(),
  after: decimal.nullable(),
  change: decimal.nullable(),
  /** Percent of the change, as stated by the source; null when not stated or when nothing was paid before. */
  percent: decimal.nullable(),
});
export type CostDelta = ValueOf<typeof CostDelta>;

export const ComponentCost = CostDelta.extend({
  name: z.string(),
  /** The priced quantity, in its unit, null: not stated; absent: there is none. */
  quantity: z
    .object({ unit: z.string(), before: decimal.nullable(), after: decimal.nullable() })
    .exactOptional(),
});
export type ComponentCost = ValueOf<typeof ComponentCost>;
export type Quantity = NonNullable<ComponentCost["quantity"]>;

const ResourceCost = CostDelta.extend({
  /** Full address, e.g. `module.web["eu"].aws_instance.this[0]`. */
  address: z.string(),
  components: z.array(ComponentCost),
});
export type ResourceCost = ValueOf<typeof ResourceCost>;

/** The changed resources of one type. The amounts cover changed resources only, so groups need not add up to the stage's total. */
const ResourceGroup = CostDelta.extend({ type: z.string(), resources: z.array(ResourceCost) });
export type ResourceGroup = ValueOf<typeof ResourceGroup>;

/** Resources that the estimator found but cannot price, counted per resource type. */
export const UnpricedResources = z.object({ count, types: z.record(z.string(), count) });
export type UnpricedResources = ValueOf<typeof UnpricedResources>;

/** A resource whose price depends on unstated usage. */
export const UsageResource = z.object({
  address: z.string(),
  type: z.string(),
  /** `given`: its usage is stated after the change and was not before. `unstated`: its source does not state it, so it may be new. */
  change: z.enum(["added", "changed", "deleted", "given", "unchanged", "unstated"]),
});
export type UsageResource = ValueOf<typeof UsageResource>;
export type UsageChange = UsageResource["change"];

/** The usage-based resources of a stage: their cost is unknown and in none of its amounts. */
export const UsageBasedResources = z.object({
  resources: z.array(UsageResource),
  /** Number of further, unnamed resources that may be new or changed. */
  unnamed: count,
  /** Number of further, unnamed resources that do not change. */
  unnamedUnchanged: count,
});
export type UsageBasedResources = ValueOf<typeof UsageBasedResources>;

/** What the estimator's own policies say of a stage. Texts are from outside, not escaped. */
export const EstimatorResults = z.object({
  /** Number of issues that the state before does not have; null: unknown. */
  issues: count.nullable(),
  /** Number of violated policies about tags, guardrails and budgets. */
  policies: count,
  listed: z.array(
    z.object({
      kind: z.enum(["finops", "tagging", "guardrail", "budget"]),
      policy: z.string(),
      /** Null: it is about the whole. */
      address: z.string().nullable(),
      attribute: z.string().nullable(),
      message: z.string(),
      /** What could be saved per month; null: not stated. */
      saving: decimal.nullable(),
      /** Where the resource stands in the code; null: not stated. */
      file: z.string().nullable(),
      line: count.nullable(),
    }),
  ),
  /** Number of further ones. */
  more: count,
});
export type EstimatorResults = ValueOf<typeof EstimatorResults>;

/** A resource of a stage that its estimate lists, whether its cost changes or not. */
const ListedResource = z.object({
  address: z.string(),
  type: z.string(),
  /** What it costs per month before and after, where `groups` does not list it, because its cost stays; null: unknown. Absent: `groups` does. */
  cost: decimal.nullable().exactOptional(),
  /** Absent: unknown. */
  tags: StatedTags.exactOptional(),
});
export type ListedResource = ValueOf<typeof ListedResource>;

/** Where a resource stands in the code: the file from the repository's root on, text from outside. */
export const CodePlace = z.object({ file: z.string(), line: count });
export type CodePlace = ValueOf<typeof CodePlace>;

/** What one stage costs per month, as its source states it. */
const StageCost = CostDelta.extend({
  currency: z.string(),
  /** `partial`: a part of the stage failed to be estimated. `unstated`: the source does not state whether everything was estimated. */
  completeness: z.enum(["complete", "partial", "unstated"]),
  /** Errors of the estimator: text from outside, not escaped. */
  problems: texts,
  /** What a reader should know and no figure lacks: text from outside, not escaped. */
  notices: texts.exactOptional(),
  /** What the amounts are compared with: `nothing` leaves the change unknown. Absent: with the past. */
  comparison: z.enum(["past", "nothing"]).exactOptional(),
  groups: z.array(ResourceGroup),
  /** Null: not stated. */
  unpriced: UnpricedResources.nullable(),
  /** Absent: not stated. */
  usage: UsageBasedResources.exactOptional(),
  /** Absent: not stated. */
  findings: EstimatorResults.exactOptional(),
  /** Every resource after the change that may cost something, and deleted ones. Absent: not stated. */
  listed: z.array(ListedResource).exactOptional(),
  /** Where its resources stand in the code, by address; absent: not stated. */
  places: z.record(z.string(), CodePlace).exactOptional(),
  /**
   * Whether every part that adds up to the totals is listed. Real platforms list changed resources only (false), so a rest
   * is then shown as "unattributed"; where all parts are listed (true), a rest means that the figures contradict each other.
   */
  partsAreWhole: z.boolean(),
});
export type StageCost = ValueOf<typeof StageCost>;

export const ModuleCost = CostDelta.extend({
  /** Module path without indexes (`web.db`), `root` for none. */
  module: z.string(),
  currency: z.string(),
});
export type ModuleCost = ValueOf<typeof ModuleCost>;

/** How many resources change; data sources are not counted. A replacement counts in `added`, in `deleted` and in `replaced`. */
export const ChangeCounts = z.object({
  added: count,
  changed: count,
  deleted: count,
  /** Null: there are too many rows to find the deleted resources that are created again. */
  replaced: count.nullable(),
  imported: count,
  removed: count,
  unchanged: count,
  drifted: count,
});
export type ChangeCounts = ValueOf<typeof ChangeCounts>;

export const ChangeKind = z.enum([
  "deleted",
  "added",
  "changed",
  "imported",
  "removed",
  "replaced",
  "drifted",
  /** Only its address changes. Rules do not see it. */
  "moved",
]);
export type ChangeKind = z.infer<typeof ChangeKind>;

/**
 * A value of an attribute as a reader may see it: `text` is truncated; `later`: known only after the apply; a list, a map and a
 * JSON document (`document`) give only their number of members. Sensitive values are never included.
 */
const AttributeValue = z.union([
  z.object({ kind: z.literal("text"), text: z.string() }),
  z.object({ kind: z.enum(["list", "map", "document"]), count }),
  z.object({ kind: z.enum(["none", "later", "sensitive"]) }),
]);
export type AttributeValue = ValueOf<typeof AttributeValue>;

/** One value that changes, by the path of its attribute. */
export const AttributeChange = z.object({ name: z.string(), before: AttributeValue, after: AttributeValue });
export type AttributeChange = ValueOf<typeof AttributeChange>;

export const RowAttributes = z.object({
  /** Names of the attributes that change; absent: not read. */
  changedAttributes: texts.exactOptional(),
  /** The first few attribute changes; absent: not read. */
  attributeChanges: z.array(AttributeChange).exactOptional(),
  /** Why the requested names are unknown. */
  attributesBecause: UnknownReason.exactOptional(),
});
export type RowAttributes = ValueOf<typeof RowAttributes>;

export const ResourceChange = z.object({
  address: z.string(),
  type: z.string(),
  module: z.string(),
  change: ChangeKind,
  /** Its address before the change, where a `moved` block renames it. */
  previousAddress: z.string().exactOptional(),
  /** Why, in Terraform's words, e.g. `delete_because_no_resource_config`; absent: not stated. */
  reason: z.string().exactOptional(),
  /** Ordinal in the platform's listing of planned changes, or of drift for a drifted row; absent: it has none. */
  ordinal: count.exactOptional(),
  /** Absent: unknown. */
  tags: StatedTags.exactOptional(),
  ...RowAttributes.shape,
});
export type ResourceChange = ValueOf<typeof ResourceChange>;

const ResourceChanges = z.object({
  /** A replacement is one row, without its halves. */
  rows: z.array(ResourceChange),
  /** Number of deleted, replaced, removed, imported and drifted rows that are not in `rows`. */
  omitted: count,
  /** Number of added and changed rows that are not in `rows`. */
  unread: count,
});
export type ResourceChanges = ValueOf<typeof ResourceChanges>;

/**
 * What a plan leaves out: changes and actions that it defers to a later plan, or, with none deferred, a part of
 * the code (a plan with targets). Then `counts`, `rows` and `invocations` are only a part.
 */
const IncompletePlan = z.object({
  deferred: z.array(z.object({ address: z.string(), change: z.enum([...ChangeKind.options, "invoked"]) })),
  /** Number of further deferred changes. */
  more: count,
});

/** An action that a plan invokes, such as the call of a function. */
const Invocation = z.object({
  address: z.string(),
  type: z.string(),
  module: z.string(),
  /** The resource whose `event` invokes it, e.g. `AfterCreate`; null: it is invoked on request. */
  resource: z.string().nullable(),
  event: z.string().nullable(),
});
export type Invocation = ValueOf<typeof Invocation>;

/** What a plan states beside its changes. */
export const PlanNotes = z.object({
  /** Null: the plan is complete. */
  incomplete: IncompletePlan.nullable(),
  /** `more`: number of further ones. */
  invocations: z.object({ listed: z.array(Invocation), more: count }),
  /** Conditions of the code that do not hold, with their messages: text from outside, not escaped. */
  failedChecks: z.object({
    listed: z.array(z.object({ address: z.string(), problems: texts })),
    more: count,
  }),
});

/** The outputs of the root module that a plan changes. They are shown, and no rule sees them. */
export const ChangedOutputs = z.object({
  /** `value`: after the change. */
  listed: z.array(
    z.object({ name: z.string(), change: z.enum(["deleted", "changed", "added"]), value: AttributeValue }),
  ),
  /** False: there may be more. */
  isWhole: z.boolean(),
});
export type ChangedOutputs = ValueOf<typeof ChangedOutputs>;

/** The facts of one stage that are read once and for good. */
export const StageParts = z.object({
  cost: Fact(StageCost),
  modules: Fact(z.array(ModuleCost)),
  counts: Fact(ChangeCounts),
  rows: Fact(ResourceChanges),
  /** Absent: not stated. */
  planNotes: PlanNotes.exactOptional(),
  /** Number of outputs that the platform has rows of, changed or not; absent: none, or not stated. */
  outputRows: count.exactOptional(),
  /** Absent: there are none, or they were not read. */
  outputs: ChangedOutputs.exactOptional(),
});
export type StageParts = ValueOf<typeof StageParts>;

export const StageOrigin = z.object({
  org: z.string(),
  project: z.string(),
  /** Of an execution whose stages are unknown, its id stands here, for readers only. */
  workspace: z.string(),
  /** True: not even the workspaces of the execution could be read, so the stage may be of any. */
  isUnread: z.literal(true).exactOptional(),
  executionId: z.string(),
  /** The execution's page on the platform; absent: none is known. */
  executionPage: z.string().exactOptional(),
  /** How the execution was bound to the pull request: a status or check, an audit event, a notification, or a local file. */
  source: z.enum(["status", "check", "audit", "notification", "file"]),
  /**
   * False: only a status by an untrusted poster names the execution. Its figures are shown as unproven, and
   * rules do not use them.
   */
  proven: z.boolean(),
  status: z.enum(["succeeded", "failed", "pending", "unknown"]),
  /** Creation time in ms since 1970, null when not stated. */
  createdMs: z.number().nullable(),
  /** Ids of older executions of the same workspace: listed, never summed. */
  superseded: texts,
});
export type StageOrigin = ValueOf<typeof StageOrigin>;
export type BindingSource = StageOrigin["source"];

/** One stage of one execution, tied to a workspace, with all facts that could be read about it. */
export interface StageFacts extends StageOrigin, StageParts {
  readonly stageExecutionId: string;
}

/** An execution that is bound to this pull request and may not be shown. */
export const RefusedExecution = z.object({
  org: z.string(),
  project: z.string(),
  executionId: z.string(),
  reason: z.enum(["not_granted", "other_account"]),
});
export type RefusedExecution = ValueOf<typeof RefusedExecution>;
