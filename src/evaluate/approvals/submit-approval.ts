import type { PersonComment, PersonText } from "../../github/people/person-text.ts";
import { toStorableText } from "../../kernel/storable.ts";
import { type ApprovalSubmission, giveApproval } from "../../policy/approvals/give-approval.ts";
import { type RuleFindings, selectApprovableContent } from "../../policy/approvals/lapse.ts";
import type { Approval, Approver } from "../../policy/model/approval.ts";
import type { ApprovalRefusal } from "../../policy/model/approval-refusal.ts";
import type { CommandSource } from "../../store/approvals/commands.ts";
import { computeDigest } from "../publish/digest.ts";
import type { PullRun } from "../run/pull-run.ts";
import { type ApprovalBasis, getVerdict } from "./approval-basis.ts";
import { findLateRefusal } from "./find-late-refusal.ts";
import { type GroupMembership, readGroups, selectBlockingRules } from "./group-membership.ts";
import {
  buildApprovalRecord,
  buildEnding,
  type CommandOutcome,
  mergeOutcomes,
  NO_OUTCOME,
} from "./outcome.ts";

/** Longest reason, in characters; longer ones are cut. */
const MAX_REASON = 500;

/** A person's approve command, as written. */
export interface ApprovalIntent {
  readonly commandSource: CommandSource;
  readonly text: PersonText;
  readonly approver: Approver;
  readonly sha: string;
  readonly rules: readonly string[];
  readonly upTo: ApprovalSubmission["upTo"];
  readonly reason: string;
}

export interface ApprovalContext {
  readonly basis: ApprovalBasis;
  /** Null: there is no verdict now. */
  readonly findings: RuleFindings | null;
  /** Approvals in force before this command. */
  readonly inForce: readonly Approval[];
  /** The newest comments. */
  readonly comments: readonly PersonComment[];
}

/** Accepts an approval, or refuses it with the reason. A review that does not count is no command and gets no answer. */
export async function submitApproval(
  run: PullRun,
  wish: ApprovalIntent,
  approving: ApprovalContext,
): Promise<CommandOutcome> {
  const { basis: at, findings, inForce } = approving;
  const { commandSource: asked, approver, sha, rules, upTo } = wish;
  const reason = toStorableText(wish.reason.slice(0, MAX_REASON)); // the cut may leave half a surrogate pair
  const id = `${asked.source}:${asked.sourceId}`;
  const approvedMs = run.deps.clock.now();
  const createdMs = wish.text.createdMs;
  const request = { id, source: asked.source, approver, sha, rules, upTo, reason, createdMs, approvedMs };
  const late = findLateRefusal(wish, approving.comments, approvedMs);
  if (late !== null) return refuseApproval(at, wish, { request, why: late });
  if (findings === null || getVerdict(at) === null)
    return refuseApproval(at, wish, { request, why: { kind: "not_evaluated" } });
  const groups = await readGroups(run, { head: at.head, approver, rules: selectBlockingRules(findings) });
  if (groups.state !== "known") return refuseApproval(at, wish, { request, why: { kind: "no_permission" } });
  const { getGroups: groupsOf } = groups;
  const { lastApprovable: last } = at;
  // Nobody has seen findings that are new in this evaluation.
  const evaluatedMs =
    last?.digest === computeDigest(selectApprovableContent(findings)) ? last.evaluatedMs : null;
  const { headSha } = at.head.pull;
  const given = giveApproval(request, { ...findings, headSha, evaluatedMs, getGroups: groupsOf });
  if (given.state === "refused")
    return refuseApproval(at, wish, { request, why: adjustRefusal(given.why, groups) });
  const { approval } = given;
  const signed = approval.covered.map(({ rule }) => rule);
  return mergeOutcomes([
    ...findReplacedApprovals(approval, inForce).map((old) =>
      buildEnding(at, old, { how: "revoked", why: { kind: "replaced" } }),
    ),
    {
      ...NO_OUTCOME,
      replies: [{ commandSource: asked, reaction: asked.source === "comment" ? "+1" : null, answer: null }],
      approvals: [{ approval, nodeId: asked.nodeId, bodyDigest: computeDigest(wish.text.body) }],
      records: [buildApprovalRecord(at, { ...request, rules: signed }, { turn: "approved", why: null })],
    },
  ]);
}

/** Names no other approvers when GitHub did not state the members of their groups. */
const adjustRefusal = (why: ApprovalRefusal, { isUnknown: isUnsaid }: GroupMembership): ApprovalRefusal =>
  why.kind === "not_an_approver" && isUnsaid(why.rule) ? { kind: "groups_unknown", rule: why.rule } : why;

/**
 * Returns the earlier approvals that a new one replaces: an approver who approves a rule again approves the
 * new amount, not both.
 */
function findReplacedApprovals(
  { approver, covered }: Approval,
  inForce: readonly Approval[],
): readonly Approval[] {
  const rules = new Set(covered.map(({ rule }) => rule));
  return inForce.filter(
    (old) => old.approver.id === approver.id && old.covered.some(({ rule }) => rules.has(rule)),
  );
}

function refuseApproval(
  at: ApprovalBasis,
  { commandSource: asked }: ApprovalIntent,
  { request, why }: { readonly request: ApprovalSubmission; readonly why: ApprovalRefusal },
): CommandOutcome {
  const isComment = asked.source === "comment";
  return {
    ...NO_OUTCOME,
    replies: [
      {
        commandSource: asked,
        reaction: isComment ? "-1" : null,
        answer: isComment ? { kind: "refused", why } : null,
      },
    ],
    records: [buildApprovalRecord(at, request, { turn: "refused", why })],
  };
}
