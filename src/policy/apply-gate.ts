import {
  absolute,
  compare,
  type Decimal,
  HUNDRED,
  type Money,
  minus,
  plus,
  scale,
  sum,
  ZERO,
} from "../kernel/money.ts";
import {
  type ApplyDifference,
  type ApplyDoubt,
  type ApplyResult,
  type CostComparison,
  type PlannedChange,
  selectDifferences,
  type Tolerance,
  type WorkspacePlan,
} from "./model/apply.ts";
import type { Evaluation } from "./model/evaluation.ts";
import type { Finding } from "./model/finding.ts";
import type { FactName } from "./model/policy.ts";
import { getVerdict } from "./model/situation.ts";

/** Most differences of a result that are listed. */
const MAX_DIFFERENCES = 100;

/** What an apply may cost beyond what was evaluated; see `verifyPlan`. */
interface Allowance {
  readonly tolerance?: Tolerance | null;
  readonly approvedUpTo?: Money | null;
}

/**
 * Compares a plan with the evaluated plans of its workspace, of all pull requests that the apply brings. Each action on an address must be
 * evaluated by one of them. To change where a replacement was evaluated, and to do nothing, is less than what was evaluated.
 * `approvedUpTo`: the change of cost that approvals cover, where they cover this workspace alone; null: what was evaluated counts.
 */
export function verifyPlan(
  expected: readonly WorkspacePlan[],
  found: WorkspacePlan,
  allowance: Allowance = {},
): ApplyResult {
  if (expected.length === 0) return { kind: "undecided", because: ["no_evaluation"] };
  const isEvaluated = expected.every(({ isComplete }) => isComplete);
  const cost = compareCost(expected, found, allowance);
  const differences = [
    // An address that an incomplete evaluation does not list may be one of those that it left out.
    ...(isEvaluated ? listActionDifferences(expected, found) : []),
    ...("difference" in cost ? [cost.difference] : []),
  ];
  if (differences.length > 0)
    return selectDifferences({ kind: "exceeds", differences, more: 0 }, (all) =>
      all.slice(0, MAX_DIFFERENCES),
    );
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
  | { readonly state: CostComparison }
  | { readonly doubt: ApplyDoubt }
  | { readonly difference: ApplyDifference };

function compareCost(
  expected: readonly WorkspacePlan[],
  { cost: found, changes }: WorkspacePlan,
  { tolerance = null, approvedUpTo = null }: Allowance,
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
 * Returns the change of cost up to which approvals let a workspace pass: the least amount of the approvals in force that cover a limit of
 * the increase which measured this whole workspace and nothing else, and at most what every other rule allows that may block. Null: there
 * is none, so what was evaluated counts.
 */
export function findApprovedChange(
  { report, approvals, situation }: Evaluation,
  { cost }: WorkspacePlan,
): Money | null {
  if (cost.state !== "known" || report.stages.length !== 1) return null;
  const { currency, change } = cost;
  const findings = getVerdict(situation)?.findings ?? [];
  const approved = findings.filter(
    ({ limit, measured, outcome, approved: isApproved }) =>
      limit.kind === "increase" &&
      outcome === "violated" &&
      isApproved &&
      measured?.kind === "money" &&
      measured.currency === currency &&
      compare(measured.amount, change) === 0,
  );
  const rules = new Set(approved.map(({ rule }) => rule));
  const amounts = approvals.live
    .filter(({ covered }) => covered.some(({ rule }) => rules.has(rule)))
    .flatMap(({ upTo }) => (upTo?.currency === currency ? [upTo.amount] : []));
  if (amounts.length === 0) return null;
  const bounds = findings.flatMap((one) => (approved.includes(one) ? [] : (findBound(one, change) ?? [])));
  const [least] = [...amounts, ...bounds].sort(compare);
  return least === undefined ? null : { amount: least, currency };
}

/** The change of cost up to which a rule is certain not to block; null: it does not depend on the cost, or only warns. */
function findBound({ enforce, outcome, limit }: Finding, evaluated: Decimal): Decimal | null {
  if (enforce === "warn" || outcome === "not_applicable" || "count" in limit) return null;
  if (limit.kind === "when") return limit.needs.some((fact) => COST_FACTS.has(fact)) ? evaluated : null;
  return limit.kind === "increase" ? limit.amount.amount : evaluated;
}

const COST_FACTS: ReadonlySet<FactName> = new Set(["cost", "totals", "modules", "resources", "unit_costs"]);
