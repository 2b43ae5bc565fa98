import { z } from "zod";
import { PULL_OUTCOMES } from "../../store/history/pull-history.ts";

const Text = z.string();
const MaybeText = z.string().nullable();
const Time = z.string().meta({ format: "date-time" });
const Amount = z
  .string()
  .meta({ description: "An exact decimal number in plain notation, per month.", examples: ["1234.5"] });
const Count = z.int().nonnegative();

/** A cost in one currency. Null: unknown, which is never zero. */
export const Cost = z.object({
  currency: Text,
  before: Amount.nullable(),
  after: Amount.nullable(),
  change: Amount.nullable(),
  state: Text.meta({ description: "`known`, or why the amounts are not certain." }),
});
const Costs = z.array(Cost).meta({
  description: "One per currency; empty where figures are hidden or unknown. Currencies are never added.",
});

export const RepositoryShape = z.object({ id: z.int(), repository: Text, url: Text });

export const PullShape = z.object({
  repository: Text,
  number: z.int(),
  url: Text.meta({ description: "The page of the pull request." }),
  title: MaybeText,
  author: MaybeText,
  draft: z.boolean().nullable(),
  base: Text,
  head_sha: Text,
  opened_at: Time.nullable(),
  outcome: z.enum(PULL_OUTCOMES),
  evaluation: z.int().nullable(),
  evaluated_at: Time.nullable(),
  costs: Costs,
  waiting_for: z
    .array(Text)
    .meta({ description: "Logins, and teams as `acme/finops`, whose approval is missing." }),
});

export const EvaluationShape = z.object({
  id: z.int(),
  head_sha: Text,
  base: Text,
  begun_at: Time,
  ended_at: Time.nullable().meta({
    description: "When another evaluation followed; null: it is the newest.",
  }),
  check: Text.meta({ description: "Conclusion of the check, `in_progress`, or `none`." }),
  situation: Text,
  verdict: MaybeText,
  costs: Costs,
  rules: z.array(z.object({ rule: Text, effect: Text })),
});

const Finding = z.object({
  rule: Text,
  outcome: z.enum(["passed", "violated", "undecided", "not_applicable"]),
  enforce: z.enum(["block", "warn"]),
  subject: MaybeText,
  measured: z.object({ amount: Amount, currency: Text }).nullable().meta({
    description: "The amount that the rule measured; null: it measures none, or figures are hidden.",
  }),
  approved: z.boolean(),
  waived: z.boolean(),
});

export const EvaluationDetailShape = z.object({
  id: z.int(),
  repository: Text,
  number: z.int(),
  url: Text,
  head_sha: Text,
  base: Text,
  begun_at: Time,
  evaluated_at: Time,
  ended_at: Time.nullable(),
  check: Text,
  situation: Text,
  verdict: MaybeText,
  figures: z.boolean().meta({ description: "False: readers of this repository may not see amounts." }),
  costs: Costs,
  stages: z.array(z.object({ name: Text, workspace: Text, org: Text, project: Text, costs: Costs })),
  findings: z.array(Finding),
});

export const RuleShape = z.object({
  rule: Text,
  enforce: z.enum(["block", "warn"]),
  repositories: Count,
  pulls: Count,
  evaluations: Count,
  not_applicable: Count,
  violated: Count,
  blocked: Count,
  undecided: Count,
  approved: Count,
  waived: Count,
  overridden: Count,
  open: Count,
  median_resolution_seconds: z.number().nonnegative().nullable(),
  concerned: z.array(z.object({ currency: Text, change: Amount, pulls: Count })),
});

export const DecisionShape = z.object({
  record: z.uuid().meta({ description: "Identifies it." }),
  at: Time,
  kind: Text,
  repository: Text,
  number: z.int(),
  head_sha: Text,
  base: MaybeText,
  outcome: MaybeText,
  person: MaybeText,
  rules: z.array(Text),
  reason: MaybeText,
  up_to: z.object({ amount: Amount, currency: Text }).nullable(),
  hash: MaybeText.meta({ description: "Null: figures are hidden, and an amount could be guessed from it." }),
});

/** Every error. */
export const ErrorShape = z.object({
  message: Text,
  problems: z.array(z.object({ parameter: Text, message: Text })).optional(),
});
