import type { People } from "../github/people/read-people.ts";
import {
  type RuleFindings,
  readGround,
  selectApprovableContent,
  serializeFigures,
} from "../policy/approvals/lapse.ts";
import type { Approvals, Override } from "../policy/model/approval.ts";
import type { EvaluationContext } from "../policy/model/context.ts";
import type { Verdict } from "../policy/model/finding.ts";
import type { Policy } from "../policy/model/policy.ts";
import { getVerdict, type Situation } from "../policy/model/situation.ts";
import type { Report } from "../report/model/report.ts";
import type { StoredApproval } from "../store/approvals/approvals.ts";
import type { PendingCommand } from "../store/approvals/commands.ts";
import type { StoredOverride } from "../store/approvals/overrides.ts";
import { computeDigest } from "../store/digest.ts";
import type { CheckPolicy } from "./load-policy.ts";
import type { Objectors } from "./objections.ts";
import { type CurrentHead, canShowFigures } from "./run/deps.ts";

/** A head's evaluation before approvals and overrides: what these are decided on. */
export interface ConsentBasis extends CheckPolicy {
  readonly report: Report;
  readonly context: EvaluationContext;
  readonly situation: Situation;
}

/** The situation with approvals and an override. */
export interface ApprovedSituation {
  readonly situation: Situation;
  readonly approvals: Approvals;
  /** The override that lets the check pass; null: none does. */
  readonly override: Override | null;
  /** Digest of the approvable findings; null: there is no verdict. */
  readonly approvableDigest: string | null;
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
  readonly objectors: Objectors;
}

/**
 * Returns the findings that approvals are compared with; null while there is no verdict: then no approval
 * ends.
 */
export async function evaluateFindings(
  current: CurrentHead,
  basis: ConsentBasis,
  contributors: ReadonlySet<number> | null,
): Promise<RuleFindings | null> {
  const { policy, report } = basis;
  if (policy.state !== "found") return null;
  const verdict =
    getVerdict(basis.situation) ?? (await evaluateUnknownVerdict(current, basis, policy.policy));
  if (verdict === null) return null;
  const ground = {
    baseRef: current.head.pull.baseRef,
    ground: readGround(report),
    figures: serializeFigures(report),
    contributors,
    nowMs: basis.context.nowMs,
  };
  return { rules: policy.policy.rules, findings: verdict.findings, ground };
}

/** Digest of what an approver has to read. A CI job writes it to its check, so hidden figures are no part of it there. */
export const computeApprovableDigest = (
  { deps: { isOneShot, operator }, head }: CurrentHead,
  findings: RuleFindings,
): string => {
  const isRedacted = isOneShot && !canShowFigures(operator, head.repository);
  return computeDigest(selectApprovableContent(findings, isRedacted));
};

/** Returns the verdict in which facts that stay unreadable are unknown: approvals that depend on them end. */
async function evaluateUnknownVerdict(
  { deps, key }: CurrentHead,
  { situation, report, context }: ConsentBasis,
  policy: Policy,
): Promise<Verdict | null> {
  if (situation.kind !== "cost_unreadable" && situation.kind !== "execution_unreadable") return null;
  const input = { report, policy, context };
  return deps.policies.inForce({ kind: "evaluate", input, owner: String(key.repositoryId) });
}

/** The situation with another verdict, where it has one. */
export const withVerdict = (situation: Situation, verdict: Verdict): Situation =>
  "verdict" in situation ? { ...situation, verdict } : situation;

/** The head, base branch and policy that an override counts for. */
export const getOverrideGround = ({ head: { pull } }: CurrentHead, { policy }: ConsentBasis) => ({
  headSha: pull.headSha,
  baseRef: pull.baseRef,
  policy,
});
