import type { Decimal, Money } from "../../kernel/money.ts";
import type { ChangeKind, Fact } from "./facts.ts";

/** The platform's facts about the context of a pull request, beside its cost and changes. */
export interface ContextFacts {
  /** Per project and provisioner: the drift detection schedule and the lifetime of ephemeral workspaces. */
  readonly schedules: Fact<readonly Schedule[]>;
  /** Recommended savings on resources that this pull request touches. */
  readonly savings: Fact<Savings>;
  /** Open anomalies of the perspectives that this repository may see. */
  readonly anomalies: Fact<OpenAnomalies>;
  /** Newest evaluations of the governance engine. */
  readonly governance: Fact<GovernanceCounts>;
  readonly unitCosts: Fact<readonly UnitCost[]>;
  /** Rules that governance suggests for the types of resources that this pull request touches. */
  readonly prompts: Fact<readonly GovernancePrompt[]>;
}

export interface Schedule {
  readonly org: string;
  readonly project: string;
  readonly provisioner: string;
  /** Interval of drift detection in ms; null: never. */
  readonly driftEveryMs: number | null;
  /** Lifetime of a workspace before it is destroyed; null: it is permanent. */
  readonly lifetime: Lifetime | null;
}

/** A delay, a day, or both; of both, the earlier one counts. */
export interface Lifetime {
  /** Delay after the apply in ms; null: only a day is given. */
  readonly ms: number | null;
  /** Day of destruction, `YYYY-MM-DD`; null: only a delay is given. */
  readonly onDate: string | null;
}

export interface Savings {
  /** Per month, one per currency: the sum of the items that merging does not realise by deleting the resource. */
  readonly totals: readonly Money[];
  /** Largest first. */
  readonly items: readonly Saving[];
  /** Touched resources without an answer from the platform. */
  readonly unmatched: number;
}

export interface Saving {
  readonly recommendationId: string;
  /** Address of the touched resource. */
  readonly address: string;
  readonly workspace: string;
  readonly resourceType: string;
  /** What happens to the resource: merging realises the saving on a deleted one. */
  readonly change: ChangeKind;
  readonly monthly: Money;
}

export interface OpenAnomalies {
  readonly count: number;
  /** Cost above the expected cost; null: not stated. */
  readonly impact: Money | null;
  /** The most expensive ones, for display. */
  readonly items: readonly {
    readonly id: string;
    readonly resource: string;
    readonly perspective: string | null;
    readonly spend: Money | null;
  }[];
}

export interface GovernanceCounts {
  /** Day of the newest evaluations, `YYYY-MM-DD`. */
  readonly day: string;
  readonly failed: number;
  readonly total: number;
  /** Number of evaluations by the platform's status. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** A governance rule that the platform suggests: text from outside, not escaped. */
export interface GovernancePrompt {
  readonly description: string;
  /** The resource type in governance terms, e.g. `aws.ec2`. */
  readonly resource: string;
  /** The touched Terraform resource types that it covers, e.g. `aws_instance`. */
  readonly types: readonly string[];
}

/** The cost of one unit (an order, a customer): now, and after merging where it can be computed. */
export interface UnitCost {
  readonly metric: string;
  readonly name: string;
  /** The platform's id of the perspective that it is derived from; null: none. */
  readonly perspective: string | null;
  /** Its newest value; null: none in the last weeks. */
  readonly before: Decimal | null;
  /** Null: unknown. */
  readonly after: Decimal | null;
  /** The time of `before`, e.g. `2026-03-01T00:00:00Z`; null where there is none. */
  readonly asOf: string | null;
  readonly currency: string;
}

/** The savings that merging does not realise by deleting the resource. */
export const listMissedSavings = ({ items }: Pick<Savings, "items">): readonly Saving[] =>
  items.filter(({ change }) => change !== "deleted");

export type ContextName = keyof ContextFacts;

const NOT_READ = { state: "unknown", reason: "not_read" } as const;

/** No context fact was read. */
export const NO_CONTEXT: ContextFacts = {
  schedules: NOT_READ,
  savings: NOT_READ,
  anomalies: NOT_READ,
  governance: NOT_READ,
  unitCosts: NOT_READ,
  prompts: NOT_READ,
};
