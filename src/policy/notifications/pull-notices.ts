import type { PullKey } from "../../kernel/ids.ts";
import { decideEffect } from "../evaluate/evaluate-policy.ts";
import type { Evaluation } from "../model/evaluation.ts";
import type { Finding } from "../model/finding.ts";
import type { CheckDecision } from "../model/situation.ts";
import type {
  Notice,
  NoticeChange,
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

export const buildNotifiedPull = (
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
  if (situation.kind !== "evaluated" || situation.verdict.kind !== "block" || isPassing(check)) return null;
  const { rules, moreRules } = listBlockingRules(evaluation);
  const ids = listBlockingFindings(evaluation).map(({ rule }) => rule);
  return {
    key: JSON.stringify([...new Set(ids)].toSorted()),
    notification: { event: "blocked", ...about, rules, moreRules },
  };
}

/** A verdict that blocks does not hold a pull request that was approved or overridden. */
const isPassing = (check: CheckDecision): boolean =>
  check.status === "completed" && ["success", "neutral"].includes(check.conclusion);

const listBlockingFindings = ({ situation }: Evaluation): readonly Finding[] =>
  "verdict" in situation
    ? (situation.verdict?.findings ?? []).filter((finding) => decideEffect(finding) === "block")
    : [];

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
  return { measured: { amount: measured.amount, currency: measured.currency }, limit: limit.amount };
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
    const spec = findings.find((finding) => finding.rule === rule)?.approve ?? null;
    return groups.flatMap(({ group, lacks }): readonly NotifiedApprovers[] => {
      const members = spec?.groups[group];
      if (members === undefined) return [];
      const { teams, users, permission } = members;
      return [{ rule, teams, users, permission, lacks }];
    });
  });
}

function findApproved(evaluation: Evaluation, about: About): NoticeChange | null {
  const { check, approvals } = evaluation;
  const passes =
    check.status === "completed" && (check.conclusion === "success" || check.conclusion === "neutral");
  if (!passes || approvals.live.length === 0) return null;
  const given = approvals.live.map(({ approver, upTo }) => ({
    approver: approver.login,
    upTo: evaluation.pull.figures ? upTo : null,
  }));
  return {
    key: JSON.stringify(approvals.live.map(({ id }) => id).toSorted()),
    notification: { event: "approved", ...about, approvals: given.slice(0, MAX_RULES) },
  };
}
