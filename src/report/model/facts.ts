import type { Decimal } from "../../kernel/money.ts";
import type { AttributeChange } from "./attribute-change.ts";
import type { StageOrigin } from "./stage-origin.ts";

/** Why a value could not be read. The comment words each reason; none of them counts as zero or as a pass. */
export type UnknownReason =
  | "not_estimated"
  | "not_indexed"
  | "not_read"
  /** The platform lists no stage of a named execution. */
  | "not_listed"
  | "not_granted"
  | "not_stated"
  | "no_plan"
  | "execution_failed"
  | "execution_pending"
  | "unproven"
  | "push_disabled"
  | "past_retention"
  | "unauthorised"
  | "forbidden"
  | "rate_limited"
  | "unavailable"
  | "malformed"
  | "contradictory"
  | "too_large"
  | "timed_out"
  /** The fact exists for pull requests only, and these are local files. */
  | "local_preview"
  /** The fact is about other pull requests, of which a CI job knows nothing. */
  | "no_history";

/**
 * A value with its state. `absent`: its source states that there is none. `unknown`: it could not be read.
 * `stale`: true `ageMs` milliseconds ago, and nothing newer can be read.
 */
export type Fact<T> =
  | { readonly state: "known"; readonly value: T }
  | { readonly state: "absent" }
  | { readonly state: "unknown"; readonly reason: UnknownReason }
  | { readonly state: "stale"; readonly value: T; readonly ageMs: number };

/** Amounts per month in the currency of the owner of this delta. Null: not stated, which is not zero. */
export interface CostDelta {
  readonly before: Decimal | null;
  readonly after: Decimal | null;
  readonly change: Decimal | null;
  /** Percent of the change, as stated by the source; null when not stated or when nothing was paid before. */
  readonly percent: Decimal | null;
}

/** The priced quantity, in its unit; null: not stated. */
export interface Quantity {
  readonly unit: string;
  readonly before: Decimal | null;
  readonly after: Decimal | null;
}

export interface ComponentCost extends CostDelta {
  readonly name: string;
  /** Absent: not stated. */
  readonly quantity?: Quantity;
}

export interface ResourceCost extends CostDelta {
  /** Full address, e.g. `module.web["eu"].aws_instance.this[0]`. */
  readonly address: string;
  readonly components: readonly ComponentCost[];
}

/** The changed resources of one type. The amounts cover changed resources only, so groups need not add up to the stage's total. */
export interface ResourceGroup extends CostDelta {
  readonly type: string;
  readonly resources: readonly ResourceCost[];
}

/** Resources that the estimator found but cannot price, counted per resource type. */
export interface UnpricedResources {
  readonly count: number;
  readonly types: Readonly<Record<string, number>>;
}

/**
 * What happens to a usage-based resource. `given`: its usage is stated after the change and was not before. `unstated`: its source
 * does not state it, so it may be new.
 */
export type UsageChange = "added" | "changed" | "deleted" | "given" | "unchanged" | "unstated";

/** A resource whose price depends on unstated usage. */
export interface UsageResource {
  readonly address: string;
  readonly type: string;
  readonly change: UsageChange;
}

/** The usage-based resources of a stage: their cost is unknown and in none of its amounts. */
export interface UsageBasedResources {
  readonly resources: readonly UsageResource[];
  /** Number of further, unnamed resources that may be new or changed. */
  readonly unnamed: number;
  /** Number of further, unnamed resources that do not change. */
  readonly unnamedUnchanged: number;
}

/** What one stage costs per month, as its source states it. */
export interface StageCost extends CostDelta {
  readonly currency: string;
  /** `partial`: a part of the stage failed to be estimated. `unstated`: the source does not state whether everything was estimated. */
  readonly completeness: "complete" | "partial" | "unstated";
  /** Errors of the estimator: text from outside, not escaped. */
  readonly problems: readonly string[];
  readonly groups: readonly ResourceGroup[];
  /** Null: not stated. */
  readonly unpriced: UnpricedResources | null;
  /** Absent: not stated. */
  readonly usage?: UsageBasedResources;
  /**
   * Whether every part that adds up to the totals is listed. Real platforms list changed resources only (false), so a rest
   * is then shown as "unattributed"; where all parts are listed (true), a rest means that the figures contradict each other.
   */
  readonly partsAreWhole: boolean;
}

export interface ModuleCost extends CostDelta {
  /** Module path without indexes (`web.db`), `root` for none. */
  readonly module: string;
  readonly currency: string;
}

/** How many resources change; data sources are not counted. A replacement counts in `added`, in `deleted` and in `replaced`. */
export interface ChangeCounts {
  readonly added: number;
  readonly changed: number;
  readonly deleted: number;
  /** Null: there are too many rows to find the deleted resources that are created again. */
  readonly replaced: number | null;
  readonly imported: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly drifted: number;
}

export type ChangeKind =
  | "deleted"
  | "added"
  | "changed"
  | "imported"
  | "removed"
  | "replaced"
  | "drifted"
  /** Only its address changes. Rules do not see it. */
  | "moved";

/** The change of one resource. */
export interface ResourceChange {
  readonly address: string;
  readonly type: string;
  readonly module: string;
  readonly change: ChangeKind;
  /** Its address before the change, where a `moved` block renames it. */
  readonly previousAddress?: string;
  /** Ordinal in the platform's listing of planned changes, or of drift for a drifted row; absent: it has none. */
  readonly ordinal?: number;
  /** Names of the attributes that change; absent: not read. */
  readonly changedAttributes?: readonly string[];
  /** The first few attribute changes; absent: not read. */
  readonly attributeChanges?: readonly AttributeChange[];
  /** Why the requested names are unknown. */
  readonly attributesBecause?: UnknownReason;
}

export interface ResourceChanges {
  readonly rows: readonly ResourceChange[];
  /** Number of deleted, replaced, removed, imported and drifted rows that are not in `rows`. */
  readonly omitted: number;
  /** Number of added and changed rows that are not in `rows`. */
  readonly unread: number;
}

/** One stage of one execution, tied to a workspace, with all facts that could be read about it. */
export interface StageFacts extends StageOrigin {
  readonly stageExecutionId: string;
  readonly cost: Fact<StageCost>;
  readonly modules: Fact<readonly ModuleCost[]>;
  readonly counts: Fact<ChangeCounts>;
  readonly rows: Fact<ResourceChanges>;
}

/** An execution that is bound to this pull request and may not be shown. */
export interface RefusedExecution {
  readonly org: string;
  readonly project: string;
  readonly executionId: string;
  readonly reason: "not_granted" | "other_account";
}
