import { assertNever } from "../../kernel/errors.ts";
import type { Approvals } from "../model/approval.ts";
import type { Verdict } from "../model/finding.ts";
import type { CheckDecision, Conclusion, Situation } from "../model/situation.ts";

/**
 * Decides the check run: every situation has an outcome, one branch per row of the verdict table. A failure
 * never passes. Action is required where approvals that can be given now open the gate.
 */
export function decideCheck(situation: Situation, { offer }: Pick<Approvals, "offer">): CheckDecision {
  switch (situation.kind) {
    case "evaluated":
      if (situation.verdict.kind === "block" && offer?.opensGate === true)
        return completeCheck("action_required");
      return completeCheck(CONCLUSIONS[situation.verdict.kind]);
    case "waiting":
    case "draft":
      return { status: "in_progress" };
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
