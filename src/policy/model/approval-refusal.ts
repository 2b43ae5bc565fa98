import type { Money } from "../../kernel/money.ts";

/** Why an approval was refused. Data only: templates word it. */
export type ApprovalRefusal =
  /** The named commit is not the current head. */
  | { readonly kind: "other_head"; readonly named: string; readonly headSha: string }
  /** The head had no verdict when the request was written, so its author had seen none. */
  | { readonly kind: "evaluated_later"; readonly headSha: string }
  /** There is no verdict to approve: executions are awaited, there is no policy, or it cannot be read. */
  | { readonly kind: "not_evaluated" }
  | { readonly kind: "undecided"; readonly rule: string }
  | { readonly kind: "nothing_to_approve" }
  | { readonly kind: "unknown_rule"; readonly rule: string }
  | { readonly kind: "not_violated"; readonly rule: string }
  /** Nobody may approve it, or not in this way. */
  | { readonly kind: "not_approvable"; readonly rule: string }
  | { readonly kind: "not_an_approver"; readonly rule: string }
  /** GitHub did not answer whether the approver is in one of its teams. */
  | { readonly kind: "groups_unknown"; readonly rule: string }
  | { readonly kind: "approver_contributed" }
  | { readonly kind: "contributors_unknown" }
  /** Less than write access to the repository, or GitHub did not say. */
  | { readonly kind: "no_permission" }
  | { readonly kind: "amount_missing"; readonly rule: string; readonly found: Money }
  | { readonly kind: "amount_currency"; readonly rule: string; readonly found: Money }
  | { readonly kind: "amount_too_low"; readonly rule: string; readonly found: Money }
  /** More subjects are violated than are listed, so the approval would cover unlisted subjects. */
  | { readonly kind: "too_many"; readonly rule: string }
  /** The comment was edited before it was read. */
  | { readonly kind: "edited" }
  /** It was written too long before it was read. */
  | { readonly kind: "late" }
  /** Its author revoked their approvals after writing it. */
  | { readonly kind: "taken_back" };
