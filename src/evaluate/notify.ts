import { DAY_MS, HOUR_MS } from "../kernel/clock.ts";
import type { PullKey } from "../kernel/ids.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import type { NotifyChoice } from "../policy/model/policy.ts";
import type { Notice } from "../policy/notifications/notification.ts";
import {
  isCovered,
  listBudgetNotices,
  listPullNotices,
  listWaiverNotices,
  type PullLabels,
  selectChange,
  type TargetRules,
} from "../policy/notifications/pull-notices.ts";
import type { Fence } from "../store/database/lanes.ts";
import { recordNotices, type TargetNotice } from "../store/notifications/notices.ts";
import { findRepository } from "../store/repositories.ts";
import type { Decision } from "./decide.ts";
import type { CurrentHead, JobDeps } from "./run/deps.ts";

type NotifyDeps = Pick<JobDeps, "db" | "queue" | "clock" | "operator" | "isOneShot">;

/** The repository that notices are about, with what its organisation's file chooses. */
export interface NotifiedRepository {
  readonly repositoryId: number;
  readonly ownerId: number;
  readonly choices: readonly NotifyChoice[];
}

/**
 * Stores the notifications for each target, and enqueues the sending. Sending is a job of its own, so nothing waits for a target. Without
 * targets, nothing is read or written.
 */
export async function notifyTargets(
  deps: NotifyDeps,
  repository: NotifiedRepository,
  { notices, fence }: { readonly notices: readonly Notice[]; readonly fence: Fence },
): Promise<void> {
  const targets = deps.operator.targets.filter((target) => isCovered(target, repository));
  const nowMs = deps.clock.now();
  const own = targets.flatMap((target) =>
    notices.map((notice): TargetNotice => {
      const change = selectChange(target, repository.choices, notice);
      const { repositoryId } = repository;
      return {
        target: target.name,
        subject: notice.subject,
        change: change && { ...change, repositoryId, digestMs: findDigestMs(target, nowMs) },
      };
    }),
  );
  await store(deps, own, fence);
}

/** Tells the targets of every repository about Tollgate's own trouble: at once, whatever their digest. */
export async function notifyOperators(deps: NotifyDeps, notices: readonly Notice[]): Promise<void> {
  const targets = deps.operator.targets.filter(({ on }) => on.has("trouble"));
  const own = targets.flatMap((target) =>
    notices
      .filter((notice) => !isAboutItself(notice, target))
      .map((notice): TargetNotice => {
        const change = selectChange(target, [], notice);
        return {
          target: target.name,
          subject: notice.subject,
          change: change && { ...change, repositoryId: null, digestMs: null },
        };
      }),
  );
  await store(deps, own, null);
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

/** Time of day of the digests, in ms after midnight in UTC. */
const DIGEST_MS = 8 * HOUR_MS;

/** When the target's next digest is sent, in ms since 1970; null: at once. */
function findDigestMs({ digest }: TargetRules, nowMs: number): number | null {
  if (digest === "none") return null;
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS + DIGEST_MS;
  return nowMs < today ? today : today + DAY_MS;
}

/** Tells targets about a published decision. A draft is not decided yet. */
export async function notifyDecision(
  current: CurrentHead,
  { stored, policy, decidedMs }: Decision,
): Promise<void> {
  const { run, head } = current;
  const { evaluation } = stored;
  const notices = [
    ...(evaluation.pull.draft ? [] : listPullNotices(evaluation, readLabels(current))),
    ...listBudgetNotices(evaluation, decidedMs),
    ...listWaiverNotices(evaluation, policy.state === "found" ? policy.policy.waivers : [], decidedMs),
  ];
  const { ownerId } = head.repository;
  const repository = { repositoryId: run.key.repositoryId, ownerId, choices: listChoices(policy) };
  await notifyTargets(run.deps, repository, { notices, fence: run.fence });
}

/** Which notifications the organisation's file chooses. */
export const listChoices = (policy: LoadedPolicy): readonly NotifyChoice[] =>
  policy.state === "found" ? (policy.policy.notify ?? []) : [];

export const readLabels = ({ head }: CurrentHead): PullLabels => ({
  title: head.pull.title,
  author: head.pull.author?.login ?? null,
});

/** Tells operators that evaluations end in an error: once an hour, however many do. */
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
