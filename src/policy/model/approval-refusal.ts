import type { Money } from "../../kernel/money.ts";

/** Why a signature was not taken. Data only: templates have the words. */
export type ApprovalRefusal =
  /** What was named is not the current head. */
  | { readonly kind: "other_head"; readonly named: string; readonly headSha: string }
  /** The head had no verdict yet when the request was written, so its writer approved something unread. */
  | { readonly kind: "evaluated_later"; readonly headSha: string }
  /** There is no verdict to sign: runs are waited for, there is no policy, or it cannot be read. */
  | { readonly kind: "not_judged" }
  | { readonly kind: "undecided"; readonly rule: string }
  | { readonly kind: "nothing_to_approve" }
  | { readonly kind: "unknown_rule"; readonly rule: string }
  | { readonly kind: "not_violated"; readonly rule: string }
  /** Nobody may sign for it, or not in this way. */
  | { readonly kind: "not_approvable"; readonly rule: string }
  | { readonly kind: "not_a_signer"; readonly rule: string }
  /** GitHub did not say whether the signer is in one of its teams. */
  | { readonly kind: "groups_unknown"; readonly rule: string }
  | { readonly kind: "signer_contributed" }
  | { readonly kind: "contributors_unknown" }
  /** Less than write access to the repository, or GitHub did not say. */
  | { readonly kind: "no_permission" }
  | { readonly kind: "amount_missing"; readonly rule: string; readonly found: Money }
  | { readonly kind: "amount_currency"; readonly rule: string; readonly found: Money }
  | { readonly kind: "amount_too_low"; readonly rule: string; readonly found: Money }
  /** More is violated than is listed by name, so nobody could say what is signed. */
  | { readonly kind: "too_many"; readonly rule: string }
  /** The comment was edited before it was read. */
  | { readonly kind: "edited" }
  /** It was written so long before it was read that it was about something else. */
  | { readonly kind: "late" }
  /** Its signer took their signatures back after writing it. */
  | { readonly kind: "taken_back" };
