import type { PullKey } from "../../../src/kernel/ids.ts";
import { findStack, listStackPulls } from "../../rules/stack.ts";
import { requirePull } from "../../state/find.ts";
import type { SandboxPull, Stack } from "../../state/pulls.ts";
import { invalid } from "../../state/refusal.ts";
import type { World } from "../../state/world.ts";
import type { StackVerbs } from "../../verbs/pulls.ts";
import { emitPullEvent } from "../pull-event.ts";

/** GitHub does not say which action its deliveries about stacks have, so one is taken that nothing else depends on. */
const ACTION = "stacked";

export const createStackVerbs = (world: World): StackVerbs => ({
  createStack: (keys) => createStack(world, keys),
  unstack: (key) => unstack(world, requirePull(world, key)),
});

function createStack(world: World, keys: readonly PullKey[]): Stack {
  const pulls = keys.map((key) => requirePull(world, key));
  const [lowest] = pulls;
  const isChain = pulls.every(
    ({ baseRef, headRepositoryId, repositoryId }, index) =>
      headRepositoryId === repositoryId && (index === 0 || baseRef === pulls[index - 1]?.headRef),
  );
  if (lowest === undefined || !isChain)
    throw invalid({ resource: "PullRequestStack", field: "pull_requests", code: "invalid" });
  const { repositoryId, baseRef: trunk } = lowest;
  const stack = world.stacks.insert({
    id: world.nextId("other"),
    repositoryId,
    number: 1 + Math.max(0, ...world.stacks.group(String(repositoryId)).map(({ number }) => number)),
    trunk,
    pulls: pulls.map(({ number }) => number),
    createdAt: world.clock.now(),
  });
  emitPlaces(world, pulls);
  return stack;
}

function unstack(world: World, pull: SandboxPull): void {
  const stack = findStack(world, pull);
  if (stack === null) return;
  world.stacks.remove(stack.id);
  emitPlaces(world, listStackPulls(world, stack));
}

function emitPlaces(world: World, pulls: readonly SandboxPull[]): void {
  for (const pull of pulls)
    emitPullEvent(world, pull, { action: ACTION, by: world.accounts.require(pull.authorId) });
}

/** After a merge of a part, the lowest open pull request targets the trunk. */
export function retargetRest(world: World, merged: SandboxPull): void {
  const stack = findStack(world, merged);
  const [lowest] = stack === null ? [] : listStackPulls(world, stack);
  if (stack === null || lowest === undefined || lowest.baseRef === stack.trunk) return;
  const baseSha = world.repositories.require(lowest.repositoryId).branches.get(stack.trunk);
  const moved = world.pulls.update(lowest.id, { baseRef: stack.trunk, baseSha: baseSha ?? lowest.baseSha });
  const changes = { base: { ref: { from: lowest.baseRef }, sha: { from: lowest.baseSha } } };
  const by = world.accounts.require(lowest.authorId);
  emitPullEvent(world, moved, { action: "edited", by, extra: { changes } });
}
