import type { LoadedPolicy } from "../../policy/model/loaded-policy.ts";
import type { NotifyChoice } from "../../policy/model/policy.ts";
import {
  listBudgetNotices,
  listPullNotices,
  listWaiverNotices,
  type PullLabels,
} from "../../policy/notifications/pull-notices.ts";
import type { Decision } from "../decide.ts";
import type { CurrentHead } from "../run/pull-run.ts";
import { notifyTargets } from "./notify-targets.ts";

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
