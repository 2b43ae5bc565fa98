import type { Reaction } from "../../github/reactions/add-reaction.ts";
import type { ApprovalSubmission } from "../../policy/approvals/give-approval.ts";
import type { Approval } from "../../policy/model/approval.ts";
import type { CommandAnswer } from "../../render/render-answer.ts";
import type { ApprovalEnd, EndedApproval, StoredApproval } from "../../store/approvals/approvals.ts";
import type { CommandSource } from "../../store/approvals/commands.ts";
import type { OverrideChanges } from "../../store/approvals/overrides.ts";
import type { ApprovalRecord, OverrideRecord } from "../../store/audit/decision-record.ts";
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
