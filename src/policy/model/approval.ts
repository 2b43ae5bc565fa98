import type { Money } from "../../kernel/money.ts";
import type { ApprovalRefusal } from "./approval-refusal.ts";
import type { MeasuredValue } from "./finding.ts";

/** A person's approval of the violations of a pull request: given once, checked against every later change. */
export interface Approval {
  /** `comment:<id>` or `review:<id>`: its source on GitHub; editing or deleting the source revokes the approval. */
  readonly id: string;
  readonly approver: Approver;
  /** The head that the approver named, or the head of the review. */
  readonly headSha: string;
  readonly baseRef: string;
  /** Milliseconds since 1970. */
  readonly givenMs: number;
  /** Not escaped. */
  readonly reason: string;
  /** Largest approved amount, as each covered rule measures it; null: no covered rule is about money. */
  readonly upTo: Money | null;
  readonly covered: readonly CoveredRule[];
  /** Every rule that blocked at that time, also those that the approver may not approve: a further one ends the approval. */
  readonly violated: readonly string[];
  /** The stages that the pull request touched at that time. */
  readonly ground: readonly GroundStage[];
  /** Every figure of the report at that time, as one text: an approval of a condition without a count depends on it. */
  readonly figures: string;
}

export interface Approver {
  /** GitHub's numeric id. */
  readonly id: number;
  /** A label. */
  readonly login: string;
}

/** One rule as it was violated when the approval was given. */
export interface CoveredRule {
  readonly rule: string;
  /** The rule at that time, as one text: a changed rule is not covered. */
  readonly wording: string;
  /** The rule's groups to which the approver belongs, by index. */
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

/** Why an approval is no longer in force. A lapsed approval stays lapsed; the approver can approve again. */
export type Lapse =
  | { readonly kind: "retargeted"; readonly from: string; readonly to: string }
  | { readonly kind: "ground_changed" }
  | { readonly kind: "rule_changed"; readonly rule: string }
  | { readonly kind: "other_rule_violated"; readonly rule: string }
  | { readonly kind: "fact_unknown"; readonly rule: string }
  | { readonly kind: "over_amount"; readonly rule: string }
  | { readonly kind: "grown"; readonly rule: string }
  | { readonly kind: "approver_contributed" }
  /** The approver lost write access, or left a group for which they approved. */
  | { readonly kind: "approver_unauthorized" }
  /** The contributors are unknown: there are more commits than GitHub lists. */
  | { readonly kind: "contributors_unknown" };

/** The state of a pull request against which approvals are checked. */
export interface ApprovalGround {
  readonly baseRef: string;
  readonly ground: readonly GroundStage[];
  readonly figures: string;
  /**
   * GitHub ids of its author and of everyone who authored, committed or pushed one of its commits: none of them may approve.
   * Null: not all of them are known, so nobody may approve.
   */
  readonly contributors: ReadonlySet<number> | null;
}

/** The approvals that one rule still requires. */
export interface MissingApproval {
  readonly rule: string;
  /** Incomplete groups of the rule, by index, with the number of approvals that each lacks. */
  readonly groups: readonly { readonly group: number; readonly lacks: number }[];
}

/** The arguments of an approve command after the commit. */
export interface ApprovalCommand {
  /** Empty: every rule that the approver may approve. */
  readonly rules: readonly string[];
  /** Null: no rule of them is about money. */
  readonly upTo: Money | null;
}

/** The approvals that named approvers can give now. */
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

/** The approvals of a pull request as its comment shows them. */
export interface Approvals {
  readonly live: readonly Approval[];
  readonly lapsed: readonly { readonly approval: Approval; readonly why: Lapse }[];
  readonly missing: readonly MissingApproval[];
  /** Absent: there is no verdict that could be approved. */
  readonly offer?: ApprovalOffer;
}

export const NO_APPROVALS: Approvals = { live: [], lapsed: [], missing: [] };
