import type { ApproveCommand, Command } from "../../github/commands/command.ts";
import { readCommand, readReviewAmount, splitReason } from "../../github/commands/read-command.ts";
import type { PersonText } from "../../github/people/person-text.ts";
import type { Reaction } from "../../github/reactions/add-reaction.ts";
import type { Approver } from "../../policy/model/approval.ts";
import type { Rule } from "../../policy/model/policy.ts";
import type { CommandAnswer } from "../../render/render-answer.ts";
import type { CommandSource, PendingCommand } from "../../store/approvals/commands.ts";
import type { PullRun } from "../run/pull-run.ts";
import { getVerdict } from "./approval-basis.ts";
import { readGroups, selectBlockingRules } from "./group-membership.ts";
import { buildEnding, type CommandOutcome, mergeOutcomes, NO_OUTCOME } from "./outcome.ts";
import { buildOverrideEnding } from "./override-record.ts";
import { type ApprovalContext, submitApproval } from "./submit-approval.ts";
import { submitOverride } from "./submit-override.ts";

/**
 * Answers a comment or a review. A comment that was deleted, minimised, or now has another author is not a
 * command. A comment that takes approvals back does so also when it was minimised or edited: a CI job reads it again each time, and
 * others may do both.
 */
export function answerCommand(
  run: PullRun,
  { commandSource, text }: { readonly commandSource: PendingCommand; readonly text: PersonText | undefined },
  approving: ApprovalContext,
): CommandOutcome | Promise<CommandOutcome> {
  const approver = text?.author ?? null;
  if (text === undefined || approver === null || approver.id !== commandSource.authorId)
    return buildSilentReply(commandSource);
  const question = { commandSource, text, approver };
  if (isTakingBack(question, approving)) return revokeApprovals(run, question, approving);
  if (text.isMinimised) return buildSilentReply(commandSource);
  return commandSource.source === "review"
    ? handleReview(run, question, approving)
    : handleComment(run, question, approving);
}

interface PersonCommand {
  readonly commandSource: PendingCommand;
  readonly text: PersonText;
  readonly approver: Approver;
}

function isTakingBack(
  { commandSource, text, approver }: PersonCommand,
  { inForce, overridesInForce }: ApprovalContext,
): boolean {
  const people = [
    ...inForce.map((approval) => approval.approver),
    ...overridesInForce.map(({ person }) => person),
  ];
  if (commandSource.source === "review" || !people.some(({ id }) => id === approver.id)) return false;
  const read = readCommand(text.body);
  return read.state === "command" && read.command.verb === "revoke";
}

const buildReply = (
  commandSource: CommandSource,
  reaction: Reaction | null,
  answer: CommandAnswer | null,
): CommandOutcome => ({
  ...NO_OUTCOME,
  replies: [{ commandSource, reaction, answer }],
});
const buildSilentReply = (commandSource: CommandSource): CommandOutcome =>
  buildReply(commandSource, null, null);

/**
 * Commands of one person on one pull request that are answered within an hour, so that commenters on a public repository cannot
 * cause endless writes. An approval can always be revoked.
 */
const MAX_PER_HOUR = 20;

function handleComment(
  run: PullRun,
  question: PersonCommand,
  approving: ApprovalContext,
): CommandOutcome | Promise<CommandOutcome> {
  const { commandSource, text } = question;
  const read = readCommand(text.body);
  if (read.state === "none") return buildSilentReply(commandSource);
  if (commandSource.earlier >= MAX_PER_HOUR)
    return buildReply(commandSource, commandSource.earlier === MAX_PER_HOUR ? "confused" : null, null);
  if (text.isEdited)
    return buildReply(commandSource, "confused", { kind: "refused", why: { kind: "edited" } });
  if (read.state === "malformed")
    return buildReply(commandSource, "confused", { kind: "malformed", problem: read.problem });
  return handleCommand(run, { ...question, command: read.command }, approving);
}

function handleCommand(
  run: PullRun,
  question: PersonCommand & { readonly command: Command },
  approving: ApprovalContext,
): CommandOutcome | Promise<CommandOutcome> {
  const { command, commandSource } = question;
  switch (command.verb) {
    case "help":
      return buildReply(commandSource, "eyes", { kind: "help" });
    case "explain":
      return buildReply(commandSource, "eyes", { kind: "explain", rule: command.rule });
    case "recheck":
      return { ...buildReply(commandSource, "eyes", null), recheck: true };
    case "revoke":
      return revokeApprovals(run, question, approving);
    case "override":
      return submitOverride(run, { ...question, command }, approving);
    case "approve":
      return handleApprove(run, { ...question, command }, approving);
  }
}

