import type { ApproveCommand, Command } from "../../github/commands/command.ts";
import { amountOfReview, readCommand, splitReason } from "../../github/commands/read-command.ts";
import type { PersonText } from "../../github/people/person-text.ts";
import type { Reaction } from "../../github/reactions/react.ts";
import type { Approver } from "../../policy/model/approval.ts";
import type { CommandAnswer } from "../../render/answers/answer.ts";
import type { CommandSource, PendingCommand } from "../../store/approvals/commands.ts";
import type { PullRun } from "../run/pull-run.ts";
import { type ApprovalContext, approve } from "./approve.ts";
import { type CommandOutcome, ending, NOTHING, together } from "./outcome.ts";

/** Answers a comment or a review. One that was deleted, minimised, or now has another author is no command. */
export function answerCommand(
  run: PullRun,
  { asked, written }: { readonly asked: PendingCommand; readonly written: PersonText | undefined },
  approving: ApprovalContext,
): CommandOutcome | Promise<CommandOutcome> {
  const approver = written?.author ?? null;
  if (written === undefined || written.minimised || approver === null || approver.id !== asked.authorId)
    return silently(asked);
  const question = { asked, written, approver };
  return asked.source === "review" ? onReview(run, question, approving) : onComment(run, question, approving);
}

interface PersonCommand {
  readonly asked: PendingCommand;
  readonly written: PersonText;
  readonly approver: Approver;
}

const reply = (
  asked: CommandSource,
  reaction: Reaction | null,
  answer: CommandAnswer | null,
): CommandOutcome => ({
  ...NOTHING,
  handled: [{ asked, reaction, answer }],
});
const silently = (asked: CommandSource): CommandOutcome => reply(asked, null, null);

/**
 * Commands of one person on one pull request that are answered within an hour, so that commenters on a public repository cannot
 * cause endless writes. An approval can always be revoked.
 */
const MOST_AN_HOUR = 20;

function onComment(
  run: PullRun,
  question: PersonCommand,
  approving: ApprovalContext,
): CommandOutcome | Promise<CommandOutcome> {
  const { asked, written } = question;
  const read = readCommand(written.body);
  if (read.state === "none") return silently(asked);
  const approves = approving.inForce.some((approval) => approval.approver.id === question.approver.id);
  const takesBack = approves && read.state === "command" && read.command.verb === "revoke";
  if (asked.earlier >= MOST_AN_HOUR && !takesBack)
    return reply(asked, asked.earlier === MOST_AN_HOUR ? "confused" : null, null);
  if (written.edited) return reply(asked, "confused", { kind: "refused", why: { kind: "edited" } });
  if (read.state === "malformed")
    return reply(asked, "confused", { kind: "malformed", problem: read.problem });
  return onCommand(run, { ...question, command: read.command }, approving);
}

function onCommand(
  run: PullRun,
  question: PersonCommand & { readonly command: Command },
  approving: ApprovalContext,
): CommandOutcome | Promise<CommandOutcome> {
  const { command, asked } = question;
  switch (command.verb) {
    case "help":
      return reply(asked, "eyes", { kind: "help" });
    case "explain":
      return reply(asked, "eyes", { kind: "explain", rule: command.rule });
    case "recheck":
      return { ...reply(asked, "eyes", null), recheck: true };
    case "revoke":
      return revoke(question, approving);
    case "approve":
      return onApprove(run, { ...question, command }, approving);
  }
}

/** Everybody can revoke their own approvals, whatever their current permission. */
function revoke({ asked, approver }: PersonCommand, { at, inForce }: ApprovalContext): CommandOutcome {
  const own = inForce.filter((approval) => approval.approver.id === approver.id);
  if (own.length === 0) return reply(asked, "confused", { kind: "nothing_to_revoke" });
  const why = { kind: "command" };
  return together([
    reply(asked, "+1", null),
    ...own.map((approval) => ending(at, approval, { how: "revoked", why })),
  ]);
}

function onApprove(
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
    return reply(question.asked, "confused", { kind: "malformed", problem: { kind: "reason" } });
  const { sha, upTo } = command;
  return approve(run, { ...question, sha, rules, upTo, reason }, approving);
}

/** An approving review approves the rules that accept reviews; for other rules it has no effect. */
function onReview(
  run: PullRun,
  question: PersonCommand,
  approving: ApprovalContext,
): CommandOutcome | Promise<CommandOutcome> {
  const { asked, written } = question;
  const counts = approving.findings?.rules.some(({ approve: spec }) => spec?.reviews === true) ?? false;
  const upTo = amountOfReview(written.body);
  const stands = written.approves && !written.overruled && !written.edited;
  if (!counts || !stands || written.commitSha === null || upTo === "unclear") return silently(asked);
  const reason = written.body.trim() === "" ? "an approving review" : written.body.trim();
  return approve(run, { ...question, sha: written.commitSha, rules: [], upTo, reason }, approving);
}
