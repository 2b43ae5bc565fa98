import { z } from "zod";
import { changeReviewers } from "../actions/pulls/reviewers.ts";
import { parseCallBody } from "../api/body.ts";
import { type ApiRoute, created, ok, type RepositoryCall } from "../api/call.ts";
import { formatPullSimple, formatReviewers } from "../formatters/pull.ts";
import type { SandboxPull } from "../state/pulls.ts";
import { createRepositoryRoute, resolvePull } from "./repository-route.ts";

const Body = z.object({
  reviewers: z.array(z.string()).default([]),
  team_reviewers: z.array(z.string()).default([]),
});

const PATH = "/pulls/{pull_number}/requested_reviewers";

/** Requested reviewers of a pull request. */
export const reviewerRoutes: readonly ApiRoute[] = [
  createRepositoryRoute(`GET ${PATH}`, ["pull_requests:read"], (call) => {
    const { requested_reviewers: users, requested_teams: teams } = formatReviewers(
      call.world,
      resolvePull(call, "pull_number"),
    );
    return ok({ users, teams });
  }),
  createRepositoryRoute(`POST ${PATH}`, ["pull_requests:write"], (call) =>
    created(formatPullSimple(call.world, change(call, "add"))),
  ),
  createRepositoryRoute(`DELETE ${PATH}`, ["pull_requests:write"], (call) =>
    ok(formatPullSimple(call.world, change(call, "remove"))),
  ),
];

function change(call: RepositoryCall, action: "add" | "remove"): SandboxPull {
  const { reviewers: users, team_reviewers: teams } = parseCallBody(call, "PullRequest", Body);
  return changeReviewers(call.world, resolvePull(call, "pull_number"), { users, teams, action });
}
