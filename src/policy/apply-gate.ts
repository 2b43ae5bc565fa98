import { z } from "zod";
import { canonicalJson } from "../kernel/canonical-json.ts";
import {
  absolute,
  compare,
  type Decimal,
  type Money,
  minus,
  plus,
  scale,
  sum,
  decimal as toDecimal,
  ZERO,
} from "../kernel/money.ts";
import { count, decimal, money, type ValueOf } from "../kernel/schemas.ts";
import { ChangeKind } from "../report/model/facts.ts";

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

/** Why it is unknown whether an apply does what was evaluated. */
export const ApplyDoubt = z.enum([
  /** No pull request of this commit is known, or none that was evaluated. */
  "no_evaluation",
  /** The evaluation of this commit has no plan of this workspace. */
  "workspace_not_evaluated",
  /** Several evaluated workspaces of different projects have this name. */
  "ambiguous_workspace",
  /** The pull request was merged although its check had not passed. */
  "unchecked_merge",
  /** The check of the open pull request does not pass now, or the commit is not its head. */
  "not_passed",
  /** The pull request goes into another base branch than the one that is applied, whose policy says nothing here. */
  "other_base",
  /** A later commit of this workspace was already applied. */
  "superseded",
  "incomplete_evaluation",
  "incomplete_plan",
  "evaluated_cost_unknown",
  "cost_unknown",
  "other_currency",
  /** A digest differs, or there is none, so what differs is unknown: without a server only equality can be shown. */
  "digest_differs",
  "no_digest",
  /** Several Apps wrote a check of this name. */
  "several_checks",
]);
export type ApplyDoubt = z.infer<typeof ApplyDoubt>;

/** Whether amounts were compared, and if not, why not. */
const CostComparison = z.enum(["compared", "not_estimated", "hidden"]);

/** Whether an apply does at most what was evaluated. A difference that is certain has precedence over what is unknown. */
export const ApplyResult = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("within"), cost: CostComparison }),
  /** `more`: number of further differences. */
  z.object({ kind: z.literal("exceeds"), differences: z.array(ApplyDifference), more: count }),
  z.object({ kind: z.literal("undecided"), because: z.array(ApplyDoubt) }),
]);
export type ApplyResult = ValueOf<typeof ApplyResult>;

/** Most differences of a result that are listed. */
const MAX_DIFFERENCES = 100;

/**
 * Compares a plan with the evaluated plans of its workspace, of all pull requests that the apply brings. Each action on an address must be
 * evaluated by one of them. To change where a replacement was evaluated, and to do nothing, is less than what was evaluated.
 * `approvedUpTo`: the change of cost that approvals cover, where they cover this workspace alone; null: what was evaluated counts.
 */
export function verifyPlan(
  expected: readonly WorkspacePlan[],
  found: WorkspacePlan,
  {
    tolerance = null,
    approvedUpTo = null,
  }: { readonly tolerance?: Tolerance | null; readonly approvedUpTo?: Money | null } = {},
): ApplyResult {
  if (expected.length === 0) return { kind: "undecided", because: ["no_evaluation"] };
  const isEvaluated = expected.every(({ isComplete }) => isComplete);
  const cost = compareCost(expected, found, { tolerance, approvedUpTo });
  const differences = [
    // An address that an incomplete evaluation does not list may be one of those that it left out.
    ...(isEvaluated ? listActionDifferences(expected, found) : []),
    ...("difference" in cost ? [cost.difference] : []),
  ];
  if (differences.length > 0) {
    const listed = differences.slice(0, MAX_DIFFERENCES);
    return { kind: "exceeds", differences: listed, more: differences.length - listed.length };
  }
  const because: readonly ApplyDoubt[] = [
    ...(isEvaluated ? [] : (["incomplete_evaluation"] as const)),
    ...(found.isComplete ? [] : (["incomplete_plan"] as const)),
    ...("doubt" in cost ? [cost.doubt] : []),
  ];
  if (because.length > 0) return { kind: "undecided", because };
  return { kind: "within", cost: "state" in cost ? cost.state : "compared" };
}

function listActionDifferences(
  expected: readonly WorkspacePlan[],
  found: WorkspacePlan,
): readonly ApplyDifference[] {
  const evaluated = Map.groupBy(
    expected.flatMap(({ changes }) => changes),
    ({ address }) => address,
  );
  return found.changes.flatMap(({ address, action }): readonly ApplyDifference[] => {
    const actions = new Set((evaluated.get(address) ?? []).map((one) => one.action));
    const isLess = action === "changed" && actions.has("replaced");
    if (actions.has(action) || isLess) return [];
    return [{ kind: "action", address, expected: [...actions].sort(), found: action }];
  });
}

