import { HOUR_MS } from "../kernel/clock.ts";
import type { PullKey } from "../kernel/ids.ts";
import { selectDifferences } from "../policy/model/apply.ts";
import type { Approval } from "../policy/model/approval.ts";
import type { CostAfterMerge, Evaluation } from "../policy/model/evaluation.ts";
import { listRuleGroups } from "../policy/model/finding.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import type { Policy } from "../policy/model/policy.ts";
import { getVerdict } from "../policy/model/situation.ts";
import { findDigestMs } from "../policy/notifications/digest-time.ts";
import type { Notice } from "../policy/notifications/notification.ts";
import {
  type ApprovalReminder,
  findApprovalReminder,
  formatPullSubject,
  isCovered,
  listBlockingRules,
  listBudgetNotices,
  listClosedNotices,
  listNotifiedChanges,
  listPullNotices,
  listReminders,
  listWaiverNotices,
  type PullLabels,
  selectChange,
  type TargetRules,
} from "../policy/notifications/pull-notices.ts";
import { formatLaneKey } from "../queue/names.ts";
import { computeMiss } from "../report/accuracy.ts";
import { listApplies } from "../store/after-merge/applies.ts";
import { listApprovalsInForce } from "../store/approvals/approvals.ts";
import { saveReminder } from "../store/approvals/commands.ts";
import type { Fence } from "../store/database/lanes.ts";
import { computeDigest } from "../store/digest.ts";
import { recordNotices, type TargetNotice } from "../store/notifications/notices.ts";
import { findRepository } from "../store/repositories.ts";
import { loadPolicy } from "./load-policy.ts";
import type { Decision } from "./make-decision.ts";
import { type CurrentHead, canShowFigures, findHeadEvaluation, type JobDeps } from "./run/deps.ts";
import { findEarliest } from "./schedule.ts";

type NotifyDeps = Pick<JobDeps, "db" | "queue" | "clock" | "operator" | "isOneShot">;

/**
 * Stores the notifications for each target, and enqueues the sending. Sending is a job of its own, so nothing waits for a target. Without
 * targets, nothing is read or written. The organisation's file chooses which notifications there are.
 */
async function notifyTargets(
  { deps, key, head, fence }: CurrentHead,
  policy: LoadedPolicy,
  notices: readonly Notice[],
): Promise<void> {
  const { repositoryId } = key;
  const { ownerId } = head.repository;
  const choices = policy.state === "found" ? (policy.policy.notify ?? []) : [];
  const targets = deps.operator.targets.filter((target) => isCovered(target, { repositoryId, ownerId }));
  const nowMs = deps.clock.now();
  const own = targets.flatMap((target) => {
    const digestMs = findDigestMs(target.digest, nowMs);
    return notices.map((notice) => toTargetNotice(target, notice, { choices, digestMs }));
  });
  await store(deps, own, fence);
}

/** Notifies the targets of every repository of Tollgate's own trouble: at once, whatever their digest. */
export async function notifyOperators(deps: NotifyDeps, notices: readonly Notice[]): Promise<void> {
  const targets = deps.operator.targets.filter(({ on }) => on.has("trouble"));
  const own = targets.flatMap((target) =>
    notices
      .filter((notice) => !isAboutItself(notice, target))
      .map((notice) => toTargetNotice(target, notice, { choices: [], digestMs: null })),
  );
  await store(deps, own, null);
}

function toTargetNotice(
  target: TargetRules,
  notice: Notice,
  {
    choices,
    digestMs,
  }: { readonly choices: NonNullable<Policy["notify"]>; readonly digestMs: number | null },
): TargetNotice {
  const change = selectChange(target, choices, notice);
  return { target: target.name, subject: notice.subject, change: change && { ...change, digestMs } };
}

/** A target that cannot be notified is not notified of its own trouble. */
function isAboutItself({ change }: Notice, { name }: TargetRules): boolean {
  const notification = change?.notification;
  if (notification?.event !== "trouble") return false;
  return notification.trouble.kind === "target" && notification.trouble.target === name;
}

