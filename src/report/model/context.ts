import type { Decimal, Money } from "../../kernel/money.ts";
import type { ChangeKind, Fact } from "./facts.ts";

/** What the platform knows around a pull request, beside what merging it costs and changes. */
export interface ContextFacts {
  /** Per project and provisioner: whether drift is looked for, and whether what is built is destroyed again. */
  readonly schedules: Fact<readonly Schedule[]>;
  /** Savings that are recommended for resources that this pull request touches. */
  readonly savings: Fact<Savings>;
  /** Open anomalies of the perspectives that this repository may see. */
  readonly anomalies: Fact<OpenAnomalies>;
  /** Newest evaluations of the governance engine. */
  readonly governance: Fact<GovernanceCounts>;
  readonly unitCosts: Fact<readonly UnitCost[]>;
  /** Rules that governance suggests for the kinds of resources that this pull request touches. */
  readonly prompts: Fact<readonly GovernancePrompt[]>;
}

export interface Schedule {
  readonly org: string;
  readonly project: string;
  readonly provisioner: string;
  /** How often drift is looked for, in ms; null: never. */
  readonly driftEveryMs: number | null;
  /** How long what is built lives before it is destroyed; null: it stays. */
  readonly lifetime: Lifetime | null;
}

/** A delay, a day, or both: then the earlier one counts. */
export interface Lifetime {
  /** From when it was built, in ms; null: only a day is named. */
  readonly ms: number | null;
  /** Day on which it is destroyed, `YYYY-MM-DD`; null: only a delay is named. */
  readonly onDate: string | null;
}

export interface Savings {
  /** Per month, one per currency: of the items that merging does not carry out by deleting the resource. */
  readonly totals: readonly Money[];
  /** Largest first. */
  readonly items: readonly Saving[];
  /** Touched resources about which the platform could not say. */
  readonly unmatched: number;
}

export interface Saving {
  readonly recommendationId: string;
  /** Address of the touched resource. */
  readonly address: string;
  readonly workspace: string;
  readonly resourceType: string;
  /** What happens to the resource: of a deleted one the saving comes with the merge. */
  readonly change: ChangeKind;
  readonly monthly: Money;
}

export interface OpenAnomalies {
  readonly count: number;
  /** What they cost beyond what was expected; null: not stated. */
  readonly impact: Money | null;
  /** The dearest ones, to be named. */
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
  /** Status as the platform names it, and how many. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** A rule that governance could evaluate, as its sample says it: text from outside, not escaped. */
export interface GovernancePrompt {
  readonly description: string;
  /** The kind of resource as governance calls it, e.g. `aws.ec2`. */
  readonly resource: string;
  /** The touched resource types of the code that it stands for, e.g. `aws_instance`. */
  readonly types: readonly string[];
}

/** What one unit costs (an order, a customer): now, and after merging as far as it can be told. */
export interface UnitCost {
  readonly metric: string;
  readonly name: string;
  /** The perspective whose bill it was derived from, by the platform's id; null: of none. */
  readonly perspective: string | null;
  /** Its newest value; null: none in the last weeks. */
  readonly before: Decimal | null;
  /** Null: it cannot be told. */
  readonly after: Decimal | null;
  /** When `before` was so, e.g. `2026-03-01T00:00:00Z`; null where there is none. */
  readonly asOf: string | null;
  readonly currency: string;
}

/** Savings that merging does not bring about by deleting the resource. */
export const missedOf = ({ items }: Pick<Savings, "items">): readonly Saving[] =>
  items.filter(({ change }) => change !== "deleted");

export type ContextName = keyof ContextFacts;

const NOT_READ = { state: "unknown", reason: "not_read" } as const;

/** Nobody asked. */
export const NO_CONTEXT: ContextFacts = {
  schedules: NOT_READ,
  savings: NOT_READ,
  anomalies: NOT_READ,
  governance: NOT_READ,
  unitCosts: NOT_READ,
  prompts: NOT_READ,
};
