import { isContained } from "../github/people/update-merges.ts";
import { decideCheck, isPassing } from "../policy/decide-check.ts";
import type { EvaluationContext } from "../policy/model/context.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import type { StackedBelow } from "../policy/model/situation.ts";
import { findEvaluation, type StoredEvaluation } from "../store/evaluations.ts";
import type { ConsentResult } from "./consent.ts";
import { type CurrentHead, findHeadEvaluation } from "./run/deps.ts";
import { hasPassed, isUpToDate } from "./stored-verdict.ts";

/**
 * Adds what the head brings to the trunk from below it in its stack: a success of its check would open the trunk to all of it. Paths and
 * authors are those of the evaluations of exactly the heads below; without them the paths are incomplete, and nothing passes.
 *
 * @throws GitHubError
 */
export async function addStack(current: CurrentHead, policy: LoadedPolicy): Promise<CurrentHead> {
  const { head } = current;
  const { pull } = head;
  if (pull.stack === null) return current;
  const read = await Promise.all(pull.stack.below.map((lower) => readBelow(current, policy, lower)));
  const contexts = read.map(({ context }) => context);
  const paths = [...new Set([...contexts, pull].flatMap((one) => one?.paths ?? []))];
  const pathsComplete = [...contexts, pull].every((one) => one?.pathsComplete === true);
  return {
    ...current,
    head: { ...head, pull: { ...pull, paths, pathsComplete } },
    stack: {
      number: pull.stack.number,
      below: read.map(({ below }) => below),
      authors: contexts.map((context) => context?.author ?? null),
    },
  };
}

/** `context`: null while exactly this head is not evaluated under this policy. */
async function readBelow(
  current: CurrentHead,
  policy: LoadedPolicy,
  lower: Pick<StackedBelow, "number" | "headSha">,
): Promise<{ readonly below: StackedBelow; readonly context: EvaluationContext | null }> {
  const { deps, key, head } = current;
  const { repositoryId } = key;
  const stored = await findEvaluation(deps.db, { repositoryId, number: lower.number });
  const query = { repositoryId, headSha: lower.headSha, baseRef: head.pull.baseRef, policy };
  const counted = stored !== null && isUpToDate(stored, query) ? stored : null;
  const state = (await contains(current, lower)) ? determineState(current, counted) : "not_contained";
  return { below: { ...lower, state }, context: counted?.evaluation.context ?? null };
}

/** The state of a lower pull request. A CI job knows no other pull requests, and nothing follows it. */
function determineState({ deps }: CurrentHead, stored: StoredEvaluation | null): StackedBelow["state"] {
  if (stored === null || stored.evaluation.check.status === "in_progress")
    return deps.isOneShot ? "not_passed" : "waiting";
  return hasPassed(stored, deps.clock.now()) ? "passes" : "not_passed";
}

/** Whether the head contains a lower head; commits do not change, so the last evaluation of the same head knows. */
async function contains(
  current: CurrentHead,
  { number, headSha }: Pick<StackedBelow, "number" | "headSha">,
): Promise<boolean> {
  const { client, key, head } = current;
  const known = findHeadEvaluation(current)?.evaluation.pull.stack?.below;
  if (known?.some((one) => one.number === number && one.headSha === headSha && one.state !== "not_contained"))
    return true;
  return isContained(client, key.repositoryId, { commit: headSha, head: head.pull.headSha });
}

/** A closed pull request with the base branch that its head was evaluated for: GitHub lists stacks of open ones. */
export function keepTrunk(current: CurrentHead): CurrentHead {
  const { head } = current;
  const last = findHeadEvaluation(current)?.evaluation.pull;
  if (last?.stack === undefined) return current;
  return { ...current, head: { ...head, pull: { ...head.pull, baseRef: last.baseRef } } };
}

/** Returns the result while everything below in the stack passes; otherwise one that does not pass. */
export function withStack(result: ConsentResult, stack: CurrentHead["stack"]): ConsentResult {
  const below = (stack?.below ?? []).filter(({ state }) => state !== "passes");
  const { situation, approvals, override } = result;
  if (below.length === 0 || !isPassing(decideCheck(situation, approvals, override))) return result;
  return { ...result, situation: { kind: "stack_held", below }, override: null };
}
