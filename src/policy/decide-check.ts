import { assertNever } from "../kernel/errors.ts";
import { isGlobMatch } from "../kernel/glob.ts";
import type { Approvals, Override } from "./model/approval.ts";
import type { Verdict } from "./model/finding.ts";
import type { Policy } from "./model/policy.ts";
import type { CheckDecision, Conclusion, Situation } from "./model/situation.ts";

type ApprovalOffers = Pick<Approvals, "offer">;

/**
 * Decides the check run: every situation has an outcome, one branch per row of the verdict table. A failure
 * never passes. Action is required where approvals that can be given now open the gate. `override`: the one in force for exactly
 * this head, base branch and policy.
 */
export function decideCheck(
  situation: Situation,
  approvals: ApprovalOffers,
  override: Override | null = null,
): CheckDecision {
  const isOverridden = override !== null && determineHold(situation, approvals) === "held";
  return isOverridden ? completeCheck("success") : decideWithoutOverride(situation, approvals);
}

/** `held`: the check does not pass, and an override would let it pass. `draft`: GitHub merges no draft. */
export type CheckHold = "held" | "draft" | "not_held";

/** Determines whether an override would change the check. Without a valid policy nobody can be named, so nothing is overridden. */
export function determineHold(situation: Situation, approvals: ApprovalOffers): CheckHold {
  if (situation.kind === "draft") return "draft";
  if (!OVERRIDABLE_SITUATIONS.has(situation.kind)) return "not_held";
  return isPassing(decideWithoutOverride(situation, approvals)) ? "not_held" : "held";
}

/** Whether GitHub merges with such a check. */
export const isPassing = (check: CheckDecision): boolean =>
  check.status === "completed" && (check.conclusion === "success" || check.conclusion === "neutral");

/** The situations under a valid policy in which the check may not pass. */
const OVERRIDABLE_SITUATIONS: ReadonlySet<Situation["kind"]> = new Set([
  "evaluated",
  "waiting",
  "deadline_passed",
  "cost_unreadable",
  "execution_unreadable",
  "failed",
]);

function decideWithoutOverride(situation: Situation, { offer }: ApprovalOffers): CheckDecision {
  switch (situation.kind) {
    case "evaluated":
      if (situation.verdict.kind === "block" && offer?.opensGate === true)
        return completeCheck("action_required");
      return completeCheck(CONCLUSIONS[situation.verdict.kind]);
    case "waiting":
    case "draft":
      return { status: "in_progress" };
    case "stack_held":
      return situation.below.every(({ state }) => state === "waiting")
        ? { status: "in_progress" }
        : completeCheck("failure");
    case "deadline_passed":
    case "policy_invalid":
    case "policy_unreadable":
    case "cost_unreadable":
    case "execution_unreadable":
    case "failed":
      return completeCheck("failure");
    case "nothing_expected":
      return completeCheck("success");
    case "no_policy":
      return situation.alwaysCheck ? completeCheck("success") : { status: "none" };
    default:
      return assertNever(situation);
  }
}

const completeCheck = (conclusion: Conclusion): CheckDecision => ({ status: "completed", conclusion });

const CONCLUSIONS: { readonly [kind in Verdict["kind"]]: Conclusion } = {
  pass: "success",
  warn: "neutral",
  block: "failure",
  undecided: "failure",
};

/** The name that belongs to one base branch alone. */
export const formatCheckName = (baseRef: string): string => `tollgate: ${baseRef}`;

/** A name that the default branch's policy gives to the check of a base branch. */
export interface SharedName {
  readonly name: string;
  /** False: only a pattern with `*` or `?` covers the branch, and whoever may push can create such a branch. */
  readonly isExact: boolean;
}

/** Returns the name of the first pattern that matches; null: none does. */
export function findSharedName(
  policy: Pick<Policy, "checkNames"> | null,
  baseRef: string,
): SharedName | null {
  const matching = (policy?.checkNames ?? []).filter(({ branch }) => isGlobMatch(branch, baseRef));
  const [first] = matching;
  if (first === undefined) return null;
  const { name } = first;
  return { name, isExact: matching.some((one) => one.name === name && !/[*?]/.test(one.branch)) };
}

/** The name of the check for a base branch, as long as GitHub requires it there: the policy's, else the branch's own. */
export const resolveCheckName = (policy: Policy | null, baseRef: string): string =>
  findSharedName(policy, baseRef)?.name ?? formatCheckName(baseRef);
