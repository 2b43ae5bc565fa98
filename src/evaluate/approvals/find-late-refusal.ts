import { readCommand } from "../../github/commands/read-command.ts";
import type { PersonComment, PersonText } from "../../github/people/person-text.ts";
import type { CommandSource } from "../../store/approvals/commands.ts";

/** Age in ms from which an approve or override command refers to an earlier state of the pull request. */
const LATE_MS = 3_600_000;

interface PersonCommand {
  readonly commandSource: CommandSource;
  readonly text: PersonText;
  readonly approver: { readonly id: number };
}

/**
 * Returns why an approve or override command is too late; null: it is not. It may have waited because the pull request
 * was closed or deliveries were late. Deliveries also come in any order: a command that its author revoked
 * later has no effect.
 */
export function findLateRefusal(
  command: PersonCommand,
  comments: readonly PersonComment[],
  nowMs: number,
): "late" | "taken_back" | null {
  const { createdMs } = command.text;
  if (createdMs !== null && nowMs - createdMs > LATE_MS) return "late";
  return comments.some((one) => isRevocation(one, command.approver.id) && isAfter(one, command))
    ? "taken_back"
    : null;
}

/** Whether the comment revokes its author's approvals. */
export function isRevocation({ author, body }: PersonComment, approverId: number): boolean {
  if (author?.id !== approverId) return false;
  const read = readCommand(body);
  return read.state === "command" && read.command.verb === "revoke";
}

/**
 * Whether a comment is later than the command. Ids order comments; a comment and a review can only be ordered
 * by GitHub's whole seconds.
 */
function isAfter(one: PersonComment, { commandSource, text }: PersonCommand): boolean {
  if (commandSource.source === "comment") return one.id > commandSource.sourceId;
  return one.createdMs !== null && one.createdMs >= (text.createdMs ?? 0);
}