async function store(
  { db, queue, clock, isOneShot }: NotifyDeps,
  notices: readonly TargetNotice[],
  fence: Fence | null,
): Promise<void> {
  if (isOneShot || notices.length === 0) return;
  const notified = await recordNotices(db, notices, { now: new Date(clock.now()), fence });
  for (const target of notified) await queue.enqueueNotifications(target);
}

/** Notifies targets of a published decision. A draft is not decided yet. */
export async function notifyDecision(
  current: CurrentHead,
  { stored, policy, decidedMs }: Decision,
): Promise<void> {
  const { evaluation } = stored;
  const notices = [
    ...(evaluation.pull.draft ? [] : listPullNotices(evaluation, readLabels(current))),
    ...listBudgetNotices(evaluation, decidedMs),
    ...listWaiverNotices(evaluation, policy.state === "found" ? policy.policy.waivers : [], decidedMs),
  ];
  await notifyTargets(current, policy, notices);
}

const readLabels = ({ head }: CurrentHead): PullLabels => ({
  title: head.pull.title,
  author: head.pull.author?.login ?? null,
});

/** Notifies operators that evaluations end in an error: once an hour, however many do. */
export async function notifyEvaluationTrouble(deps: JobDeps, key: PullKey): Promise<void> {
  const { targets } = deps.operator;
  if (!targets.some(({ on }) => on.has("trouble"))) return;
  const repository = await findRepository(deps.db, key.repositoryId);
  const trouble = {
    kind: "evaluation",
    repository: repository === undefined ? null : `${repository.owner_login}/${repository.name}`,
    number: key.number,
  } as const;
  const hour = Math.floor(deps.clock.now() / HOUR_MS);
  const change = { key: `${hour}`, notification: { event: "trouble", trouble } } as const;
  await notifyOperators(deps, [{ event: "trouble", subject: "trouble evaluation", change }]);
}

/** A merge that the check of its head did not allow. */
export interface UncheckedMerge {
  /** State of the check on GitHub; `missing`: there was none. */
  readonly check: string;
  /** Of the merged head into the base branch; null: there is none. */
  readonly evaluation: Evaluation | null;
}

/**
 * Notifies targets of a merge over the check (null: it was none). Earlier notifications about the
 * open pull request are forgotten: if it is opened again, targets are notified again.
 */
export async function notifyClosed(current: CurrentHead, unchecked: UncheckedMerge | null): Promise<void> {
  await notifyAfterClose(current, () => {
    const change = unchecked && describeUncheckedMerge(current, unchecked);
    const subject = formatPullSubject("merged-over-check", current.key);
    return [...listClosedNotices(current.key), { event: "merged-over-check", subject, change }];
  });
}

/** Most differences that a message names. */
const MAX_DIFFERENCES = 8;

/** Notifies targets of applies that were refused: of each workspace the newest one, unless an accepted one followed. */
export async function notifyRefusedApplies(current: CurrentHead): Promise<void> {
  const { deps, key } = current;
  if (deps.operator.targets.length === 0) return;
  const decided = (await listApplies(deps.db, key)).filter(({ result }) => result.kind !== "undecided");
  const newest = new Map(decided.toReversed().map((one) => [one.stage, one]));
  if (newest.size === 0) return;
  await notifyAfterClose(current, () =>
    [...newest.values()].map(({ stage, workspace, sha, actor, result }): Notice => {
      const subject = `${formatPullSubject("apply-refused", key)} ${stage}`;
      const listed = selectDifferences(result, (all) => all.slice(0, MAX_DIFFERENCES));
      if (listed.kind !== "exceeds") return { event: "apply-refused", subject, change: null };
      const { differences, more } = listed;
      const about = { pull: buildPull(current), workspace, actor, differences, more };
      const notification = { event: "apply-refused", ...about } as const;
      return { event: "apply-refused", subject, change: { key: computeDigest([sha, result]), notification } };
    }),
  );
}

