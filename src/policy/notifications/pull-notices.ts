import { DAY_MS } from "../../kernel/clock.ts";
import type { PullKey } from "../../kernel/ids.ts";
import { toIsoDay } from "../../kernel/instant.ts";
import { absolute, compare, type Decimal, decimal, type Money, times, ZERO } from "../../kernel/money.ts";
import type { NotificationEvent } from "../../kernel/notification-events.ts";
import { isPassing } from "../decide-check.ts";
import type { Approval } from "../model/approval.ts";
import type { Evaluation } from "../model/evaluation.ts";
import { decideEffect, type Finding, listRuleGroups } from "../model/finding.ts";
import type { NotifyChoice, Waiver } from "../model/policy.ts";
import { getVerdict } from "../model/situation.ts";
import type {
  Notice,
  NoticeChange,
  Notification,
  NotifiedApprovers,
  NotifiedChange,
  NotifiedPull,
  NotifiedRule,
} from "./notification.ts";

/** Labels of a pull request that its evaluation does not have. */
export interface PullLabels {
  readonly title: string;
  readonly author: string | null;
}

/** Most rules that a message names. */
const MAX_RULES = 8;

/** Names the subjects of a pull request's notices. */
export const formatPullSubject = (event: string, { repositoryId, number }: PullKey): string =>
  `${event} ${repositoryId}#${number}`;

/** The possible notifications about an evaluated pull request: that it is blocked, needs approvals, or has them. */
export function listPullNotices(evaluation: Evaluation, labels: PullLabels): readonly Notice[] {
  const pull = buildNotifiedPull(evaluation, labels);
  const changes = listNotifiedChanges(evaluation);
  const name = (event: Notice["event"]) => ({ event, subject: formatPullSubject(event, evaluation.pull) });
  return [
    { ...name("blocked"), change: findBlocked(evaluation, { pull, changes }) },
    { ...name("approval-needed"), change: findNeededApproval(evaluation, { pull, changes }) },
    { ...name("approved"), change: findApproved(evaluation, { pull, changes }) },
  ];
}

/** There is no notification about the pull request any more. */
export const listClosedNotices = (key: PullKey): readonly Notice[] =>
  (["blocked", "approval-needed", "approved"] as const).map((event) => ({
    event,
    subject: formatPullSubject(event, key),
    change: null,
  }));

const buildNotifiedPull = (
  { pull: { repository, number } }: Evaluation,
  { title, author }: PullLabels,
): NotifiedPull => ({ repository, number, title, author });

/** The monthly change per currency; null: figures are not shown. */
export function listNotifiedChanges({ pull, report }: Evaluation): readonly NotifiedChange[] | null {
  if (!pull.figures) return null;
  return report.totals.map(({ currency, change, state }) => ({
    currency,
    change: state === "known" || state === "partial" ? change : null,
    isPartial: state === "partial",
  }));
}

interface About {
  readonly pull: NotifiedPull;
  readonly changes: readonly NotifiedChange[] | null;
}

function findBlocked(evaluation: Evaluation, about: About): NoticeChange | null {
  const { situation, check } = evaluation;
  // A verdict that blocks does not stop a pull request that was approved or overridden.
  if (situation.kind !== "evaluated" || situation.verdict.kind !== "block" || isPassing(check)) return null;
  const { rules, moreRules } = listBlockingRules(evaluation);
  const ids = listBlockingFindings(evaluation).map(({ rule }) => rule);
  return {
    key: JSON.stringify([...new Set(ids)].toSorted()),
    notification: { event: "blocked", ...about, rules, moreRules },
  };
}

const listBlockingFindings = ({ situation }: Evaluation): readonly Finding[] =>
  (getVerdict(situation)?.findings ?? []).filter((finding) => decideEffect(finding) === "block");

/** The rules that block, at most `MAX_RULES`, and the number of further ones. */
export function listBlockingRules(evaluation: Evaluation): {
  readonly rules: readonly NotifiedRule[];
  readonly moreRules: number;
} {
  const byRule = Map.groupBy(listBlockingFindings(evaluation), ({ rule }) => rule);
  const rules = [...byRule].map(([rule, findings]): NotifiedRule => {
    const [first] = findings;
    const money = findings.length === 1 && first !== undefined ? readMoney(first) : null;
    return { rule, message: first?.message ?? null, money: evaluation.pull.figures ? money : null };
  });
  return { rules: rules.slice(0, MAX_RULES), moreRules: Math.max(0, rules.length - MAX_RULES) };
}

