import { applyApprovals } from "../../policy/approvals/apply-approvals.ts";
import { selectApprovableContent } from "../../policy/approvals/lapse.ts";
import { type Approval, type Approvals, NO_APPROVALS } from "../../policy/model/approval.ts";
import type { Situation } from "../../policy/model/situation.ts";
import { computeDigest } from "../publish/digest.ts";
import type { PullRun } from "../run/pull-run.ts";
import { answerCommand } from "./answer-command.ts";
import { type ApprovalBasis, evaluateFindings, getVerdict } from "./approval-basis.ts";
import { findUnauthorized } from "./find-unauthorized.ts";
import { buildEnding, type CommandOutcome, mergeOutcomes, NO_OUTCOME } from "./outcome.ts";
import type { ApprovalState } from "./read-state.ts";
import { findRevocation } from "./revocation.ts";

/** The situation with approvals, and the outcome of commands and of ended approvals. */
export interface ApprovalResult {
  readonly situation: Situation;
  readonly approvals: Approvals;
  readonly outcome: CommandOutcome;
  /** Digest of the approvable findings; null: there is no verdict. */
  readonly approvableDigest: string | null;
}

/** Checks every approval and answers every waiting command, in their order. Writes nothing. */
export async function decideApprovals(
  run: PullRun,
  basis: ApprovalBasis,
  state: ApprovalState,
): Promise<ApprovalResult> {
  const findings = await evaluateFindings(run.deps, basis, state.contributors);
  const rechecked = recheckApprovals(basis, state);
  const out =
    findings === null ? [] : await findUnauthorized(run, rechecked.inForce, { basis, findings, state });
  const outgoing = out.map((approval) => ({ approval, why: { kind: "approver_unauthorized" } as const }));
  let inForce = rechecked.inForce.filter((approval) => !out.includes(approval));
  const outcomes: CommandOutcome[] = [
    rechecked.outcome,
    { ...NO_OUTCOME, hasMore: state.hasMore },
    ...buildEndings(basis, outgoing),
  ];
  const { comments } = state;
  for (const commandSource of state.commands) {
    const question = { commandSource, text: state.texts.get(commandSource.nodeId) };
    const outcome = await answerCommand(run, question, { basis, findings, inForce, comments });
    const over = new Set(outcome.endings.map(({ id }) => id));
    inForce = [
      ...inForce.filter(({ id }) => !over.has(id)),
      ...outcome.approvals.map(({ approval }) => approval),
    ];
    outcomes.push(outcome);
  }
  if (findings === null)
    return {
      situation: basis.situation,
      approvals: NO_APPROVALS,
      outcome: mergeOutcomes(outcomes),
      approvableDigest: null,
    };
  const { verdict, approvals } = applyApprovals(inForce, findings);
  const { offer: _, ...held } = approvals; // without a verdict nothing can be approved
  const lapses = buildEndings(basis, approvals.lapsed);
  const lapsed = [...approvals.lapsed, ...outgoing, ...state.lapsed].filter((one) =>
    isWorthShowing(one.approval, approvals),
  );
  const common = { outcome: mergeOutcomes([...outcomes, ...lapses]) };
  if (getVerdict(basis) === null)
    return { ...common, situation: basis.situation, approvals: { ...held, lapsed }, approvableDigest: null };
  return {
    ...common,
    situation: withVerdict(basis.situation, verdict),
    approvals: { ...approvals, lapsed },
    approvableDigest: computeDigest(selectApprovableContent(findings)),
  };
}

const buildEndings = (at: ApprovalBasis, lapsed: Approvals["lapsed"]): readonly CommandOutcome[] =>
  lapsed.map(({ approval, why }) => buildEnding(at, approval, { how: "lapsed", why }));

const withVerdict = (
  situation: Situation,
  verdict: ReturnType<typeof applyApprovals>["verdict"],
): Situation => ("verdict" in situation ? { ...situation, verdict } : situation);

/** Compares each approval with its comment or review as GitHub shows it now. */
function recheckApprovals(
  basis: ApprovalBasis,
  { stored, texts }: ApprovalState,
): { readonly inForce: readonly Approval[]; readonly outcome: CommandOutcome } {
  const rechecked = stored.map((one) => ({
    approval: one.approval,
    why: findRevocation(one, texts.get(one.nodeId)),
  }));
  const revoked = rechecked.flatMap(({ approval, why }) =>
    why === null ? [] : [buildEnding(basis, approval, { how: "revoked", why })],
  );
  return {
    inForce: rechecked.flatMap(({ approval, why }) => (why === null ? [approval] : [])),
    outcome: revoked.length === 0 ? NO_OUTCOME : mergeOutcomes(revoked),
  };
}

/**
 * Whether a lapsed approval is shown: its rules still need an approval, and its approver has not approved
 * again.
 */
const isWorthShowing = ({ approver, covered }: Approval, { live, missing }: Approvals): boolean =>
  !live.some((other) => other.approver.id === approver.id) &&
  covered.some(({ rule }) => missing.some((own) => own.rule === rule));
