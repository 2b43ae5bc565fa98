import { readCommand, splitReason } from "../../src/github/commands/read-command.ts";
import { applyApprovals } from "../../src/policy/approvals/apply-approvals.ts";
import {
  applyObjections,
  findObjection,
  selectObjectionRules,
} from "../../src/policy/approvals/apply-objections.ts";
import { findFileOwners } from "../../src/policy/approvals/code-owners.ts";
import { giveApproval } from "../../src/policy/approvals/give-approval.ts";
import { findOverrideEnd, giveOverride } from "../../src/policy/approvals/give-override.ts";
import { decideCheck, determineHold } from "../../src/policy/decide-check.ts";

/** What decides, as it really is; a mutant replaces a part of it. */
export const CORE = {
  readCommand,
  splitReason,
  findFileOwners,
  giveApproval,
  applyApprovals,
  selectObjectionRules,
  findObjection,
  applyObjections,
  decideCheck,
  determineHold,
  giveOverride,
  findOverrideEnd,
};

export type Core = typeof CORE;
