import { computePercentChange } from "../kernel/money.ts";
import type { CostAfterMerge } from "../policy/model/evaluation.ts";
import type { Notice } from "../policy/notifications/notification.ts";
import {
  formatPullSubject,
  listBlockingRules,
  listClosedNotices,
  listNotifiedChanges,
} from "../policy/notifications/pull-notices.ts";
import { formatDecision } from "../store/evaluations.ts";
import { loadPolicy } from "./load-policy.ts";
import { listChoices, notifyTargets, readLabels } from "./notify.ts";
import type { CurrentHead } from "./run/deps.ts";

/**
 * Tells targets that a pull request was merged although its check did not allow it. Earlier notifications about the
 * open pull request are forgotten: if it is opened again, targets are notified again.
 */
export async function notifyClosed(current: CurrentHead): Promise<void> {
  await tell(current, (hasPolicy) => {
    const change = hasPolicy ? findUnallowedMerge(current) : null;
    const subject = formatPullSubject("merged-over-check", current.run.key);
    return [...listClosedNotices(current.run.key), { event: "merged-over-check", subject, change }];
  });
}

/** Tells targets what a merged pull request actually costs. Which difference is worth telling is theirs to say. */
export async function notifyComparison(
  current: CurrentHead,
  { days, totals }: CostAfterMerge,
): Promise<void> {
  await tell(current, () => {
    const compared = totals.map(({ currency, estimated, actual }) => ({
      ...{ currency, estimated, actual },
      percent: computePercentChange(estimated, actual),
    }));
    const notification = {
      event: "estimate-off",
      pull: buildPull(current),
      days,
      totals: compared,
    } as const;
    const subject = formatPullSubject("estimate-off", current.run.key);
    return [{ event: "estimate-off", subject, change: { key: "compared", notification } }];
  });
}

/** The policy is only read where somebody may be notified. */
async function tell(current: CurrentHead, list: (hasPolicy: boolean) => readonly Notice[]): Promise<void> {
  const { run, head } = current;
  if (run.deps.operator.targets.length === 0) return;
  const { policy } = await loadPolicy(current);
  const { ownerId } = head.repository;
  const repository = { repositoryId: run.key.repositoryId, ownerId, choices: listChoices(policy) };
  await notifyTargets(run.deps, repository, { notices: list(policy.state !== "none"), fence: run.fence });
}

const buildPull = (current: CurrentHead) => {
  const { repository, pull } = current.head;
  const { title, author } = readLabels(current);
  return { repository: `${repository.owner}/${repository.name}`, number: pull.number, title, author };
};

/** The merge of a head whose check was missing or did not allow it; null: it was allowed, or is none. */
function findUnallowedMerge(current: CurrentHead): Notice["change"] {
  const { head, before } = current;
  const { headSha, state } = head.pull;
  if (state !== "merged" || before?.evaluation.check.status === "none") return null;
  const evaluation = before?.evaluation.pull.headSha === headSha ? before.evaluation : null;
  const check = evaluation === null ? "missing" : formatDecision(evaluation.check);
  if (check === "success" || check === "neutral") return null;
  const notification = {
    event: "merged-over-check",
    pull: buildPull(current),
    changes: evaluation === null ? null : listNotifiedChanges(evaluation),
    check,
    ...(evaluation === null ? { rules: [], moreRules: 0 } : listBlockingRules(evaluation)),
  } as const;
  return { key: headSha, notification };
}
