import type { MergeGroup, SandboxPull } from "../../../sandbox/state/records.ts";
import { branchOf } from "../merge-queue.ts";
import { isPassing } from "../shown-check.ts";
import type { Story } from "../story.ts";
import { executionsOf, sumOf } from "./executions.ts";
import { type ExpectedRule, policyOf, type ReadablePolicy } from "./policy.ts";
import { mayPassAlone, mayPassByItself, statesAlone } from "./pull-request.ts";

/** Whether a group may pass, and whether it has to: an approval that could count may have been refused. */
interface PossibleOutcome {
  readonly may: boolean;
  readonly must: boolean;
}

/**
 * The states of a merge group's check that are right when everything has come to rest; null: any, also none. It passes where each
 * queued pull request passes on the very head that the group merges, and all of them together keep the rules that block. An override
 * counts where the pull request is alone.
 */
export function groupStatesAtRest(story: Story, group: MergeGroup): readonly string[] | null {
  const policy = policyOf(story, branchOf(group));
  if (policy === "no policy") return null;
  if (policy === "invalid" || !isAsQueued(story, group)) return ["failure"];
  const { may, must } = passes(story, entriesOf(story, group), policy);
  // It may have failed together with one before it, which is merged now: GitHub removes it from the queue.
  const mayFail = !must || story.actors.queue.isBehindMerged(group);
  return [...(may ? ["success"] : []), ...(mayFail ? ["failure"] : [])];
}

/** The pull requests that GitHub merges with the group: its own, and those queued before them. */
const entriesOf = (story: Story, group: MergeGroup): readonly SandboxPull[] =>
  story.actors.queue
    .upTo(group)
    .flatMap(({ numbers, repositoryId }) =>
      numbers.map((number) => story.github.verbs.pullRequest({ repositoryId, number })),
    );

const isAsQueued = (story: Story, group: MergeGroup): boolean =>
  story.actors.queue.upTo(group).every((one) => story.actors.queue.isAsQueued(one));

function passes(
  story: Story,
  pulls: readonly SandboxPull[],
  { rules, hasBudget }: ReadablePolicy,
): PossibleOutcome {
  const mayPass = pulls.length === 1 ? mayPassAlone : mayPassByItself;
  const may = pulls.every((pull) => mayPass(story, pull));
  const planned = pulls.filter((pull) => executionsOf(story, pull).length > 0);
  const blocking = rules.filter(({ effect }) => effect !== "warn");
  const isTogether = planned.length > 1 && (blocking.length > 0 || hasBudget);
  if (!may || (isTogether && !keepTogether(story, planned, blocking))) return { may: false, must: false };
  return { may, must: pulls.every((pull) => mustPass(story, pull)) };
}

const mustPass = (story: Story, pull: SandboxPull): boolean =>
  statesAlone(story, pull, true)?.every(isPassing) ?? false;

/** Two plans of one workspace have no sum. What was approved or waived in one of them is left out of the sum of the others. */
function keepTogether(story: Story, pulls: readonly SandboxPull[], rules: readonly ExpectedRule[]): boolean {
  const workspaces = pulls.flatMap((pull) => executionsOf(story, pull).map(({ workspace }) => workspace));
  if (new Set(workspaces).size < workspaces.length) return false;
  const costs = pulls.map((pull) => sumOf(executionsOf(story, pull)));
  return rules.every(({ limit, upTo }) => {
    const within = costs.filter((cost) => cost <= limit);
    const total = (of: readonly number[]): number => of.reduce((sum, cost) => sum + cost, 0);
    return total(costs) <= upTo || (within.length < costs.length && total(within) <= upTo);
  });
}
