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
  Unpriced,
  UsageBased,
  UsageResource,
} from "./facts.ts";
import type { StageOrigin } from "./stage-origin.ts";

/**
 * How far an amount can be relied on. `partial`: something in it could not be estimated or is not stated.
 * `inconsistent`: its parts contradict it. `unknown`: not read, or not to be relied on (a failed, running or unproven
 * execution, an old reading): then amounts may be there to be shown. Only `known` amounts are judged.
 */
export type CostState = "known" | "partial" | "inconsistent" | "unknown";

export interface CostLine extends CostDelta {
  /** Null when the source states none, i.e. when nothing is known. */
  readonly currency: string | null;
  readonly state: CostState;
  /** Why `state` is not `known`; empty when it is, and when figures that contradict each other are the only reason. */
  readonly because: readonly UnknownReason[];
  /** Usage-based resources whose cost is in none of the amounts; absent: there are none that are known of. */
  readonly usage?: UsageCounts | undefined;
}

/** How many usage-based resources there are: what they cost depends on usage that nobody stated. */
export interface UsageCounts {
  readonly before: number;
  readonly after: number;
  /** Of those afterwards the ones that are new or changed, or may be: they may raise the cost. */
  readonly introduced: number;
  /** Of those before the ones that are deleted: they only lower the cost. */
  readonly deleted: number;
}

/** A usage-based resource, with where it is. */
export interface UsageReport extends UsageResource {
  readonly module: string;
  readonly workspace: string;
  /** See `stageKey`. */
  readonly stage: string;
  /** Null: its stage states none. */
  readonly currency: string | null;
}

/** The usage-based resources of one stage, held against what its plan does to each of them. */
export interface StageUsage extends UsageBased {
  /** False: the source does not tell, and there may be more of them. */
  readonly isStated: boolean;
}

/** The changed resources of one type in one stage, in the stage's currency. */
export interface TypeCost extends CostDelta {
  readonly type: string;
}

/** One stage of one workspace. */
export interface StageReport extends CostLine, StageOrigin {
  /** What the policy file calls the stage, else the workspace. */
  readonly name: string;
  /** Null: not known. */
  readonly counts: ChangeCounts | null;
  /** Why `counts` is null, or is shown and not relied on (as with `state`); null when it is known. */
  readonly countsBecause: UnknownReason | null;
  /** What its modules cost, as stated; null: not known. */
  readonly modules: readonly ModuleCost[] | null;
  /** Why `modules` is null, or is shown and not relied on; null when it is known. */
  readonly modulesBecause: UnknownReason | null;
  /** What its changed resources cost per type, as stated; null when its cost is not known. */
  readonly types: readonly TypeCost[] | null;
  /** Rows of this stage that the report does not hold, of those to be told and of the others (see `ChangeRows`). */
  readonly omittedRows: number;
  readonly unreadRows: number;
  /** Why its rows are not known or not relied on; null: they are. */
  readonly rowsBecause: UnknownReason | null;
  /**
   * Null: all of the stage. Else only chosen parts of it are in its amounts and counts, and `amountsAreWhole` tells whether
   * what is paid before and after is known for them, and not just what changes. `resources`: how many the plan has in all.
   */
  readonly narrowed: { readonly amountsAreWhole: boolean; readonly resources: number } | null;
  /** Null: the source does not tell which resources it could not price. */
  readonly unpriced: Unpriced | null;
  /** Absent: stored by an older version without it. */
  readonly usageBased?: StageUsage;
  /** What the estimator said went wrong, not escaped. */
  readonly problems: readonly string[];
}

export interface TotalReport extends CostLine {
  readonly currency: string;
}

export interface ModuleReport extends CostLine {
  /** Module path without indexes (`web.db`), `root` for none; `unattributed` where `unattributed` is true. */
  readonly module: string;
  /** True: no module, but what the total holds beyond all modules. */
  readonly unattributed: boolean;
}

export interface ResourceTypeReport extends CostLine {
  /** `unattributed` where `unattributed` is true. */
  readonly type: string;
  /** True: no resource type, but what the total holds beyond all listed resources. */
  readonly unattributed: boolean;
}

/** A resource with its change of cost, joined to what happens to it when that is known. */
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
  /** Names of its attributes that change; null: not read. */
  readonly changedAttributes: readonly string[] | null;
  /** What changes in them; left out: not read. */
  readonly attributeChanges?: readonly AttributeChange[];
  /** What it is priced by, as its source lists it; left out: nothing is listed. */
  readonly components?: readonly ComponentCost[];
  /** A part of it costs what is used of it, which nobody stated: its amounts leave that part out. */
  readonly usageBased: boolean;
}

export interface ReportedRow extends ResourceChange {
  readonly workspace: string;
  /** See `stageKey`. */
  readonly stage: string;
}

/** What a stage's change of cost is made of. */
export interface DriftSplit {
  /** See `stageKey`. */
  readonly stage: string;
  readonly workspace: string;
  readonly currency: string;
  /**
   * `drift`: what comes of resources that were changed outside of the plan and that the plan touches: it undoes or absorbs
   * that. `own`: all the rest. Null: the rows do not tell.
   */
  readonly split: { readonly drift: Decimal; readonly own: Decimal } | null;
}

/** What a stage costs from when it is built until it is destroyed by itself. */
export interface LifetimeCost {
  /** See `stageKey`. */
  readonly stage: string;
  readonly workspace: string;
  readonly currency: string;
  /** In ms. */
  readonly lifetimeMs: number;
  readonly amount: Decimal;
}

/** Everything one pull request costs and changes: the one model that rules judge and templates show. */
export interface Report {
  /** One per currency, in the order of the largest absolute change; empty when no cost is known at all. */
  readonly totals: readonly TotalReport[];
  readonly stages: readonly StageReport[];
  /** Largest absolute change first; per currency; includes an `unattributed` line where modules do not add up to the total. */
  readonly modules: readonly ModuleReport[];
  /** Why the modules of some stage are not known; empty when every stage tells them. */
  readonly modulesBecause: readonly UnknownReason[];
  readonly resourceTypes: readonly ResourceTypeReport[];
  /** Changed resources, largest absolute change first. */
  readonly resources: readonly ResourceReport[];
  /** Sums over the stages; null when no stage tells. */
  readonly changes: ChangeCounts | null;
  /** False: at least one stage does not tell its changes, so `changes` is a lower bound. */
  readonly changesAreComplete: boolean;
  /** Deleted, replaced, removed, imported, drifted, added and changed rows, in that order. */
  readonly rows: readonly ReportedRow[];
  /** Rows of the first five kinds that are not in `rows`. */
  readonly omittedRows: number;
  /** Null when no stage tells. */
  readonly unpriced: Unpriced | null;
  readonly unpricedIsComplete: boolean;
  /** Usage-based resources by name, deleted ones included; absent: stored by an older version. */
  readonly usageBased?: readonly UsageReport[];
  /** How many there are over all stages, named or not; absent: there are none that are known of. */
  readonly usage?: UsageCounts | undefined;
  /** One per stage with drift: how much of its change of cost is this change's own. */
  readonly drift: readonly DriftSplit[];
  /** One per stage that is destroyed again by itself: what it costs until then. */
  readonly lifetimes: readonly LifetimeCost[];
  readonly context: ContextFacts;
  readonly refused: readonly RefusedExecution[];
}
