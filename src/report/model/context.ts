import { z } from "zod";
import { count, decimal, money, texts, type ValueOf } from "../../kernel/schemas.ts";
import { ChangeKind, Fact, type NothingToPlan, type RefusedExecution, type StageFacts } from "./facts.ts";

/** A delay, a day, or both; of both, the earlier one counts. */
const Lifetime = z.object({
  /** Delay after the apply in ms; null: only a day is given. */
  ms: z.number().nullable(),
  /** Day of destruction, `YYYY-MM-DD`; null: only a delay is given. */
  onDate: z.string().nullable(),
});
export type Lifetime = ValueOf<typeof Lifetime>;

const Schedule = z.object({
  org: z.string(),
  project: z.string(),
  provisioner: z.string(),
  /** Interval of drift detection in ms; null: never. */
  driftEveryMs: z.number().nullable(),
  /** Lifetime of a workspace before it is destroyed; null: it is permanent. */
  lifetime: Lifetime.nullable(),
});
export type Schedule = ValueOf<typeof Schedule>;

/** What to do about a resource, in the platform's words: text from outside, not escaped. */
const SavingAdvice = z.object({
  /** Its configuration, e.g. `m5.2xlarge`; null: not stated. */
  current: z.string().nullable(),
  /** The recommended configurations, one of which is enough; empty: `terminate`. */
  recommended: texts,
  /** Whether the resource is not needed at all. */
  terminate: z.boolean(),
});
export type SavingAdvice = ValueOf<typeof SavingAdvice>;

const Saving = z.object({
  recommendationId: z.string(),
  /** Address of the touched resource. */
  address: z.string(),
  workspace: z.string(),
  resourceType: z.string(),
  /** What happens to the resource: merging realises the saving on a deleted one. */
  change: ChangeKind,
  monthly: money,
  /** What is recommended; absent: not stated. */
  advice: SavingAdvice.exactOptional(),
  /** Page of the recommendation on the platform; absent: there is none. */
  page: z.string().exactOptional(),
});
export type Saving = ValueOf<typeof Saving>;

const Savings = z.object({
  /** Per month, one per currency: the sum of the items that merging does not realise by deleting the resource. */
  totals: z.array(money),
  /** Largest first. */
  items: z.array(Saving),
  /** Touched resources without an answer from the platform. */
  unmatched: count,
});
export type Savings = ValueOf<typeof Savings>;

const OpenAnomalies = z.object({
  count,
  /** Cost above the expected cost, of all together; null: not stated of each. */
  impact: money.nullable(),
  /** The platform's page of them; absent: unknown. */
  page: z.string().exactOptional(),
  /** The most expensive ones, for display. */
  items: z.array(
    z.object({
      id: z.string(),
      resource: z.string(),
      perspective: z.string().nullable(),
      spend: money.nullable(),
      /** When it began, in ms since 1970; absent: not stated. */
      sinceMs: z.number().exactOptional(),
      /** In the platform's words, e.g. `CRITICAL`; absent: not stated. */
      criticality: z.string().exactOptional(),
    }),
  ),
});
export type OpenAnomalies = ValueOf<typeof OpenAnomalies>;

const GovernanceCounts = z.object({
  /** Day of the newest evaluations, `YYYY-MM-DD`. */
  day: z.string(),
  failed: count,
  total: count,
  /** Number of evaluations by the platform's status. */
  statuses: z.record(z.string(), count),
});
export type GovernanceCounts = ValueOf<typeof GovernanceCounts>;

/** A governance rule that the platform suggests: text from outside, not escaped. */
const GovernancePrompt = z.object({
  description: z.string(),
  /** The resource type in governance terms, e.g. `aws.ec2`. */
  resource: z.string(),
  /** The touched Terraform resource types that it covers, e.g. `aws_instance`. */
  types: texts,
});
export type GovernancePrompt = ValueOf<typeof GovernancePrompt>;

/** The cost of one unit (an order, a customer): now, and after merging where it can be computed. */
export const UnitCost = z.object({
  metric: z.string(),
  name: z.string(),
  /** The platform's id of the perspective that it is derived from; null: none. */
  perspective: z.string().nullable(),
  /** Its newest value; null: none in the last weeks. */
  before: decimal.nullable(),
  /** Null: unknown. */
  after: decimal.nullable(),
  /** The time of `before`, e.g. `2026-03-01T00:00:00Z`; null where there is none. */
  asOf: z.string().nullable(),
  currency: z.string(),
});
export type UnitCost = ValueOf<typeof UnitCost>;

/** The platform's facts about the context of a pull request, beside its cost and changes. */
export const ContextFacts = z.object({
  /** Per project and provisioner: the drift detection schedule and the lifetime of ephemeral workspaces. */
  schedules: Fact(z.array(Schedule)),
  savings: Fact(Savings),
  /** Open anomalies of the perspectives that this repository may see. */
  anomalies: Fact(OpenAnomalies),
  governance: Fact(GovernanceCounts),
  unitCosts: Fact(z.array(UnitCost)),
  /** Rules that governance suggests for the types of resources that this pull request touches. */
  prompts: Fact(z.array(GovernancePrompt)),
});
export type ContextFacts = ValueOf<typeof ContextFacts>;

export const ContextName = ContextFacts.keyof();
export type ContextName = z.infer<typeof ContextName>;

/** The savings that merging does not realise by deleting the resource. */
export const listMissedSavings = ({ items }: Pick<Savings, "items">): readonly Saving[] =>
  items.filter(({ change }) => change !== "deleted");

const NOT_READ = { state: "unknown", reason: "not_read" } as const;

export const NO_CONTEXT: ContextFacts = {
  schedules: NOT_READ,
  savings: NOT_READ,
  anomalies: NOT_READ,
  governance: NOT_READ,
  unitCosts: NOT_READ,
  prompts: NOT_READ,
};

/** How far past changes of a module came out from their estimates, in whole percent of the estimated change: positive where more is paid. */
export const ModuleRange = z.object({
  module: z.string(),
  currency: z.string(),
  low: decimal,
  high: decimal,
  /** Number of compared merges. */
  compared: count,
});
export type ModuleRange = ValueOf<typeof ModuleRange>;

export interface PullFacts {
  readonly stages: readonly StageFacts[];
  readonly refused: readonly RefusedExecution[];
  /** Workspaces without a plan that count as planned; absent: there are none. */
  readonly nothingToPlan?: readonly NothingToPlan[];
  /** Absent: none is known. */
  readonly moduleRanges?: readonly ModuleRange[];
  readonly context: ContextFacts;
}

/** The facts of a pull request of which nothing was read. */
export const NO_FACTS: PullFacts = { stages: [], refused: [], context: NO_CONTEXT };
