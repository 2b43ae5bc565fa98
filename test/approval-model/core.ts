import { readCommand, splitReason } from "../../src/github/commands/read-command.ts";
import { applyApprovals } from "../../src/policy/approvals/apply-approvals.ts";
import { giveApproval } from "../../src/policy/approvals/give-approval.ts";
import { findOverrideEnd, giveOverride } from "../../src/policy/approvals/give-override.ts";
import { decideCheck, determineHold } from "../../src/policy/decide-check.ts";

/** What decides, as it really is; a mutant replaces a part of it. */
export const CORE = {
  readCommand,
  splitReason,
  giveApproval,
  applyApprovals,
  decideCheck,
  determineHold,
  giveOverride,
  findOverrideEnd,
  /** Whether an override that ended stays so. */
  endsForGood: true,
  /** Whether an override goes on, given whether its person is still named. */
  mayStayOverridden: (isNamed: boolean): boolean => isNamed,
  /** Whether a delivery about a comment may begin a command. */
  mayBegin: (action: "created" | "edited" | "deleted"): boolean => action === "created",
  /** Whether a comment had its say already. */
  hadItsSay: (isHandled: boolean, _action: "created" | "edited" | "deleted"): boolean => isHandled,
  /** Whether what was delivered is still what stands there. */
  isUnchanged: (delivered: string, stands: string): boolean => delivered === stands,
  /** Whether a delivery about a comment ends what the comment signed. */
  ends: (action: "created" | "edited" | "deleted"): boolean => action !== "created",
  /** Whether a signature that lapsed stays so. */
  lapsesForGood: true,
  /** Whether the check of a head is decided anew when something was delivered. */
  judgesAnew: (kind: "pull" | "comment"): boolean => kind === "pull" || kind === "comment",
};

export type Core = typeof CORE;
