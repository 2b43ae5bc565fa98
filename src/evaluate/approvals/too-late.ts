import { readCommand } from "../../github/commands/read-command.ts";
import type { PersonComment, PersonText } from "../../github/people/person-text.ts";
import type { ApprovalRefusal } from "../../policy/model/approval-refusal.ts";
import type { CommandSource } from "../../store/approvals/commands.ts";

/** What was said to sign longer ago, in ms, was said of what the pull request was then. */
const LATE_MS = 3_600_000;

interface LateReply {
  readonly asked: CommandSource;
  readonly written: PersonText;
  readonly signer: { readonly id: number };
}

/**
 * Why a wish to sign comes too late; null: it does not. It may have waited (the pull request was closed, deliveries were late), and
 * deliveries come in any order: what its signer took back after writing it is not signed.
 */
export function tooLate(
  wish: LateReply,
  said: readonly PersonComment[],
  nowMs: number,
): ApprovalRefusal | null {
  const { createdMs } = wish.written;
  if (createdMs !== null && nowMs - createdMs > LATE_MS) return { kind: "late" };
  return said.some((one) => isRevocation(one, wish.signer.id) && isAfter(one, wish))
    ? { kind: "taken_back" }
    : null;
}

/** Whether somebody takes their signatures back with it. */
export function isRevocation({ author, body }: PersonComment, approverId: number): boolean {
  if (author?.id !== approverId) return false;
  const read = readCommand(body);
  return read.state === "command" && read.command.verb === "revoke";
}

/** Comments are numbered in their order; beside a review, GitHub's whole seconds are all there is. */
function isAfter(one: PersonComment, { asked, written }: LateReply): boolean {
  if (asked.source === "comment") return one.id > asked.sourceId;
  return one.createdMs !== null && one.createdMs >= (written.createdMs ?? 0);
}