/** Notifies targets of what a merged pull request actually costs. Which difference matters is theirs to say. */
export async function notifyComparison(
  current: CurrentHead,
  { days, totals }: CostAfterMerge,
): Promise<void> {
  await notifyAfterClose(current, () => {
    const compared = totals.flatMap(({ before, ...rest }) => {
      if (before === undefined) return [];
      const total = { before, ...rest };
      return [{ ...total, percent: computeMiss(total).ofChange }];
    });
    const notification = {
      event: "estimate-off",
      pull: buildPull(current),
      days,
      totals: compared,
    } as const;
    const subject = formatPullSubject("estimate-off", current.key);
    return [{ event: "estimate-off", subject, change: { key: "compared", notification } }];
  });
}

/**
 * Reminds targets, and in a comment the approver and the teams that they approved for, that temporary approvals of a merged pull request end.
 * Returns when the next reminder is due, in ms since 1970; null: none is.
 */
export async function notifyApprovalEnds(current: CurrentHead): Promise<number | null> {
  const { deps, key, head } = current;
  const nowMs = deps.clock.now();
  const stored = await listApprovalsInForce(deps.db, key);
  const ending = stored.flatMap(({ approval }) => (approval.untilMs === undefined ? [] : [approval]));
  const figures = canShowFigures(deps.operator, head.repository);
  const place = { pull: buildPull(current), key, figures, nowMs };
  const ends = ending.flatMap((approval) => {
    const end = findApprovalReminder(approval, place);
    return end === null ? [] : [{ ...end, approval }];
  });
  if (ends.length > 0) {
    await notifyAfterClose(current, () => ends.map(({ notice }) => notice));
    await remindApprovers(current, ends);
  }
  return findEarliest(ending.flatMap(listReminders).filter((atMs) => atMs > nowMs));
}

async function remindApprovers(
  current: CurrentHead,
  ends: readonly (ApprovalReminder & { readonly approval: Approval })[],
): Promise<void> {
  const { deps, key, head } = current;
  const evaluation = findHeadEvaluation(current)?.evaluation;
  if (evaluation === undefined) return;
  for (const { approval, isLastDay, notification } of ends) {
    const teams = listApprovedTeams(approval, evaluation).map((slug) => `${head.repository.owner}/${slug}`);
    const answer = deps.renderer.answer(
      { kind: "approval_ends", ...notification, teams, isLastDay },
      evaluation,
    );
    const now = new Date(deps.clock.now());
    await saveReminder(deps.db, key, { approval, isLastDay, answer, now });
  }
  await deps.queue.enqueueComment(formatLaneKey({ kind: "pull", ...key }));
}

/** Slugs of the teams of the groups for which the approver approved. */
function listApprovedTeams({ covered }: Approval, { situation }: Evaluation): readonly string[] {
  const findings = getVerdict(situation)?.findings ?? [];
  const teams = covered.flatMap(({ rule, groups }) => {
    const named = listRuleGroups(findings, rule);
    return groups.flatMap((index) => named[index]?.teams ?? []);
  });
  return [...new Set(teams)];
}

/** The policy is only read where somebody may be notified. */
async function notifyAfterClose(current: CurrentHead, list: () => readonly Notice[]): Promise<void> {
  if (current.deps.operator.targets.length === 0) return;
  const { policy } = await loadPolicy(current);
  await notifyTargets(current, policy, list());
}

const buildPull = (current: CurrentHead) => {
  const { repository, pull } = current.head;
  const { title, author } = readLabels(current);
  return { repository: `${repository.owner}/${repository.name}`, number: pull.number, title, author };
};

function describeUncheckedMerge(
  current: CurrentHead,
  { check, evaluation }: UncheckedMerge,
): Notice["change"] {
  const notification = {
    event: "merged-over-check",
    pull: buildPull(current),
    changes: evaluation === null ? null : listNotifiedChanges(evaluation),
    check,
    ...(evaluation === null ? { rules: [], moreRules: 0 } : listBlockingRules(evaluation)),
  } as const;
  return { key: current.head.pull.headSha, notification };
}
