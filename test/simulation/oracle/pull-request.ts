import { findMergeBase, listChangedFiles } from "../../../sandbox/state/git.ts";
import type { SandboxPull } from "../../../sandbox/state/records.ts";
import { getObjects } from "../../../sandbox/state/world.ts";
import { isPassing } from "../shown-check.ts";
import type { Story } from "../story.ts";
import { canBeApproved, isObjectedTo } from "./approvals.ts";
import { isBudgetCertain, isOverBudget } from "./budget.ts";
import { executionsOf, hasUnproven, sumOf } from "./executions.ts";
import { mayBeOverridden } from "./overrides.ts";
import { type ExpectedRule, policyOf } from "./policy.ts";

/**
 * What the rules of Tollgate say of a pull request, worked out from what GitHub, the CI and the platform show and from nothing of
 * Tollgate. `waits`: an execution is missing or runs. `unknown`: the cost of an execution that ended is unknown.
 * `unproven`: somebody who is not trusted names an execution of a workspace that the CI does not name.
 */
export type Expectation =
  | "no policy"
  | "invalid"
  | "waits"
  | "unproven"
  | "unknown"
  | "within"
  | "over"
  | "over, for approvers"
  | "over, warned";

export const expectOf = (story: Story, pull: SandboxPull): Expectation =>
  expect(story, pull, { alone: false });

/** `alone`: as if no other pull request counted towards a budget. */
function expect(story: Story, pull: SandboxPull, as: { readonly alone: boolean }): Expectation {
  const policy = policyOf(story, pull.baseRef);
  if (typeof policy === "string") return policy;
  if (hasUnproven(story, pull)) return "unproven";
  const executions = executionsOf(story, pull);
  if (executions.length === 0) return policy.isAwaiting && changesInfra(story, pull) ? "waits" : "within";
  if (executions.some(({ status }) => status === "none")) return "waits";
  if (executions.some(({ change }) => change === null)) return "unknown";
  if (policy.hearsObjections && isObjectedTo(story, pull)) return "over";
  const isTooMuch = policy.hasBudget && isOverBudget(story, pull, as);
  return isTooMuch ? "over" : describeViolated(policy.rules, sumOf(executions));
}

function describeViolated(rules: readonly ExpectedRule[], sum: number): Expectation {
  const effects = rules.filter(({ upTo }) => sum > upTo).map(({ effect }) => effect);
  if (effects.includes("block")) return "over";
  if (effects.includes("approve")) return "over, for approvers";
  return effects.length > 0 ? "over, warned" : "within";
}

/** The open pull requests of one head and base, which share a check: this one and perhaps others. */
export const listSharing = (story: Story, { headSha, baseRef }: SandboxPull): readonly SandboxPull[] =>
  story.actors.pulls.filter(
    (other) => other.state === "open" && other.headSha === headSha && other.baseRef === baseRef,
  );

/** Whether GitHub may allow the merge: the shared check shows the worst verdict of the pull requests that the bot can know to share it. */
export function mayPass(story: Story, pull: SandboxPull): boolean {
  const sharing = listSharing(story, pull);
  const known = sharing.filter((one) => story.announced.has(one));
  return (known.length > 0 ? known : sharing).every((one) => one.draft || mayPassAlone(story, one));
}

/** With a policy, only what is within it, warned, perhaps approved, or perhaps overridden. */
export const mayPassAlone = (story: Story, pull: SandboxPull): boolean =>
  mayBeOverridden(story, pull) || mayPassByItself(story, pull);

/** The same without an override, which does not count in a merge group of several pull requests. */
export function mayPassByItself(story: Story, pull: SandboxPull): boolean {
  const expected = expect(story, pull, { alone: true });
  if (expected === "over, for approvers") return canBeApproved(story, pull);
  if (expected === "unknown" || expected === "unproven") return onlyWarns(story, pull);
  return ["no policy", "within", "over, warned"].includes(expected);
}

/** A rule that only warns does not block what is unknown, and a budget only what is unknown of its own workspace. */
function onlyWarns(story: Story, { baseRef }: SandboxPull): boolean {
  const policy = policyOf(story, baseRef);
  return typeof policy === "object" && policy.rules.every(({ effect }) => effect === "warn");
}

/** Whether there is something to report on the pull request: an execution of its head ended. */
export const hasNews = (story: Story, pull: SandboxPull): boolean =>
  ["unknown", "over", "over, for approvers", "over, warned"].includes(expectOf(story, pull));

/**
 * The states of the check that are right when everything has come to rest; null: any, also none. `isLate`: every deadline has
 * passed.
 */
export function statesAtRest(story: Story, pull: SandboxPull, isLate: boolean): readonly string[] | null {
  const states = listSharing(story, pull).map((one) => statesAlone(story, one, isLate));
  if (states.includes(null)) return null;
  const mayAllPass = states.every((own) => own?.some(isPassing));
  return states.flatMap((own) => own ?? []).filter((state) => mayAllPass || !isPassing(state));
}

export function statesAlone(story: Story, pull: SandboxPull, isLate: boolean): readonly string[] | null {
  const states = statesWithoutOverride(story, pull, isLate);
  const isOverridden = states !== null && !pull.draft && mayBeOverridden(story, pull);
  return isOverridden ? [...states, "success"] : states;
}

/** Whether the check is perhaps held back where there is no override. GitHub merges no draft, so that its check is not. */
export function mayBeHeld(story: Story, pull: SandboxPull): boolean {
  const states = statesWithoutOverride(story, pull, false);
  return !pull.draft && (states === null || !states.every(isPassing));
}

function statesWithoutOverride(story: Story, pull: SandboxPull, isLate: boolean): readonly string[] | null {
  const expected = expectOf(story, pull);
  if (expected === "no policy") return null;
  // A draft is never decided under a valid policy.
  if (pull.draft && expected !== "invalid") return ["in_progress"];
  if (isDoubtful(story, pull, expected)) return null;
  const also = mayPassByItself(story, pull) ? (PASSING_TOO[expected] ?? []) : [];
  return [...STATES[expected], ...also, ...(WAITING.includes(expected) && !isLate ? ["in_progress"] : [])];
}

/** Where a budget is in force, the oracle does not work out everything. */
function isDoubtful(story: Story, pull: SandboxPull, expected: Expectation): boolean {
  const policy = policyOf(story, pull.baseRef);
  if (typeof policy !== "object" || !policy.hasBudget) return false;
  return expected === "unknown" || expected === "unproven" || !isBudgetCertain(story, pull);
}

const STATES: Readonly<Record<Exclude<Expectation, "no policy">, readonly string[]>> = {
  invalid: ["failure"],
  waits: ["failure"],
  unproven: ["failure"],
  unknown: ["failure"],
  within: ["success"],
  over: ["failure"],
  "over, for approvers": ["action_required"],
  "over, warned": ["neutral"],
};
const WAITING: readonly Expectation[] = ["waits", "unproven"];
/** Where approvals or a rule that only warns may let it pass. */
const PASSING_TOO: { readonly [Kind in Expectation]?: readonly string[] } = {
  "over, for approvers": ["success"],
  unknown: ["neutral"],
  unproven: ["neutral"],
};

/** By the files that GitHub lists: what the base got from others after the last push does not change them. */
function changesInfra(
  { github: { world } }: Story,
  { repositoryId, baseSha, headSha }: SandboxPull,
): boolean {
  const objects = getObjects(world, world.repositories.require(repositoryId));
  const changes = listChangedFiles(objects, findMergeBase(objects, baseSha, headSha), headSha);
  return changes.some(({ path }) => path.startsWith("infra/"));
}
