import { unreachable } from "../../kernel/errors.ts";
import { effectOf } from "../evaluate.ts";
import { isApprovable, type Verdict } from "../finding.ts";
import type { CheckDecision, Conclusion, Situation } from "../situation.ts";

/** What becomes of the check run: total, one branch per row of the verdict table. Nothing that went wrong passes. */
export function decideCheck(situation: Situation): CheckDecision {
  switch (situation.kind) {
    case "judged":
      return completed(CONCLUSIONS[situation.verdict.kind](situation.verdict));
    case "waiting":
    case "draft":
      return { status: "in_progress" };
    case "deadline_passed":
    case "policy_invalid":
    case "policy_unreadable":
    case "cost_unreadable":
    case "failed":
      return completed("failure");
    case "nothing_expected":
      return completed("success");
    case "no_policy":
      return situation.alwaysCheck ? completed("success") : { status: "none" };
    default:
      return unreachable(situation);
  }
}

const completed = (conclusion: Conclusion): CheckDecision => ({ status: "completed", conclusion });

const CONCLUSIONS: { readonly [kind in Verdict["kind"]]: (verdict: Verdict) => Conclusion } = {
  pass: () => "success",
  warn: () => "neutral",
  block: (verdict) => (onlyApprovalsAreMissing(verdict) ? "action_required" : "failure"),
  undecided: () => "failure",
};

/** Whether signatures alone would open the gate: nothing is undecided, and all that blocks can be signed for. */
function onlyApprovalsAreMissing({ findings }: Verdict): boolean {
  const blocking = findings.filter((finding) => ["block", "undecided"].includes(effectOf(finding)));
  return (
    blocking.length > 0 && blocking.every((finding) => effectOf(finding) === "block" && isApprovable(finding))
  );
}
