import { readCommand } from "../../../github/commands/read-command.ts";
import type { Said, Written } from "../../../github/people/written.ts";
import type { Refusal } from "../../../policy/approvals/refusal.ts";
import type { Asked } from "../../../store/approvals/commands.ts";

/** What was said to sign longer ago, in ms, was said of what the pull request was then. */
const LATE_MS = 3_600_000;

interface Saying {
  readonly asked: Asked;
  readonly written: Written;
  readonly signer: { readonly id: number };
}

/**
 * Why a wish to sign comes too late; null: it does not. It may have waited (the pull request was closed, deliveries were late), and
 * deliveries come in any order: what its signer took back after writing it is not signed.
 */
export function tooLate(wish: Saying, said: readonly Said[], nowMs: number): Refusal | null {
  const { createdMs } = wish.written;
  if (createdMs !== null && nowMs - createdMs > LATE_MS) return { kind: "late" };
  return said.some((one) => takesBack(one, wish.signer.id) && isAfter(one, wish))
    ? { kind: "taken_back" }
    : null;
}

/** Whether somebody takes their signatures back with it. */
export function takesBack({ author, body }: Said, signerId: number): boolean {
  if (author?.id !== signerId) return false;
  const read = readCommand(body);
  return read.state === "command" && read.command.verb === "revoke";
}

/** Comments are numbered in their order; beside a review, GitHub's whole seconds are all there is. */
function isAfter(one: Said, { asked, written }: Saying): boolean {
  if (asked.source === "comment") return one.id > asked.sourceId;
  return one.createdMs !== null && one.createdMs >= (written.createdMs ?? 0);
}
