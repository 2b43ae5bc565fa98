import type { HeadState } from "../../github/head/head-state.ts";
import { figuresOf, groundOf } from "../../policy/approvals/ground.ts";
import type { RuleFindings } from "../../policy/approvals/lapse.ts";
import type { EvaluationContext } from "../../policy/model/context.ts";
import type { Verdict } from "../../policy/model/finding.ts";
import type { LoadedPolicy } from "../../policy/model/loaded-policy.ts";
import type { Policy } from "../../policy/model/policy.ts";
import type { Situation } from "../../policy/model/situation.ts";
import type { Report } from "../../report/model/report.ts";
import { ownerOf } from "../policy/policy-files.ts";
import type { JobDeps } from "../run/deps.ts";

/** A head as it is judged, before any signature is looked at. */
export interface ApprovalBasis {
  readonly head: HeadState;
  readonly policy: LoadedPolicy;
  readonly report: Report;
  readonly context: EvaluationContext;
  readonly situation: Situation;
  /** See `SignPlace.evaluatedMs`. */
  readonly evaluatedMs: number | null;
}

/** The verdict that can be signed; null: there is none. */
export const verdictAt = ({ situation }: ApprovalBasis): Verdict | null =>
  "verdict" in situation ? situation.verdict : null;

/** What signatures are held against; null while nothing can be judged, which ends none of them. */
export async function findingsAt(
  deps: Pick<JobDeps, "policies">,
  at: ApprovalBasis,
  contributors: ReadonlySet<number> | null,
): Promise<RuleFindings | null> {
  const { policy, report, head } = at;
  if (policy.state !== "found") return null;
  const verdict = verdictAt(at) ?? (await unreadVerdict(deps, at, policy.policy));
  if (verdict === null) return null;
  const standing = {
    baseRef: head.pull.baseRef,
    ground: groundOf(report),
    figures: figuresOf(report),
    contributors,
  };
  return { rules: policy.policy.rules, findings: verdict.findings, standing };
}

/** What stayed unread after every try is unknown: approvals that rest on it end. */
async function unreadVerdict(
  { policies }: Pick<JobDeps, "policies">,
  { head, situation, report, context }: ApprovalBasis,
  policy: Policy,
): Promise<Verdict | null> {
  if (situation.kind !== "cost_unreadable" && situation.kind !== "execution_unreadable") return null;
  const given = { report, policy, context };
  return policies.inForce({ kind: "evaluate", given, owner: ownerOf(head.repository.id) });
}
