import type { ApprovalRefusal } from "../../policy/model/approval-refusal.ts";

/** What is wrong with a command; `found` is what was written, not escaped. */
export type CommandProblemAnswer =
  | { readonly kind: "several"; readonly count: number }
  | { readonly kind: "unknown_verb" | "sha" | "amount"; readonly found: string }
  | { readonly kind: "extra_words"; readonly verb: string; readonly found: string }
  | { readonly kind: "reason" | "not_plain" | "too_long" };

/** What a person who asked is told, where a reaction is not enough. */
export type CommandAnswer =
  | { readonly kind: "help" }
  | { readonly kind: "malformed"; readonly problem: CommandProblemAnswer }
  | { readonly kind: "refused"; readonly why: ApprovalRefusal }
  | { readonly kind: "nothing_to_revoke" }
  /** Null: every rule that is not simply met. */
  | { readonly kind: "explain"; readonly rule: string | null };
