import { z } from "zod";
import { count, decimal, money, type ValueOf } from "../../kernel/schemas.ts";
import { ChangeKind } from "../../report/model/facts.ts";

/** Most changes of one plan that are compared; of a larger plan these are a part, so `isComplete` is false. */
export const MAX_PLANNED_CHANGES = 5_000;

/** What an apply does to a resource; or that it invokes an action. Drift, and a mere new address, are nothing that it does. */
const PlannedAction = z.enum([...ChangeKind.exclude(["drifted", "moved"]).options, "invoked"]);
export type PlannedAction = z.infer<typeof PlannedAction>;

/**
 * One action on one managed resource (an import with a change is two), or one invocation. Amounts per month in the currency of the plan; null:
 * unknown or hidden.
 */
export const PlannedChange = z.object({
  address: z.string().min(1).max(2_000),
  action: PlannedAction,
  before: decimal.nullable(),
  after: decimal.nullable(),
});
export type PlannedChange = ValueOf<typeof PlannedChange>;

/** What the whole workspace costs per month. `hidden`: readers of the repository may not see figures. */
const PlanCost = z.union([
  z.object({
    state: z.literal("known"),
    currency: z.string().max(20),
    before: decimal,
    after: decimal,
    change: decimal,
  }),
  z.object({ state: z.enum(["unknown", "not_estimated", "hidden"]) }),
]);
export type PlanCost = ValueOf<typeof PlanCost>;

/** What an apply of one plan does: the stored form of an evaluated plan, and the form in which a plan is sent. */
export const WorkspacePlan = z.object({
  /** As `createStageLabels` writes it: `project/workspace` where an evaluation has several workspaces of this name. */
  workspace: z
    .string()
    .min(1)
    .max(300)
    .refine((name) => !name.includes("\u0000"), "expected no NUL"),
  cost: PlanCost,
  changes: z.array(PlannedChange).max(MAX_PLANNED_CHANGES),
  /** False: it may do more, because changes are unread, deferred or not targeted, or because the plan failed. */
  isComplete: z.boolean(),
});
export type WorkspacePlan = ValueOf<typeof WorkspacePlan>;

/** By how much an apply may cost more. Percent: of the evaluated or approved change, without its sign. */
export const Tolerance = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("percent"), percent: decimal }),
  z.object({ kind: z.literal("amount"), amount: money }),
]);
export type Tolerance = ValueOf<typeof Tolerance>;

/** Something that an apply would do beyond what was evaluated. */
export const ApplyDifference = z.discriminatedUnion("kind", [
  /** `expected`: the evaluated actions on this address; empty: none was evaluated. */
  z.object({
    kind: z.literal("action"),
    address: z.string(),
    expected: z.array(PlannedAction),
    found: PlannedAction,
  }),
  /** Changes of cost per month. `expected`: evaluated or approved; `allowed`: with the tolerance. */
  z.object({
    kind: z.literal("cost"),
    currency: z.string(),
    expected: decimal,
    allowed: decimal,
    found: decimal,
  }),
]);
export type ApplyDifference = ValueOf<typeof ApplyDifference>;

/** Why it is unknown whether an apply does what was evaluated; `render/apply-result.ts` has the words for each. */
export const ApplyDoubt = z.enum([
  "no_evaluation",
  "workspace_not_evaluated",
  "ambiguous_workspace",
  "unchecked_merge",
  "not_passed",
  "other_base",
  "superseded",
  "incomplete_evaluation",
  "incomplete_plan",
  "evaluated_cost_unknown",
  "cost_unknown",
  "other_currency",
  "digest_differs",
  "no_digest",
  "several_checks",
]);
export type ApplyDoubt = z.infer<typeof ApplyDoubt>;

/** Whether amounts were compared, and if not, why not. */
const CostComparison = z.enum(["compared", "not_estimated", "hidden"]);
export type CostComparison = z.infer<typeof CostComparison>;

/** Whether an apply does at most what was evaluated. A difference that is certain has precedence over what is unknown. */
export const ApplyResult = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("within"), cost: CostComparison }),
  /** `more`: number of further differences. */
  z.object({ kind: z.literal("exceeds"), differences: z.array(ApplyDifference), more: count }),
  z.object({ kind: z.literal("undecided"), because: z.array(ApplyDoubt) }),
]);
export type ApplyResult = ValueOf<typeof ApplyResult>;

/** The result with some of its differences listed; the others are counted. */
export function selectDifferences(
  result: ApplyResult,
  choose: (all: readonly ApplyDifference[]) => readonly ApplyDifference[],
): ApplyResult {
  if (result.kind !== "exceeds") return result;
  const differences = choose(result.differences);
  return { ...result, differences, more: result.more + result.differences.length - differences.length };
}
