import type { Decimal } from "../../kernel/money.ts";
import type { AttributeChange } from "./attribute-change.ts";
import type { ContextFacts } from "./context.ts";
import type {
  ChangeCounts,
  ComponentCost,
  CostDelta,
  ModuleCost,
  RefusedExecution,
  ResourceChange,
  UnknownReason,
  UnpricedResources,
  UsageBasedResources,
  UsageResource,
} from "./facts.ts";
import type { StageOrigin } from "./stage-origin.ts";

/**
 * How reliable an amount is. `partial`: a part of it could not be estimated or is not stated. `inconsistent`:
 * its parts contradict it. `unknown`: not read, or unreliable (a failed, running or unproven execution, a
 * stale value); its amounts may still be shown. Rules evaluate only `known` amounts.
 */
export type CostState = "known" | "partial" | "inconsistent" | "unknown";

export interface CostLine extends CostDelta {
  /** Null when the source states no currency because it states no cost. */
  readonly currency: string | null;
  readonly state: CostState;
  /**
   * Why `state` is not `known`. Empty when it is known, and when contradicting figures are the only reason.
   */
  readonly because: readonly UnknownReason[];
  /** Usage-based resources whose cost is in none of the amounts; absent: none are known. */
  readonly usage?: UsageCounts | undefined;
}

/** Numbers of usage-based resources, whose cost depends on unstated usage. */
export interface UsageCounts {
  readonly before: number;
  readonly after: number;
  /** Of those afterwards, the number that are new or changed, or may be: they may raise the cost. */
  readonly introduced: number;
  /** Of those before, the number that are deleted: they can only lower the cost. */
  readonly deleted: number;
}

/** A usage-based resource with its stage and module. */
export interface UsageReport extends UsageResource {
  readonly module: string;
  readonly workspace: string;
  /** See `stageKey`. */
  readonly stage: string;
  /** Null: its stage states no currency. */
  readonly currency: string | null;
}

/** The usage-based resources of one stage, compared with the changes that its plan makes to them. */
export interface StageUsage extends UsageBasedResources {
  /** False: the source does not state them all, so there may be further ones. */
  readonly isStated: boolean;
}

/** The changed resources of one type in one stage, in the stage's currency. */
export interface TypeCost extends CostDelta {
  readonly type: string;
}

/** One stage of one workspace. */
export interface StageReport extends CostLine, StageOrigin {
  /** The name that the policy gives to the stage, else the workspace. */
  readonly name: string;
  /** Null: unknown. */
  readonly counts: ChangeCounts | null;
  /** Why `counts` is null or unreliable (as with `state`); null when the counts are known. */
  readonly countsBecause: UnknownReason | null;
  /** The stated costs of its modules; null: unknown. */
  readonly modules: readonly ModuleCost[] | null;
  /** Why `modules` is null or unreliable; null when the modules are known. */
  readonly modulesBecause: UnknownReason | null;
  /** The stated costs of its changed resources per type; null when its cost is unknown. */
  readonly types: readonly TypeCost[] | null;
  /** Number of rows of this stage that are not in the report; see `ChangeRows` for the two kinds. */
  readonly omittedRows: number;
  readonly unreadRows: number;
  /** Why its rows are unknown or unreliable; null: they are known. */
  readonly rowsBecause: UnknownReason | null;
  /**
   * Null: the whole stage. Otherwise its amounts and counts include only selected parts. `amountsAreWhole`:
   * the amounts before and after are known for these parts, not only the change. `resources`: number of
   * resources in the whole plan.
   */
  readonly narrowed: { readonly amountsAreWhole: boolean; readonly resources: number } | null;
  /** Null: the source does not state which resources it could not price. */
  readonly unpriced: UnpricedResources | null;
  /** Absent: not stated. */
  readonly usageBased?: StageUsage;
  /** Errors of the estimator, not escaped. */
  readonly problems: readonly string[];
}

export interface TotalReport extends CostLine {
  readonly currency: string;
}

