import { z } from "zod";
import { StatedTags } from "../../kernel/resource-tags.ts";
import { count, decimal, texts, type ValueOf } from "../../kernel/schemas.ts";
import { ContextFacts, ModuleRange } from "./context.ts";
import {
  AttributeChange,
  ChangeCounts,
  ChangedOutputs,
  ChangeKind,
  CodePlace,
  ComponentCost,
  CostDelta,
  EstimatorResults,
  ModuleCost,
  NothingToPlan,
  PlanNotes,
  RefusedExecution,
  ResourceChange,
  StageOrigin,
  UnknownReason,
  UnpricedResources,
  UsageBasedResources,
  UsageResource,
} from "./facts.ts";

/** Numbers of usage-based resources, whose cost depends on unstated usage. */
const UsageCounts = z.object({
  before: count,
  after: count,
  /** Of those afterwards, the number that are new or changed, or may be: they may raise the cost. */
  introduced: count,
  /** Of those before, the number that are deleted: they can only lower the cost. */
  deleted: count,
});
export type UsageCounts = ValueOf<typeof UsageCounts>;

const CostLine = CostDelta.extend({
  /** Null when the source states no currency because it states no cost. */
  currency: z.string().nullable(),
  /**
   * How reliable an amount is. `partial`: a part of it could not be estimated or is not stated. `inconsistent`:
   * its parts contradict it. `unknown`: not read, or unreliable (a failed, running or unproven execution, a
   * stale value); its amounts may still be shown. Rules evaluate only `known` amounts.
   */
  state: z.enum(["known", "partial", "inconsistent", "unknown"]),
  /** Why `state` is not `known`. Empty when it is known, and when contradicting figures are the only reason. */
  because: z.array(UnknownReason),
  /** Usage-based resources whose cost is in none of the amounts; absent: none are known. */
  usage: UsageCounts.optional(),
});
export type CostLine = ValueOf<typeof CostLine>;
export type CostState = CostLine["state"];

const StagePlace = z.object({
  workspace: z.string(),
  /** See `buildStageKey`. */
  stage: z.string(),
});

const UsageReport = z.object({
  ...UsageResource.shape,
  ...StagePlace.shape,
  module: z.string(),
  /** Null: its stage states no currency. */
  currency: z.string().nullable(),
});
export type UsageReport = ValueOf<typeof UsageReport>;

/** The usage-based resources of one stage, compared with the changes that its plan makes to them. */
const StageUsage = UsageBasedResources.extend({
  /** False: the source does not state them all, so there may be further ones. */
  isStated: z.boolean(),
});
export type StageUsage = ValueOf<typeof StageUsage>;

/** The changed resources of one type in one stage, in the stage's currency. */
const TypeCost = CostDelta.extend({ type: z.string() });
export type TypeCost = ValueOf<typeof TypeCost>;

/** What resources of a stage cost whose cost stays, summed over those of one module and type with the same tags. */
const UnchangedCost = z.object({
  module: z.string(),
  type: z.string(),
  /** Of the keys that the policy names. Absent: unknown. */
  tags: StatedTags.exactOptional(),
  /** Per month, in the currency of the stage; null: unknown. */
  cost: decimal.nullable(),
});
export type UnchangedCost = ValueOf<typeof UnchangedCost>;

/** An amount, divided by the values of tags. */
export const DividedAmount = z.object({
  keys: texts,
  /** `values`: by key; null: without that tag. */
  parts: z.array(z.object({ values: z.array(z.string().nullable()), amount: decimal })),
});
export type DividedAmount = ValueOf<typeof DividedAmount>;

