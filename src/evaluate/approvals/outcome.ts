import type { Reaction } from "../../github/reactions/add-reaction.ts";
import type { ApprovalSubmission } from "../../policy/approvals/give-approval.ts";
import type { Approval } from "../../policy/model/approval.ts";
import type { CommandAnswer } from "../../render/answers/answer.ts";
import type { ApprovalEnd, EndedApproval, StoredApproval } from "../../store/approvals/approvals.ts";
import type { CommandSource } from "../../store/approvals/commands.ts";
import type { ApprovalRecord } from "../../store/audit/decisions.ts";
import type { ApprovalBasis } from "./approval-basis.ts";

/** The result of one command, or of the check of one approval. Nothing is saved yet. */
export interface CommandOutcome {
  readonly handled: readonly CommandReply[];
  readonly given: readonly StoredApproval[];
  readonly ended: readonly EndedApproval[];
  readonly records: readonly ApprovalRecord[];
  /** Whether somebody requested a re-check. */
  readonly recheck: boolean;
  /** Whether more commands wait than this evaluation read. */
  readonly more: boolean;
}

export interface CommandReply {
  readonly asked: CommandSource;
  readonly reaction: Reaction | null;
  readonly answer: CommandAnswer | null;
}

export const NO_OUTCOME: CommandOutcome = {
  handled: [],
  given: [],
  ended: [],
  records: [],
  recheck: false,
  more: false,
};

export const mergeOutcomes = (outcomes: readonly CommandOutcome[]): CommandOutcome => ({
  handled: outcomes.flatMap(({ handled }) => handled),
  given: outcomes.flatMap(({ given }) => given),
  ended: outcomes.flatMap(({ ended }) => ended),
  records: outcomes.flatMap(({ records }) => records),
  recheck: outcomes.some(({ recheck }) => recheck),
  more: outcomes.some(({ more }) => more),
});

/** Returns the end of an approval, with its record for the decision chain. */
export function buildEnding(at: ApprovalBasis, approval: Approval, end: ApprovalEnd): CommandOutcome {
  const record = buildApprovalRecord(
    at,
    { ...approval, rules: approval.covered.map(({ rule }) => rule) },
    { turn: end.how, why: end.why },
  );
  return { ...NO_OUTCOME, ended: [{ id: approval.id, ...end }], records: [record] };
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