function readMoney({ measured, limit }: Finding): NotifiedRule["money"] {
  if (measured?.kind !== "money" || !("amount" in limit)) return null;
  const { amount, currency } = measured;
  return { measured: { amount, currency }, limit: limit.amount };
}

function findNeededApproval(evaluation: Evaluation, about: About): NoticeChange | null {
  const { check, approvals } = evaluation;
  if (check.status !== "completed" || check.conclusion !== "action_required") return null;
  const approvers = listMissingApprovers(evaluation);
  const missing = approvals.missing.map(({ rule, groups }) => [rule, groups.map(({ group }) => group)]);
  return {
    key: JSON.stringify(missing),
    notification: { event: "approval-needed", ...about, approvers: approvers.slice(0, MAX_RULES) },
    teams: approvers.flatMap(({ teams }) => teams),
  };
}

function listMissingApprovers(evaluation: Evaluation): readonly NotifiedApprovers[] {
  const findings = listBlockingFindings(evaluation);
  return evaluation.approvals.missing.flatMap(({ rule, groups }) => {
    const named = listRuleGroups(findings, rule);
    return groups.flatMap(({ group, lacks }): readonly NotifiedApprovers[] => {
      const own = named[group];
      if (own === undefined) return [];
      const { teams, users, permission } = own;
      return [{ rule, teams, users, permission, lacks }];
    });
  });
}

function findApproved(evaluation: Evaluation, about: About): NoticeChange | null {
  const { check, approvals } = evaluation;
  if (!isPassing(check) || approvals.live.length === 0) return null;
  const given = approvals.live.map(({ approver, upTo }) => ({
    approver: approver.login,
    upTo: evaluation.pull.figures ? upTo : null,
  }));
  return {
    key: JSON.stringify(approvals.live.map(({ id }) => id).toSorted()),
    notification: { event: "approved", ...about, approvals: given.slice(0, MAX_RULES) },
  };
}

/** Days before the last day of a temporary approval on which targets are reminded of it. */
const REMINDER_DAYS = [7, 0] as const;

/** When targets are reminded of the end of a temporary approval, in ms since 1970: a week before its last day, and on that day. */
export const listReminders = ({ untilMs }: Pick<Approval, "untilMs">): readonly number[] =>
  untilMs === undefined ? [] : REMINDER_DAYS.map((days) => untilMs - (days + 1) * DAY_MS);

/** That a temporary approval ends: a week before its last day, or on it. */
export interface ApprovalReminder {
  readonly isLastDay: boolean;
  readonly notification: Extract<Notification, { event: "approval-ends" }>;
  readonly notice: Notice;
}

/** The possible reminder of the end of a temporary approval of a merged pull request; null: none is due. */
export function findApprovalReminder(
  approval: Approval,
  { pull, key, figures, nowMs }: Pick<About, "pull"> & { key: PullKey; figures: boolean; nowMs: number },
): ApprovalReminder | null {
  const { id, approver, covered, upTo, untilMs = 0, reason } = approval;
  const due = listReminders(approval).findLastIndex((atMs) => atMs <= nowMs);
  if (due === -1 || nowMs >= untilMs) return null;
  const notification = {
    event: "approval-ends",
    pull,
    approver: approver.login,
    rules: covered.map(({ rule }) => rule).slice(0, MAX_RULES),
    upTo: figures ? upTo : null,
    lastDay: toIsoDay(untilMs - 1),
    reason,
  } as const;
  const subject = `${formatPullSubject("approval-ends", key)} ${id}`;
  const change = { key: `${REMINDER_DAYS[due]}`, notification };
  return {
    isLastDay: REMINDER_DAYS[due] === 0,
    notification,
    notice: { event: "approval-ends", subject, change },
  };
}

/** One of the operator's targets, without the address and the secrets that only its sender needs. */
export interface TargetRules {
  readonly name: string;
  readonly on: ReadonlySet<NotificationEvent>;
  readonly above: Money | null;
  readonly offBy: Decimal;
  /** GitHub's numeric ids; both empty: everything. */
  readonly owners: ReadonlySet<number>;
  readonly repositories: ReadonlySet<number>;
  /** Empty: approvals of every team. */
  readonly teams: ReadonlySet<string>;
  readonly digest: "daily" | "weekly" | "none";
}

/** Whether a target may be notified about a repository. */
export const isCovered = (
  { owners, repositories }: TargetRules,
  { ownerId, repositoryId }: { readonly ownerId: number; readonly repositoryId: number },
): boolean =>
  (owners.size === 0 && repositories.size === 0) || owners.has(ownerId) || repositories.has(repositoryId);

