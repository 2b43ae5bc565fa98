import type { MergeGroup, SandboxPull } from "../../../sandbox/state/records.ts";
import { branchOf } from "../merge-queue.ts";
import { isPassing } from "../shown-check.ts";
import type { PlatformExecution } from "../simulated-platform.ts";
import type { Story } from "../story.ts";
import { executionsOf, sumOf } from "./executions.ts";
import { type ExpectedRule, policyOf, type ReadablePolicy } from "./policy.ts";
import { expectOf, mayPassAlone, mayPassByItself, statesAlone } from "./pull-request.ts";

/** Whether a group may pass, and whether it has to: an approval that could count may have been refused. */
interface PossibleOutcome {
  readonly may: boolean;
  readonly must: boolean;
  /** Whether it may wait for an execution of its own commit. */
  readonly waits?: boolean;
}

/**
 * The states of a merge group's check that are right when everything has come to rest; null: any, also none. It passes where each
 * queued pull request passes on the very head that the group merges, and all of them together keep the rules that block: by the executions of
 * the group's own commit, else by the sum of those of its pull requests. An override counts where the pull request is alone.
 */
export function groupStatesAtRest(story: Story, group: MergeGroup): readonly string[] | null {
  const policy = policyOf(story, branchOf(group));
  if (policy === "no policy") return null;
  if (policy === "invalid" || !isAsQueued(story, group)) return ["failure"];
  const { may, must, waits = false } = passes(story, group, policy);
  // It may have failed together with one before it, which is merged now: GitHub removes it from the queue.
  const mayFail = !must || story.actors.queue.isBehindMerged(group);
  return [...(may ? ["success"] : []), ...(mayFail ? ["failure"] : []), ...(waits ? ["in_progress"] : [])];
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

const FAILS: PossibleOutcome = { may: false, must: false };
const WAITS: PossibleOutcome = { may: false, must: false, waits: true };

function passes(story: Story, group: MergeGroup, { rules, hasBudget }: ReadablePolicy): PossibleOutcome {
  const pulls = entriesOf(story, group);
  const mayPass = pulls.length === 1 ? mayPassAlone : mayPassByItself;
  if (!pulls.every((pull) => mayPass(story, pull))) return FAILS;
  const own = executionsOf(story, group);
  if (own.some(({ status }) => status === "failure")) return FAILS;
  if (own.some(({ status }) => status === "none")) return WAITS;
  const blocking = rules.filter(({ effect }) => effect !== "warn");
  const isLimited = blocking.length > 0 || hasBudget;
  const rest = pulls.map((pull) => ({ pull, executions: withoutCovered(executionsOf(story, pull), own) }));
  const planned = rest.filter(({ executions }) => executions.length > 0);
  if (isLimited && planned.length > 1 && hasOverlap(planned.flatMap(({ executions }) => executions)))
    return WAITS;
  if (isLimited && planned.some(({ executions }) => isOlderThanMerge(story, group, executions))) return WAITS;
  if (own.length > 0) {
    const isUnknown = isLimited && own.some(({ change }) => change === null);
    const total = sumOf([...own, ...planned.flatMap(({ executions }) => executions)]);
    const may = !isUnknown && blocking.every((rule) => total <= rule.upTo || isApproved(story, pulls, total));
    return { may, must: false };
  }
  const costs = planned.map(({ executions }) => sumOf(executions));
  if (isLimited && planned.length > 1 && !keepTogether(costs, blocking)) return FAILS;
  return { may: true, must: pulls.every((pull) => mustPass(story, pull)) };
}

const withoutCovered = (
  executions: readonly PlatformExecution[],
  own: readonly PlatformExecution[],
): readonly PlatformExecution[] =>
  executions.filter(({ workspace }) => own.every((one) => one.workspace !== workspace));

/** Two plans of one workspace have a sum where they change different resources. */
function hasOverlap(executions: readonly PlatformExecution[]): boolean {
  const byWorkspace = Map.groupBy(executions, ({ workspace }) => workspace);
  return [...byWorkspace.values()].some((same) => {
    const resources = same.map(({ resource }) => resource);
    return same.length > 1 && (resources.includes(null) || new Set(resources).size < same.length);
  });
}

/** Whether one of these was made before a pull request was merged that changed the same resource. GitHub states whole seconds. */
function isOlderThanMerge(
  story: Story,
  group: MergeGroup,
  executions: readonly PlatformExecution[],
): boolean {
  const merged = story.actors.pulls.filter(({ baseRef }) => baseRef === branchOf(group));
  return merged.some((pull) => {
    const mergedMs = Math.floor((pull.mergedAt ?? 0) / 1_000) * 1_000 + 999;
    const older = executions.filter(({ createdMs }) => pull.mergedAt !== null && createdMs < mergedMs);
    return older.some((one) => executionsOf(story, pull).some((before) => hasOverlap([before, one])));
  });
}

/** The most that an approval of a story covers, in dollars. */
const APPROVED = 600;

/** Whether approvals of the pull requests may cover what the group's own executions show: no more than all of them together. */
function isApproved(story: Story, pulls: readonly SandboxPull[], total: number): boolean {
  const approved = pulls.filter((pull) => expectOf(story, pull) === "over, for approvers");
  return total <= APPROVED * approved.length;
}

const mustPass = (story: Story, pull: SandboxPull): boolean =>
  statesAlone(story, pull, true)?.every(isPassing) ?? false;

/** What was approved or waived in one pull request is left out of the sum of the others. */
const keepTogether = (costs: readonly number[], rules: readonly ExpectedRule[]): boolean =>
  rules.every(({ limit, upTo }) => {
    const within = costs.filter((cost) => cost <= limit);
    const total = (of: readonly number[]): number => of.reduce((sum, cost) => sum + cost, 0);
    return total(costs) <= upTo || (within.length < costs.length && total(within) <= upTo);
  });
