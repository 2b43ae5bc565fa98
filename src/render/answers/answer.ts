import type { Refusal } from "../../policy/approvals/refusal.ts";

/** What is wrong with a command; `found` is what was written, not escaped. */
export type AnsweredProblem =
  | { readonly kind: "several"; readonly count: number }
  | { readonly kind: "unknown_verb" | "sha" | "amount"; readonly found: string }
  | { readonly kind: "extra_words"; readonly verb: string; readonly found: string }
  | { readonly kind: "reason" | "not_plain" | "too_long" };

/** What a person who asked is told, where a reaction is not enough. */
export type Answer =
  | { readonly kind: "help" }
  | { readonly kind: "malformed"; readonly problem: AnsweredProblem }
  | { readonly kind: "refused"; readonly why: Refusal }
  | { readonly kind: "nothing_to_revoke" }
  /** Null: every rule that is not simply met. */
  | { readonly kind: "explain"; readonly rule: string | null };