/**
 * Returns the change of which a target is notified, by the operator's own choice or by the organisation's; null: it is notified
 * nothing about the subject.
 */
export function selectChange(
  target: TargetRules,
  choices: readonly NotifyChoice[],
  { event, change }: Notice,
): NoticeChange | null {
  if (change === null) return null;
  const chosen = choices
    .filter((choice) => choice.target === target.name)
    .map(({ on, above, offBy }) => ({
      on: new Set<NotificationEvent>(on),
      above,
      offBy: offBy ?? target.offBy,
    }));
  const isWanted = [target, ...chosen].some(
    (limits) => limits.on.has(event) && isWithin(limits, change.notification),
  );
  return isWanted && isOfTeams(target, change) ? change : null;
}

const isOfTeams = ({ teams }: TargetRules, { teams: missing }: NoticeChange): boolean =>
  teams.size === 0 || missing === undefined || missing.some((team) => teams.has(team));

function isWithin(
  { above, offBy }: Pick<TargetRules, "above" | "offBy">,
  notification: Notification,
): boolean {
  if (notification.event === "blocked") return above === null || isAbove(notification.changes, above);
  if (notification.event !== "estimate-off") return true;
  return notification.totals.some(({ percent }) => percent === null || compare(absolute(percent), offBy) > 0);
}

/**
 * Whether a change is above an amount. What is unknown, not shown, or in another currency counts as above: leaving it out would
 * treat it as zero.
 */
function isAbove(changes: Extract<Notification, { event: "blocked" }>["changes"], above: Money): boolean {
  if (changes === null || changes.length === 0) return true;
  return changes.some(
    ({ currency, change, isPartial }) =>
      isPartial || change === null || currency !== above.currency || compare(change, above.amount) > 0,
  );
}

/** Number of days before the end of a waiver from which targets are notified of it. */
const WAIVER_DAYS = 7;
const THRESHOLDS = [
  { reached: 80, share: decimal("0.8") },
  { reached: 100, share: decimal("1") },
] as const;

/**
 * The possible notifications about the budgets that an evaluation measured. Targets are notified of a threshold once a month, or once in the budget's period,
 * and once per limit, and of the highest one that is reached: 100 % says all that 80 % does.
 */
export function listBudgetNotices(
  { situation, pull, context }: Evaluation,
  nowMs: number,
): readonly Notice[] {
  if (!pull.figures) return [];
  const month = new Date(nowMs).toISOString().slice(0, 7);
  return (getVerdict(situation)?.findings ?? []).flatMap(({ limit, measured, rule }): readonly Notice[] => {
    if (limit.kind !== "budget" || measured?.kind !== "money") return [];
    const { kind: _, ...used } = measured;
    const { amount, currency } = limit.amount;
    const highest = THRESHOLDS.findLast(
      ({ share }) => compare(amount, ZERO) > 0 && compare(used.amount, times(amount, share)) >= 0,
    );
    if (used.currency !== currency || highest === undefined) return [];
    const { reached } = highest;
    const { repository } = pull;
    const period = context.budgetUse?.periods?.find(({ unit }) => unit === limit.period);
    const time = period === undefined ? month : `${period.unit} ${period.from}`;
    const notification = {
      event: "budget",
      repository,
      budget: rule,
      reached,
      used,
      limit: limit.amount,
      ...(period && { lastDay: period.to }),
    } as const;
    const subject = `budget ${pull.repositoryId} ${rule} ${reached}`;
    return [{ event: "budget", subject, change: { key: `${time} ${amount} ${currency}`, notification } }];
  });
}

/** The possible notifications about the waivers in force that end within a week; a waiver with another last day is a new one. */
export function listWaiverNotices(
  { pull }: Pick<Evaluation, "pull">,
  waivers: readonly Waiver[],
  nowMs: number,
): readonly Notice[] {
  const ending = waivers.filter(({ untilMs }) => untilMs > nowMs && untilMs - nowMs <= WAIVER_DAYS * DAY_MS);
  return ending.map(({ rule, scope, untilMs, reason, owner }) => {
    const lastDay = toIsoDay(untilMs - 1);
    const notification = {
      event: "waiver-expiring",
      repository: pull.repository,
      rule,
      lastDay,
      reason,
      owner,
    } as const;
    const subject = `waiver ${pull.repositoryId} ${rule} ${JSON.stringify([scope, owner, reason])}`;
    return { event: "waiver-expiring", subject, change: { key: lastDay, notification } };
  });
}
