import type { Money } from "../../kernel/money.ts";
import type { ApprovalRefusal } from "./approval-refusal.ts";
import type { MeasuredValue } from "./finding.ts";

/** A person's signature under what a pull request violates: given once, held against everything that changes afterwards. */
export interface Approval {
  /** `comment:<id>` or `review:<id>`: what was written on GitHub, which withdraws it when it is edited or deleted. */
  readonly id: string;
  readonly signer: Approver;
  /** The head that the signer named, or that the review was for. */
  readonly headSha: string;
  readonly baseRef: string;
  /** Milliseconds since 1970. */
  readonly givenMs: number;
  /** Not escaped. */
  readonly reason: string;
  /** Most that may be paid for it, as each covered rule measures it; null: no money is judged by what it covers. */
  readonly upTo: Money | null;
  readonly covered: readonly CoveredRule[];
  /** Every rule that blocked then, also those that the signer may not sign for: one more of them ends the signature. */
  readonly violated: readonly string[];
  /** What the pull request touched when it was given. */
  readonly ground: readonly GroundStage[];
  /** Every figure of the report then, as one text: what a condition without anything to count rests on. */
  readonly figures: string;
}

export interface Approver {
  /** GitHub's numeric id. */
  readonly id: number;
  /** A label. */
  readonly login: string;
}

/** One rule as it was violated when the signature was given. */
export interface CoveredRule {
  readonly rule: string;
  /** The rule's words at that time, as one text: a changed rule was never signed for. */
  readonly wording: string;
  /** Which of the rule's groups the signer belongs to, by their place in the list. */
  readonly groups: readonly number[];
  readonly findings: readonly CoveredFinding[];
}

export interface CoveredFinding {
  readonly subject: string | null;
  readonly measured: MeasuredValue | null;
  readonly items: readonly string[];
}

/** A stage that the pull request touches: currency null while nothing is known about its cost. */
export interface GroundStage {
  readonly stage: string;
  readonly currency: string | null;
}

/** Why a signature no longer holds. Once lapsed it stays so; the signer can sign anew. */
export type Lapse =
  | { readonly kind: "retargeted"; readonly from: string; readonly to: string }
  | { readonly kind: "ground_changed" }
  | { readonly kind: "rule_changed"; readonly rule: string }
  | { readonly kind: "other_rule_violated"; readonly rule: string }
  | { readonly kind: "fact_unknown"; readonly rule: string }
  | { readonly kind: "over_amount"; readonly rule: string }
  | { readonly kind: "grown"; readonly rule: string }
  | { readonly kind: "signer_contributed" }
  /** Less than write access by now, or not in a group any more that was signed for. */
  | { readonly kind: "signer_out" }
  /** Nobody can tell who worked on it: it has more commits than GitHub lists. */
  | { readonly kind: "contributors_unknown" };

/** Where a pull request stands when its signatures are looked at. */
export interface ApprovalGround {
  readonly baseRef: string;
  readonly ground: readonly GroundStage[];
  readonly figures: string;
  /**
   * GitHub ids of its author and of everyone who authored, committed or pushed one of its commits: none of them may sign.
   * Null: not all of them can be known, so nobody may.
   */
  readonly contributors: ReadonlySet<number> | null;
}

/** What is still to be signed for one rule. */
export interface MissingApproval {
  readonly rule: string;
  /** Groups of the rule that are not filled, by their place, with how many signatures each lacks. */
  readonly groups: readonly { readonly group: number; readonly lacks: number }[];
}

/** What an approver writes after the commit. */
export interface ApprovalCommand {
  /** Empty: every rule that the approver may approve. */
  readonly rules: readonly string[];
  /** Null: no rule of them is about money. */
  readonly upTo: Money | null;
}

/** What can be approved now by those whom the rules name. */
export interface ApprovalOffer {
  /** Empty: nothing can be approved. */
  readonly commands: readonly ApprovalCommand[];
  /** The rules that still lack approvals and can be approved. */
  readonly rules: readonly string[];
  /** These approvals alone open the gate. */
  readonly opensGate: boolean;
  /** Why rules that name approvers cannot be approved now; null: they all can. */
  readonly why: ApprovalRefusal["kind"] | null;
}

/** The signatures of a pull request as its comment tells them. */
export interface Approvals {
  readonly live: readonly Approval[];
  readonly lapsed: readonly { readonly approval: Approval; readonly why: Lapse }[];
  readonly missing: readonly MissingApproval[];
  /** Absent: there is no verdict that could be approved; or kept by an older version. */
  readonly offer?: ApprovalOffer;
}

export const NO_APPROVALS: Approvals = { live: [], lapsed: [], missing: [] };
