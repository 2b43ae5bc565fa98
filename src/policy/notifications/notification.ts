import type { Decimal, Money } from "../../kernel/money.ts";

/** The pull request that a notification is about. No name or title is escaped. */
export interface NotifiedPull {
  /** `owner/name`, a label. */
  readonly repository: string;
  readonly number: number;
  readonly title: string;
  /** Login; null: the account was deleted. */
  readonly author: string | null;
}

/** Monthly change in one currency. `change` null: unknown; `isPartial`: parts of it are unknown. */
export interface NotifiedChange {
  readonly currency: string;
  readonly change: Decimal | null;
  readonly isPartial: boolean;
}

/** A rule that blocks, with what it measured where both are money. */
export interface NotifiedRule {
  readonly rule: string;
  /** The policy author's words; null: none. */
  readonly message: string | null;
  /** Null: figures are not shown, or the rule does not limit money. */
  readonly money: { readonly measured: Money; readonly limit: Money } | null;
}

/** A group of a rule that still lacks approvals. */
export interface NotifiedApprovers {
  readonly rule: string;
  readonly teams: readonly string[];
  readonly users: readonly string[];
  readonly permission: string | null;
  /** Number of approvals that the group lacks. */
  readonly lacks: number;
}

interface OfPull {
  readonly pull: NotifiedPull;
  /** One per currency; empty: no cost is known. Null: figures are not shown. */
  readonly changes: readonly NotifiedChange[] | null;
}

/** What went wrong in Tollgate itself. */
export type Trouble =
  /** Evaluations end in an error; this pull request was the last. */
  | { readonly kind: "evaluation"; readonly repository: string | null; readonly number: number | null }
  /** A part that the process needs; `reason` names no address and no secret. */
  | { readonly kind: "part"; readonly part: string; readonly reason: string }
  /** A target could not be notified. */
  | { readonly kind: "target"; readonly target: string; readonly reason: string };

/** The content of a notification; templates word it. Stored as JSON: a change needs a new version in `stored-values.ts`. */
export type Notification =
  | ({
      readonly event: "blocked";
      readonly rules: readonly NotifiedRule[];
      /** Number of further rules. */
      readonly moreRules: number;
    } & OfPull)
  | ({ readonly event: "approval-needed"; readonly approvers: readonly NotifiedApprovers[] } & OfPull)
  | ({
      readonly event: "approved";
      readonly approvals: readonly { readonly approver: string; readonly upTo: Money | null }[];
    } & OfPull)
  | ({
      readonly event: "merged-over-check";
      /** The check at the merge: a conclusion, `in_progress`, or `missing`. */
      readonly check: string;
      readonly rules: readonly NotifiedRule[];
      readonly moreRules: number;
    } & OfPull)
  | {
      readonly event: "estimate-off";
      readonly pull: NotifiedPull;
      /** Days between the merge and the comparison. */
      readonly days: number;
      readonly totals: readonly {
        readonly currency: string;
        readonly estimated: Decimal;
        readonly actual: Decimal;
        /** Null: the estimate was zero. */
        readonly percent: Decimal | null;
      }[];
    }
  | {
      readonly event: "waiver-expiring";
      readonly repository: string;
      readonly rule: string;
      /** `2027-03-31`, the last day on which it applies, in UTC. */
      readonly lastDay: string;
      readonly reason: string;
      readonly owner: string;
    }
  | {
      readonly event: "budget";
      readonly repository: string;
      readonly budget: string;
      readonly reached: 80 | 100;
      readonly used: Money;
      readonly limit: Money;
    }
  | { readonly event: "trouble"; readonly trouble: Trouble }
  /** Sent by `tollgate notify test` alone. */
  | { readonly event: "test"; readonly target: string };

/** A possible notification about a subject. */
export interface Notice {
  readonly event: Exclude<Notification["event"], "test">;
  /** A target is notified once about each change of a subject. */
  readonly subject: string;
  /** What the subject changed to; null: no notification (any more), so that the next change is notified again. */
  readonly change: NoticeChange | null;
}

export interface NoticeChange {
  /** Equal keys are one change. */
  readonly key: string;
  readonly notification: Notification;
  /** Slugs of the teams whose approval is missing; absent: it is no matter of teams. */
  readonly teams?: readonly string[];
}
