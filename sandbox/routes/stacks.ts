import type { ApiRoute, RepositoryCall } from "../api/call.ts";
import { buildPage } from "../api/paging.ts";
import { formatTime, formatTimeOrNull, type JsonObject } from "../formatters/json.ts";
import { getRepositoryApiUrl } from "../formatters/repository.ts";
import { requirePull } from "../state/find.ts";
import { buildNodeId } from "../state/node-id.ts";
import type { Stack } from "../state/pulls.ts";
import { createRepositoryRoute } from "./repository-route.ts";

/** Stacks of pull requests, all or the one with the pull request `pull_request`. */
export const stackRoutes: readonly ApiRoute[] = [
  createRepositoryRoute("GET /stacks", ["pull_requests:read"], (call) => {
    const wanted = call.query("pull_request");
    const stacks = call.world.stacks
      .group(String(call.repository.id))
      .filter(({ pulls }) => wanted === null || pulls.includes(Number(wanted)));
    return buildPage(call, stacks, (page) => page.map((stack) => formatStack(call, stack)));
  }),
];

function formatStack({ world, repository }: RepositoryCall, stack: Stack): JsonObject {
  const pulls = stack.pulls.map((number) => requirePull(world, { repositoryId: repository.id, number }));
  return {
    id: stack.id,
    number: stack.number,
    node_id: buildNodeId("PullRequestStack", stack.id),
    url: `${getRepositoryApiUrl(world, repository)}/stacks/${stack.number}`,
    base: { ref: stack.trunk },
    open: pulls.some(({ state }) => state === "open"),
    created_at: formatTime(stack.createdAt),
    pull_requests: pulls.map(({ number, state, draft, mergedAt, headRef: ref, headSha: sha }) => ({
      number,
      state,
      draft,
      merged_at: formatTimeOrNull(mergedAt),
      head: { ref, sha },
    })),
  };
}