/** Everybody can revoke their own approvals and overrides, whatever their current permission. */
function revokeApprovals(
  { deps }: PullRun,
  { commandSource, approver }: PersonCommand,
  { basis, inForce, overridesInForce }: ApprovalContext,
): CommandOutcome {
  const own = inForce.filter((approval) => approval.approver.id === approver.id);
  const ownOverrides = overridesInForce.filter(({ person }) => person.id === approver.id);
  if (own.length + ownOverrides.length === 0)
    return buildReply(commandSource, "confused", { kind: "nothing_to_revoke" });
  const why = { kind: "command" } as const;
  return mergeOutcomes([
    buildReply(commandSource, "+1", null),
    ...own.map((approval) => buildEnding(basis, approval, { how: "revoked", why })),
    ...ownOverrides.map((override) => buildOverrideEnding(deps.operator, basis, { override, why })),
  ]);
}

function handleApprove(
  run: PullRun,
  { command, ...question }: PersonCommand & { readonly command: ApproveCommand },
  approving: ApprovalContext,
): CommandOutcome | Promise<CommandOutcome> {
  const known = new Set(approving.findings?.rules.map(({ id }) => id));
  const { rules, reason } =
    command.rules === null
      ? splitReason(command.reason, (name) => known.has(name))
      : { rules: command.rules, reason: command.reason };
  if (reason === "")
    return buildReply(question.commandSource, "confused", { kind: "malformed", problem: { kind: "reason" } });
  const { sha, upTo } = command;
  return submitApproval(run, { ...question, sha, rules, upTo, reason }, approving);
}

/**
 * An approving review approves the rules that accept reviews; for other rules it has no effect. It waits for a verdict. An approver whose
 * review does not count is told why, where something blocks; for everybody else it is a review of the code.
 */
async function handleReview(
  run: PullRun,
  question: PersonCommand,
  approving: ApprovalContext,
): Promise<CommandOutcome> {
  const { basis, findings } = approving;
  const rules = basis.policy.state === "found" ? basis.policy.policy.rules : [];
  const open = rules.filter(({ approve }) => approve?.reviews === true);
  const silent = buildSilentReply(question.commandSource);
  if (open.length === 0 || !question.text.isApproving || question.text.isOverruled) return silent;
  if (findings === null || getVerdict(basis) === null)
    return (await isApprover(run, question, { basis, rules: open })) ? NO_OUTCOME : silent;
  const outcome = await decideReview(run, question, approving);
  const isTold =
    outcome.approvals.length === 0 &&
    !run.deps.isOneShot &&
    selectBlockingRules(findings).some(({ id }) => open.some((rule) => rule.id === id)) &&
    (await isApprover(run, question, { basis, rules: open }));
  return isTold ? outcome : { ...outcome, replies: silent.replies };
}

function decideReview(
  run: PullRun,
  question: PersonCommand,
  approving: ApprovalContext,
): CommandOutcome | Promise<CommandOutcome> {
  const { commandSource, text } = question;
  const { isEdited, commitSha: sha, body } = text;
  if (sha === null) return buildSilentReply(commandSource);
  if (isEdited)
    return buildReply(commandSource, null, { kind: "refused", why: { kind: "edited" }, review: true });
  const upTo = readReviewAmount(body);
  if (upTo !== null && "unclear" in upTo) {
    const problem = { kind: "amount", found: upTo.unclear } as const;
    return buildReply(commandSource, null, { kind: "malformed", problem });
  }
  const reason = body.trim() === "" ? "an approving review" : body.trim();
  return submitApproval(run, { ...question, sha, rules: [], upTo, reason }, approving);
}

/** Whether the person may approve one of these rules, and no more than a few of their reviews wait. */
async function isApprover(
  run: PullRun,
  { approver, commandSource }: PersonCommand,
  { basis, rules }: { readonly basis: ApprovalContext["basis"]; readonly rules: readonly Rule[] },
): Promise<boolean> {
  if (commandSource.earlier >= MAX_WAITING) return false;
  const groups = await readGroups(run, { head: basis.head, approver, rules });
  return groups.state === "known" && rules.some((rule) => groups.getGroups(rule).length > 0);
}

/** Reviews of one approver within an hour that wait or are answered; further ones still count. */
const MAX_WAITING = 5;
