import type { PullKey } from "../../src/kernel/ids.ts";
import { type ApiRoute, answerList, formatTimeOrNull, invalid, type JsonObject, route } from "../api/call.ts";
import type { SandboxPull, Stack } from "../state/records.ts";
import { requirePull, type World } from "../state/world.ts";
import { findStack, listStackPulls } from "./merge-rule.ts";
import { emitPullEvent } from "./pulls.ts";

/** GitHub does not say which action its deliveries about stacks have, so one is taken that nothing else depends on. */
const ACTION = "stacked";

export const createStackVerbs = (world: World) => ({
  /** Makes a stack of these, lowest first; each targets the branch of the one before. Sends a delivery for each of them. */
  createStack: (keys: readonly PullKey[]): Stack => createStack(world, keys),
  /** Dissolves the stack of a pull request. Sends a delivery for each of its pull requests. */
  unstack: (key: PullKey): void => {
    const stack = findStack(world, requirePull(world, key));
    if (stack === null) return;
    world.stacks.remove(stack.id);
    emitPlaces(world, listStackPulls(world, stack));
  },
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
  });
  emitPlaces(world, pulls);
  return stack;
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

/** Stacks of pull requests, all or the one with the pull request `pull_request`. */
export const stackRoutes: readonly ApiRoute[] = [
  route.repository("GET /stacks", ["pull_requests:read"], (call) => {
    const wanted = call.query("pull_request");
    const stacks = call.world.stacks
      .group(String(call.repository.id))
      .filter(({ pulls }) => wanted === null || pulls.includes(Number(wanted)));
    return answerList(call, stacks, formatStack);
  }),
];

function formatStack(world: World, { number, repositoryId, trunk, pulls }: Stack): JsonObject {
  return {
    number,
    base: { ref: trunk },
    pull_requests: pulls.map((one) => {
      const { mergedAt, headSha: sha } = requirePull(world, { repositoryId, number: one });
      return { number: one, merged_at: formatTimeOrNull(mergedAt), head: { sha } };
    }),
  };
}