export interface ModuleReport extends CostLine {
  /**
   * Module path without indexes (`web.db`), `root` for none; `unattributed` where the flag `unattributed` is
   * true.
   */
  readonly module: string;
  /** True: not a module, but the part of the total beyond all modules. */
  readonly unattributed: boolean;
}

export interface ResourceTypeReport extends CostLine {
  /** The resource type; `unattributed` where the flag `unattributed` is true. */
  readonly type: string;
  /** True: not a resource type, but the part of the total beyond all listed resources. */
  readonly unattributed: boolean;
}

/** A resource with its change of cost, and the planned change where that is known. */
export interface ResourceReport extends CostDelta {
  readonly address: string;
  readonly type: string;
  readonly module: string;
  readonly workspace: string;
  /** See `stageKey`. */
  readonly stage: string;
  readonly currency: string;
  readonly change: CostDelta["change"];
  readonly action: ResourceChange["change"] | null;
  /** Names of its changing attributes; null: not read. */
  readonly changedAttributes: readonly string[] | null;
  /** Changes of its attributes; absent: not read. */
  readonly attributeChanges?: readonly AttributeChange[];
  /** Its price components, as the source lists them; absent: none are listed. */
  readonly components?: readonly ComponentCost[];
  /** Whether a part of it is priced by unstated usage; its amounts omit that part. */
  readonly usageBased: boolean;
}

export interface ReportedRow extends ResourceChange {
  readonly workspace: string;
  /** See `stageKey`. */
  readonly stage: string;
}

/** The parts of a stage's change of cost. */
export interface DriftSplit {
  /** See `stageKey`. */
  readonly stage: string;
  readonly workspace: string;
  readonly currency: string;
  /**
   * `drift`: the change from drifted resources that the plan touches; it undoes or absorbs the drift. `own`:
   * the rest. Null: the rows do not determine the split.
   */
  readonly split: { readonly drift: Decimal; readonly own: Decimal } | null;
}

/** The cost of a stage from its creation to its automatic destruction. */
export interface LifetimeCost {
  /** See `stageKey`. */
  readonly stage: string;
  readonly workspace: string;
  readonly currency: string;
  /** Lifetime in ms. */
  readonly lifetimeMs: number;
  readonly amount: Decimal;
}

/** Everything that one pull request costs and changes: the model that rules evaluate and templates show. */
export interface Report {
  /** One total per currency, largest absolute change first; empty when no cost is known. */
  readonly totals: readonly TotalReport[];
  readonly stages: readonly StageReport[];
  /**
   * Per currency, largest absolute change first. Includes an `unattributed` line where modules do not add up
   * to the total.
   */
  readonly modules: readonly ModuleReport[];
  /** Why the modules of some stage are unknown; empty when the modules of every stage are known. */
  readonly modulesBecause: readonly UnknownReason[];
  readonly resourceTypes: readonly ResourceTypeReport[];
  /** Changed resources, largest absolute change first. */
  readonly resources: readonly ResourceReport[];
  /** Sums over the stages; null when no stage states its changes. */
  readonly changes: ChangeCounts | null;
  /** False: at least one stage does not state its changes, so `changes` is a lower bound. */
  readonly changesAreComplete: boolean;
  /** Deleted, replaced, removed, imported, drifted, added and changed rows, in that order. */
  readonly rows: readonly ReportedRow[];
  /** Rows of the first five kinds that are not in `rows`. */
  readonly omittedRows: number;
  /** Null when no stage states them. */
  readonly unpriced: UnpricedResources | null;
  readonly unpricedIsComplete: boolean;
  /** Named usage-based resources, deleted ones included; absent: not stated. */
  readonly usageBased?: readonly UsageReport[];
  /** Number of usage-based resources over all stages, named or not; absent: none are known. */
  readonly usage?: UsageCounts | undefined;
  /** One per stage with drift: how its change of cost divides into drift and the plan's own change. */
  readonly drift: readonly DriftSplit[];
  /** One per stage that is destroyed automatically: its cost until then. */
  readonly lifetimes: readonly LifetimeCost[];
  readonly context: ContextFacts;
  readonly refused: readonly RefusedExecution[];
}
