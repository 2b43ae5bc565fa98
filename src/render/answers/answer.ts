import type { ApprovalRefusal } from "../../policy/model/approval.ts";
import type { OverrideRefusal } from "../../policy/model/override.ts";

/** A problem of a command; `found` is the written text, not escaped. */
export type CommandProblemAnswer =
  | { readonly kind: "several"; readonly count: number }
  | { readonly kind: "unknown_verb" | "amount"; readonly found: string }
  | { readonly kind: "sha"; readonly verb: "approve" | "override"; readonly found: string }
  | { readonly kind: "extra_words"; readonly verb: string; readonly found: string }
  | { readonly kind: "reason" | "not_plain" | "too_long" };

/** The answer to a command for which a reaction is not enough. */
export type CommandAnswer =
  | { readonly kind: "help" }
  | { readonly kind: "malformed"; readonly problem: CommandProblemAnswer }
  /** `review`: of an approving review. */
  | { readonly kind: "refused"; readonly why: ApprovalRefusal; readonly review?: true }
  | { readonly kind: "override_refused"; readonly why: OverrideRefusal }
  | { readonly kind: "nothing_to_revoke" }
  /** Null: every rule that is violated or undecided. */
  | { readonly kind: "explain"; readonly rule: string | null };
