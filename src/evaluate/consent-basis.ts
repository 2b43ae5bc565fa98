import type { HeadState } from "../github/head/head-state.ts";
import type { People } from "../github/people/read-people.ts";
import { readGround, serializeFigures } from "../policy/approvals/ground.ts";
import { type RuleFindings, selectApprovableContent } from "../policy/approvals/lapse.ts";
import type { Approvals } from "../policy/model/approval.ts";
import type { EvaluationContext } from "../policy/model/context.ts";
import type { Verdict } from "../policy/model/finding.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import type { Policy } from "../policy/model/policy.ts";
import type { Situation } from "../policy/model/situation.ts";
import type { Report } from "../report/model/report.ts";
import type { StoredApproval } from "../store/approvals/approvals.ts";
import type { PendingCommand } from "../store/approvals/commands.ts";
import type { StoredOverride } from "../store/approvals/overrides.ts";
import { computeDigest } from "./comment-content.ts";
import { canShowFigures, type JobDeps } from "./run/deps.ts";

/** When the approvable findings of a head were first evaluated. */
export interface LastApprovable {
  /** In milliseconds since 1970. */
  readonly evaluatedMs: number;
  readonly digest: string;
}

/** The input of decisions on approvals and overrides: a head's evaluation before approvals. */
export interface ConsentBasis {
  readonly head: HeadState;
  readonly policy: LoadedPolicy;
  readonly report: Report;
  readonly context: EvaluationContext;
  readonly situation: Situation;
  /** The findings that could be approved on this head until now; null: it had no verdict. */
  readonly lastApprovable: LastApprovable | null;
  /**
   * When this head was first evaluated, into this base branch under this policy, in milliseconds since 1970; null: never before.
   */
  readonly evaluatedSince: number | null;
}

/** The approvals, overrides and commands of a pull request before a decision, and their comments as GitHub shows them now. */
export interface ConsentState {
  /** In force so far. */
  readonly approvals: readonly StoredApproval[];
  readonly overrides: readonly StoredOverride[];
  readonly commands: readonly PendingCommand[];
  /** Whether more commands wait than one evaluation reads. */
  readonly hasMore: boolean;
  readonly lapsed: Approvals["lapsed"];
  /** Comments and reviews by global id. */
  readonly texts: People["texts"];
  /** The newest comments, oldest first. */
  readonly comments: People["comments"];
  /** See `ApprovalGround.contributors`. */
  readonly contributors: ReadonlySet<number> | null;
}

/** Returns the verdict that can be approved; null: there is none. */
export const getVerdict = ({ situation }: ConsentBasis): Verdict | null =>
  "verdict" in situation ? situation.verdict : null;

/**
 * Returns the findings that approvals are compared with; null while there is no verdict: then no approval
 * ends.
 */
export async function evaluateFindings(
  deps: Pick<JobDeps, "policies">,
  at: ConsentBasis,
  contributors: ReadonlySet<number> | null,
): Promise<RuleFindings | null> {
  const { policy, report, head } = at;
  if (policy.state !== "found") return null;
  const verdict = getVerdict(at) ?? (await evaluateUnknownVerdict(deps, at, policy.policy));
  if (verdict === null) return null;
  const ground = {
    baseRef: head.pull.baseRef,
    ground: readGround(report),
    figures: serializeFigures(report),
    contributors,
  };
  return { rules: policy.policy.rules, findings: verdict.findings, ground };
}

/** Digest of what an approver has to read. A CI job writes it to its check, so hidden figures are no part of it there. */
export const computeApprovableDigest = (
  { isOneShot, operator }: Pick<JobDeps, "isOneShot" | "operator">,
  { head }: ConsentBasis,
  findings: RuleFindings,
): string => {
  const isRedacted = isOneShot && !canShowFigures(operator, head.repository);
  return computeDigest(selectApprovableContent(findings, isRedacted));
};

/** Returns the verdict in which facts that stay unreadable are unknown: approvals that depend on them end. */
async function evaluateUnknownVerdict(
  { policies }: Pick<JobDeps, "policies">,
  { head, situation, report, context }: ConsentBasis,
  policy: Policy,
): Promise<Verdict | null> {
  if (situation.kind !== "cost_unreadable" && situation.kind !== "execution_unreadable") return null;
  const input = { report, policy, context };
  return policies.inForce({ kind: "evaluate", input, owner: String(head.repository.id) });
}

/** The situation with another verdict, where it has one. */
export const withVerdict = (situation: Situation, verdict: Verdict): Situation =>
  "verdict" in situation ? { ...situation, verdict } : situation;

/** The head, base branch and policy that an override counts for. */
export const getOverrideGround = ({ head: { pull }, policy }: ConsentBasis) => ({
  headSha: pull.headSha,
  baseRef: pull.baseRef,
  policy,
});
