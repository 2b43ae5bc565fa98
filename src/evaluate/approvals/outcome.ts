import type { Reaction } from "../../github/comments/add-reaction.ts";
import type { ApprovalSubmission } from "../../policy/approvals/give-approval.ts";
import { listOpenFindings } from "../../policy/decide/situation.ts";
import type { Approval, Approver, Override, OverrideEnd } from "../../policy/model/approval.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import { joinPolicyBlobs } from "../../policy/model/loaded-policy.ts";
import { enqueueLane } from "../../queue/queue.ts";
import type { CommandAnswer } from "../../render/render-answer.ts";
import type { ApprovalEnd, EndedApproval, StoredApproval } from "../../store/approvals/approvals.ts";
import { hasChanges, saveApprovalChanges } from "../../store/approvals/approvals.ts";
import type { CommandSource } from "../../store/approvals/commands.ts";
import type { OverrideChanges } from "../../store/approvals/overrides.ts";
import type { ApprovalRecord, OverrideRecord } from "../../store/audit/decision-record.ts";
import { forgetCheckDigests } from "../../store/check-runs.ts";
import { forgetAttempts } from "../../store/pulls.ts";
import { checkCommentsNow } from "../publish/publish-report.ts";
import type { JobDeps, PullRun } from "../run/deps.ts";
import type { ApprovalBasis } from "./approval-basis.ts";

/** The result of one command, or of the check of one approval or override. Nothing is saved yet. */
export interface CommandOutcome extends OverrideChanges {
  readonly replies: readonly CommandReply[];
  readonly approvals: readonly StoredApproval[];
  readonly endings: readonly EndedApproval[];
  readonly records: readonly (ApprovalRecord | OverrideRecord)[];
  /** Whether somebody requested a re-check. */
  readonly recheck: boolean;
  /** Whether more commands wait than this evaluation read. */
  readonly hasMore: boolean;
}

export interface CommandReply {
  readonly commandSource: CommandSource;
  readonly reaction: Reaction | null;
  readonly answer: CommandAnswer | null;
}

export const NO_OUTCOME: CommandOutcome = {
  replies: [],
  approvals: [],
  endings: [],
  overrides: [],
  overrideEndings: [],
  records: [],
  recheck: false,
  hasMore: false,
};

export const mergeOutcomes = (outcomes: readonly CommandOutcome[]): CommandOutcome => ({
  replies: outcomes.flatMap(({ replies }) => replies),
  approvals: outcomes.flatMap(({ approvals }) => approvals),
  endings: outcomes.flatMap(({ endings }) => endings),
  overrides: outcomes.flatMap(({ overrides }) => overrides),
  overrideEndings: outcomes.flatMap(({ overrideEndings }) => overrideEndings),
  records: outcomes.flatMap(({ records }) => records),
  recheck: outcomes.some(({ recheck }) => recheck),
  hasMore: outcomes.some(({ hasMore }) => hasMore),
});

/** Returns the end of an approval, with its record for the decision chain. */
export function buildEnding(at: ApprovalBasis, approval: Approval, end: ApprovalEnd): CommandOutcome {
  const record = buildApprovalRecord(
    at,
    { ...approval, rules: approval.covered.map(({ rule }) => rule) },
    { turn: end.how, why: end.why },
  );
  return { ...NO_OUTCOME, endings: [{ id: approval.id, ...end }], records: [record] };
}

type ApprovalFields = Pick<ApprovalSubmission, "id" | "approver" | "rules" | "upTo" | "reason">;

export function buildApprovalRecord(
  { head, context }: ApprovalBasis,
  { id, approver, rules, upTo, reason }: ApprovalFields,
  { turn, why }: Pick<ApprovalRecord, "turn" | "why">,
): ApprovalRecord {
  return {
    kind: "approval",
    turn,
    approval: id,
    repositoryId: head.repository.id,
    number: context.number,
    headSha: head.pull.headSha,
    baseRef: head.pull.baseRef,
    approver,
    rules,
    upTo,
    reason,
    why,
  };
}

/** Saves the changes to approvals, with the texts of the answers, before anything is published. False: a later evaluation has started. */
export async function saveCommandOutcome(
  run: PullRun,
  evaluation: Evaluation,
  outcome: CommandOutcome,
): Promise<boolean> {
  const { deps, key, fence } = run;
  const replies = outcome.replies.map(({ commandSource, reaction, answer }) => ({
    commandSource,
    reaction,
    answer: answer === null ? null : deps.renderer.answer(answer, evaluation),
  }));
  const changes = { ...outcome, replies, pull: key };
  if (hasChanges(changes)) {
    const now = new Date(deps.clock.now());
    if (!(await saveApprovalChanges(deps.db, changes, { fence, now }))) return false;
  }
  if (outcome.recheck) await resetReads(run, evaluation);
  if (outcome.recheck || outcome.hasMore) await enqueueLane(deps, { kind: "pull", ...key });
  return true;
}

/**
 * Requests a re-check, like the Re-check button: the check is written again, and unknown facts are read
 * again.
 */
async function resetReads({ deps, key }: PullRun, { pull }: Evaluation): Promise<void> {
  await forgetCheckDigests(deps.db, key.repositoryId, pull.headSha);
  await forgetAttempts(deps.db, key.repositoryId, pull.headSha);
  await checkCommentsNow(deps, key);
}

interface OverrideFields {
  readonly id: string;
  readonly person: Approver;
  readonly reason: string;
}

type OperatorFigures = Pick<JobDeps["operator"], "publicFigures">;

/** Returns the record of one turn in the life of an override, with what held the check back at that time. */
export function buildOverrideRecord(
  { publicFigures }: OperatorFigures,
  { head, policy, context, situation }: ApprovalBasis,
  turn: OverrideFields & Pick<OverrideRecord, "turn" | "why">,
): OverrideRecord {
  const figures = head.repository.visibility !== "public" || publicFigures;
  return {
    kind: "override",
    turn: turn.turn,
    override: turn.id,
    repositoryId: head.repository.id,
    number: context.number,
    headSha: head.pull.headSha,
    baseRef: head.pull.baseRef,
    policyBlobs: joinPolicyBlobs(policy),
    person: turn.person,
    reason: turn.reason,
    situation: situation.kind,
    open: listOpenFindings(situation, figures),
    why: turn.why,
  };
}

/** Returns the end of an override, with its record for the decision chain. */
export function buildOverrideEnding(
  operator: OperatorFigures,
  basis: ApprovalBasis,
  { override: { id, person, reason }, why }: { readonly override: Override; readonly why: OverrideEnd },
): CommandOutcome {
  const record = buildOverrideRecord(operator, basis, { id, person, reason, turn: "ended", why });
  return { ...NO_OUTCOME, overrideEndings: [{ id, why }], records: [record] };
}