const StageReport = z.object({
  ...CostLine.shape,
  ...StageOrigin.shape,
  /** The name that the policy gives to the stage, else the workspace. */
  name: z.string(),
  /** Null: unknown. */
  counts: ChangeCounts.nullable(),
  /** Why `counts` is null or unreliable (as with `state`); null when the counts are known. */
  countsBecause: UnknownReason.nullable(),
  /** The stated costs of its modules; null: unknown. */
  modules: z.array(ModuleCost).nullable(),
  /** Why `modules` is null or unreliable; null when the modules are known. */
  modulesBecause: UnknownReason.nullable(),
  /** The stated costs of its changed resources per type; null when its cost is unknown. */
  types: z.array(TypeCost).nullable(),
  /** Number of rows of this stage that are not in the report; see `ResourceChanges` for the two kinds. */
  omittedRows: count,
  unreadRows: count,
  /** Why its rows are unknown or unreliable; null: they are known. */
  rowsBecause: UnknownReason.nullable(),
  /**
   * Null: the whole stage. Otherwise its amounts and counts include only selected parts. `amountsAreWhole`: the amounts before and after
   * are known for these parts, not only the change. `resources`: number of resources in the whole plan.
   */
  narrowed: z.object({ amountsAreWhole: z.boolean(), resources: count }).nullable(),
  /** Absent: not stated. */
  planNotes: PlanNotes.exactOptional(),
  /** Absent: none change, or they were not read. */
  outputs: ChangedOutputs.exactOptional(),
  /** Null: the source does not state which resources it could not price. */
  unpriced: UnpricedResources.nullable(),
  /** Absent: not stated. */
  usageBased: StageUsage.exactOptional(),
  /** Absent: not stated. */
  estimatorFindings: EstimatorResults.exactOptional(),
  /** Absent: the source does not list resources whose cost stays. */
  unchanged: z.array(UnchangedCost).exactOptional(),
  /** Errors of the estimator, not escaped. */
  problems: texts,
  notices: texts,
});
export type StageReport = ValueOf<typeof StageReport>;

export const TotalReport = CostLine.extend({ currency: z.string() });
export type TotalReport = ValueOf<typeof TotalReport>;

const ModuleReport = CostLine.extend({
  /** Module path without indexes (`web.db`), `root` for none; `unattributed` where the flag `unattributed` is true. */
  module: z.string(),
  /** True: not a module, but the part of the total beyond all modules. */
  unattributed: z.boolean(),
});
export type ModuleReport = ValueOf<typeof ModuleReport>;

const ResourceTypeReport = CostLine.extend({
  /** The resource type; `unattributed` where the flag `unattributed` is true. */
  type: z.string(),
  /** True: not a resource type, but the part of the total beyond all listed resources. */
  unattributed: z.boolean(),
});
export type ResourceTypeReport = ValueOf<typeof ResourceTypeReport>;

/** The cost of the resources that have one value of a tag. */
const TagReport = CostLine.extend({
  /** `unattributed`: the part of the total beyond all listed resources. */
  kind: z.enum(["value", "untagged", "unknown", "unattributed"]),
  /** Text from outside, not escaped; null: of another kind than `value`. */
  value: z.string().nullable(),
});
/** A value of a tag, or why there is none. */
export type TagLabel = Pick<ValueOf<typeof TagReport>, "kind" | "value">;
export type TagReport = ValueOf<typeof TagReport>;

/** A resource with its change of cost, and the planned change where that is known. */
const ResourceReport = z.object({
  ...CostDelta.shape,
  ...StagePlace.shape,
  currency: z.string(),
  address: z.string(),
  type: z.string(),
  module: z.string(),
  action: ChangeKind.nullable(),
  /** Names of its changing attributes; null: not read. */
  changedAttributes: texts.nullable(),
  /** Changes of its attributes; absent: not read. */
  attributeChanges: z.array(AttributeChange).exactOptional(),
  /** Its price components, as the source lists them; absent: none are listed. */
  components: z.array(ComponentCost).exactOptional(),
  /** Whether a part of it is priced by unstated usage; its amounts omit that part. */
  usageBased: z.boolean(),
  /** Absent: unknown. */
  place: CodePlace.exactOptional(),
  /** Absent: unknown. */
  tags: StatedTags.exactOptional(),
});
export type ResourceReport = ValueOf<typeof ResourceReport>;

