import { z } from "zod";
import { count, decimal, money, texts, type ValueOf } from "../../kernel/schemas.ts";
import { ApplyDifference } from "../model/apply.ts";

/** The pull request that a notification is about. No name or title is escaped. */
const NotifiedPull = z.object({
  /** `owner/name`, a label. */
  repository: z.string(),
  number: z.int(),
  title: z.string(),
  /** Login; null: the account was deleted. */
  author: z.string().nullable(),
});
export type NotifiedPull = ValueOf<typeof NotifiedPull>;

/** Monthly change in one currency. `change` null: unknown; `isPartial`: parts of it are unknown. */
const NotifiedChange = z.object({
  currency: z.string(),
  change: decimal.nullable(),
  isPartial: z.boolean(),
});
export type NotifiedChange = ValueOf<typeof NotifiedChange>;

/** A rule that blocks, with what it measured where both are money. */
const NotifiedRule = z.object({
  rule: z.string(),
  /** The policy author's words; null: none. */
  message: z.string().nullable(),
  /** Null: figures are not shown, or the rule does not limit money. */
  money: z.object({ measured: money, limit: money }).nullable(),
});
export type NotifiedRule = ValueOf<typeof NotifiedRule>;

/** A group of a rule that still lacks approvals. */
const NotifiedApprovers = z.object({
  rule: z.string(),
  teams: texts,
  users: texts,
  permission: z.string().nullable(),
  /** Number of approvals that the group lacks. */
  lacks: count,
});
export type NotifiedApprovers = ValueOf<typeof NotifiedApprovers>;

/** What went wrong in Tollgate itself. */
const Trouble = z.discriminatedUnion("kind", [
  /** Evaluations end in an error; this pull request was the last. */
  z.object({ kind: z.literal("evaluation"), repository: z.string().nullable(), number: z.int().nullable() }),
  /** A part that the process needs; `reason` names no address and no secret. */
  z.object({ kind: z.literal("part"), part: z.string(), reason: z.string() }),
  /** A target could not be notified. */
  z.object({ kind: z.literal("target"), target: z.string(), reason: z.string() }),
]);
export type Trouble = ValueOf<typeof Trouble>;

const ofPull = {
  pull: NotifiedPull,
  /** One per currency; empty: no cost is known. Null: figures are not shown. */
  changes: z.array(NotifiedChange).nullable(),
};
const blockingRules = {
  rules: z.array(NotifiedRule),
  /** Number of further rules. */
  moreRules: count,
};

/** What happened in an organisation in a week; sent to targets with `digest: weekly` alone. Amounts are per month. */
const WeeklyReport = z.object({
  event: z.literal("weekly-report"),
  /** Login. */
  owner: z.string(),
  /** First and last day in UTC, such as `2027-03-31`. */
  from: z.string(),
  to: z.string(),
  merged: z.object({ pulls: count, changes: z.array(NotifiedChange) }),
  /** Open pull requests that rules block, and that lack approvals alone. */
  blocked: count,
  waiting: count,
  /** The approvals for which a pull request waits longest; null: none waits. `since`: a day. */
  longest: z.object({ approver: z.string(), pulls: count, since: z.string() }).nullable(),
  /** `isPartial`: of some pull requests it is unknown. */
  prevented: z.object({ amounts: z.array(money), isPartial: z.boolean() }),
  /** The budgets that are used most. */
  budgets: z.array(
    z.object({
      ...{ repository: z.string(), budget: z.string(), used: money, limit: money },
      /** The last day of the period that the limit is for, in UTC; null: each month. */
      lastDay: z.string().nullable(),
    }),
  ),
  /** The estimated changes that were furthest off. `percent`: of the estimated change. */
  estimates: z.array(
    z.object({ repository: z.string(), number: z.int(), estimated: money, actual: money, percent: decimal }),
  ),
  /** Repositories whose figures are not shown: amounts lack them. */
  hidden: count,
});
export type WeeklyReport = ValueOf<typeof WeeklyReport>;

/** The content of a notification; templates word it. Stored as JSON: a change needs a new version in `stored-values.ts`. */
export const Notification = z.discriminatedUnion("event", [
  z.object({ event: z.literal("blocked"), ...ofPull, ...blockingRules }),
  z.object({ event: z.literal("approval-needed"), ...ofPull, approvers: z.array(NotifiedApprovers) }),
  z.object({
    event: z.literal("approved"),
    ...ofPull,
    approvals: z.array(z.object({ approver: z.string(), upTo: money.nullable() })),
  }),
  z.object({
    event: z.literal("merged-over-check"),
    ...ofPull,
    ...blockingRules,
    /** The check at the merge: a conclusion, `in_progress`, or `missing`. */
    check: z.string(),
  }),
  z.object({
    event: z.literal("apply-refused"),
    pull: NotifiedPull,
    workspace: z.string(),
    /** The token or the CI job that asked. */
    actor: z.string(),
    /** Some of what the apply would do beyond what was evaluated; `more`: number of further differences. */
    differences: z.array(ApplyDifference),
    more: count,
  }),
  z.object({
    event: z.literal("estimate-off"),
    pull: NotifiedPull,
    /** Days between the merge and the comparison. */
    days: z.number(),
    totals: z.array(
      z.object({
        currency: z.string(),
        estimated: decimal,
        actual: decimal,
        /** Before the merge. */
        before: decimal,
        /** The miss in percent of the estimated change. Null: that was zero. */
        percent: decimal.nullable(),
      }),
    ),
  }),
  z.object({
    event: z.literal("approval-ends"),
    pull: NotifiedPull,
    /** A login. */
    approver: z.string(),
    rules: texts,
    /** Null: figures are not shown, or no rule was about money. */
    upTo: money.nullable(),
    /** `2027-03-31`, the last day of what was approved, in UTC. */
    lastDay: z.string(),
    reason: z.string(),
  }),
  z.object({
    event: z.literal("waiver-expiring"),
    repository: z.string(),
    rule: z.string(),
    /** `2027-03-31`, the last day on which it applies, in UTC. */
    lastDay: z.string(),
    reason: z.string(),
    owner: z.string(),
  }),
  z.object({
    event: z.literal("budget"),
    repository: z.string(),
    budget: z.string(),
    reached: z.literal([80, 100]),
    used: money,
    limit: money,
    /** `2027-03-31`, the last day of the period that the limit is for, in UTC; absent: each month. */
    lastDay: z.string().exactOptional(),
  }),
  z.object({ event: z.literal("trouble"), trouble: Trouble }),
  WeeklyReport,
  /** Sent by `tollgate notify test` alone. */
  z.object({ event: z.literal("test"), target: z.string() }),
]);
export type Notification = ValueOf<typeof Notification>;

/** A possible notification about a subject. */
export interface Notice {
  readonly event: Exclude<Notification["event"], "test" | "weekly-report">;
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