type ComparedCost =
  | { readonly state: z.infer<typeof CostComparison> }
  | { readonly doubt: ApplyDoubt }
  | { readonly difference: ApplyDifference };

function compareCost(
  expected: readonly WorkspacePlan[],
  { cost: found, changes }: WorkspacePlan,
  { tolerance, approvedUpTo }: { readonly tolerance: Tolerance | null; readonly approvedUpTo: Money | null },
): ComparedCost {
  if (found.state === "not_estimated") return { state: "not_estimated" };
  const states = expected.map(({ cost }) => cost.state);
  if (found.state === "hidden" || states.includes("hidden")) return { state: "hidden" };
  if (found.state !== "known") return { doubt: "cost_unknown" };
  const known = expected.flatMap(({ cost, changes }) => (cost.state === "known" ? [{ cost, changes }] : []));
  if (known.length < expected.length) return { doubt: "evaluated_cost_unknown" };
  const { currency, change } = found;
  const isForeign = (other: string): boolean => other !== currency;
  if (
    known.some(({ cost }) => isForeign(cost.currency)) ||
    (approvedUpTo !== null && isForeign(approvedUpTo.currency)) ||
    (tolerance?.kind === "amount" && isForeign(tolerance.amount.currency))
  )
    return { doubt: "other_currency" };
  const evaluated = sumChanges(known, new Set(changes.map(({ address }) => address)));
  const covered =
    approvedUpTo !== null && compare(approvedUpTo.amount, evaluated) > 0 ? approvedUpTo.amount : evaluated;
  const allowed = plus(covered, computeTolerance(tolerance, covered));
  if (compare(change, allowed) <= 0) return { state: "compared" };
  return { difference: { kind: "cost", currency, expected: covered, allowed, found: change } };
}

function computeTolerance(tolerance: Tolerance | null, covered: Decimal): Decimal {
  if (tolerance === null) return ZERO;
  if (tolerance.kind === "amount") return tolerance.amount.amount;
  return scale(absolute(covered), tolerance.percent, HUNDRED);
}

const HUNDRED = toDecimal("100");

/**
 * Returns the change of cost of several plans together. A plan that was made before an earlier merge was applied contains the changes of
 * that merge too, so an address in several plans counts once, with its largest change. A saving whose address the apply no longer changes
 * is not expected of it: it was applied already, or a later merge reverted it.
 */
function sumChanges(
  plans: readonly {
    readonly cost: { readonly change: Decimal };
    readonly changes: readonly PlannedChange[];
  }[],
  planned: ReadonlySet<string>,
): Decimal {
  const perPlan = plans.flatMap(({ changes }) => [
    ...new Map(changes.map(({ address, before, after }) => [address, { address, before, after }])).values(),
  ]);
  const uncounted = [...Map.groupBy(perPlan, ({ address }) => address)].flatMap(([address, own]) => {
    const changes = own
      .flatMap(({ before, after }) => (before === null || after === null ? [] : [minus(after, before)]))
      .sort(compare);
    const isSaving = compare(changes.at(-1) ?? ZERO, ZERO) < 0;
    return isSaving && !planned.has(address) ? changes : changes.slice(0, -1);
  });
  return minus(sum(plans.map(({ cost }) => cost.change)), sum(uncounted));
}

/**
 * Returns the texts whose SHA-256 digests identify what a plan does (`actions`), and with which amounts (`amounts`; null: they are not
 * all known, or hidden). Null: the plan is incomplete. Equal plans have equal texts, in whichever order their changes are.
 */
export function formatPlanForDigest(
  plan: WorkspacePlan,
): { readonly actions: string; readonly amounts: string | null } | null {
  if (!plan.isComplete) return null;
  const { workspace, changes, cost } = plan;
  const actions = [
    ...new Set(changes.map(({ address, action }) => JSON.stringify([address, action]))),
  ].sort();
  if (cost.state !== "known") return { actions: canonicalJson({ workspace, actions }), amounts: null };
  const amounts = changes.map(({ address, before, after }) => JSON.stringify([address, before, after]));
  return {
    actions: canonicalJson({ workspace, actions }),
    amounts: canonicalJson({ workspace, actions, amounts: [...new Set(amounts)].sort(), cost }),
  };
}