const ReportedRow = z.object({
  ...ResourceChange.shape,
  ...StagePlace.shape,
  /** Absent: unknown. */
  place: CodePlace.exactOptional(),
  /** What the resource costs per month where its cost stays; null: unknown. Absent: it has a `ResourceReport`, or no source lists it. */
  cost: decimal.nullable().exactOptional(),
});
export type ReportedRow = ValueOf<typeof ReportedRow>;

/** The parts of a stage's change of cost. */
const DriftSplit = StagePlace.extend({
  currency: z.string(),
  /**
   * `drift`: the change from drifted resources that the plan touches; it undoes or absorbs the drift. `own`:
   * the rest. Null: the rows do not determine the split.
   */
  split: z.object({ drift: decimal, own: decimal }).nullable(),
});
export type DriftSplit = ValueOf<typeof DriftSplit>;

/** The cost of a stage from its creation to its automatic destruction. */
const LifetimeCost = StagePlace.extend({
  currency: z.string(),
  lifetimeMs: z.number(),
  amount: decimal,
});
export type LifetimeCost = ValueOf<typeof LifetimeCost>;

/** Everything that one pull request costs and changes: the model that rules evaluate and templates show. */
export const Report = z.object({
  /** One total per currency, largest absolute change first; empty when no cost is known. */
  totals: z.array(TotalReport),
  stages: z.array(StageReport),
  /** Per currency, largest absolute change first. Includes an `unattributed` line where modules do not add up to the total. */
  modules: z.array(ModuleReport),
  /** Of changed modules, from the store; absent: none is known. */
  moduleRanges: z.array(ModuleRange).exactOptional(),
  /** Why the modules of some stage are unknown; empty when the modules of every stage are known. */
  modulesBecause: z.array(UnknownReason),
  resourceTypes: z.array(ResourceTypeReport),
  /** The cost by the tag that the policy chooses; absent: it chooses none. */
  byTag: z.object({ key: z.string(), lines: z.array(TagReport) }).exactOptional(),
  /** Changed resources, largest absolute change first. */
  resources: z.array(ResourceReport),
  /** Sums over the stages; null when no stage states its changes. */
  changes: ChangeCounts.nullable(),
  /** False: at least one stage does not state its changes, so `changes` is a lower bound. */
  changesAreComplete: z.boolean(),
  /** Deleted, replaced, removed, imported, drifted, added and changed rows, in that order. */
  rows: z.array(ReportedRow),
  /** Rows of the first five kinds that are not in `rows`. */
  omittedRows: count,
  /** Null when no stage states them. */
  unpriced: UnpricedResources.nullable(),
  unpricedIsComplete: z.boolean(),
  /** Named usage-based resources, deleted ones included; absent: not stated. */
  usageBased: z.array(UsageReport).exactOptional(),
  /** Number of usage-based resources over all stages, named or not; absent: none are known. */
  usage: UsageCounts.optional(),
  /** One per stage with drift: how its change of cost divides into drift and the plan's own change. */
  drift: z.array(DriftSplit),
  /** One per stage that is destroyed automatically: its cost until then. */
  lifetimes: z.array(LifetimeCost),
  context: ContextFacts,
  refused: z.array(RefusedExecution),
  /** Workspaces that count as planned although no stage is of them; absent: there are none. */
  nothingToPlan: z.array(NothingToPlan).exactOptional(),
});
export type Report = ValueOf<typeof Report>;

/** The addresses that the plans of a report leave to a later plan. */
export const listDeferred = ({ stages }: Pick<Report, "stages">): readonly string[] =>
  stages.flatMap(({ planNotes }) => (planNotes?.incomplete?.deferred ?? []).map(({ address }) => address));
