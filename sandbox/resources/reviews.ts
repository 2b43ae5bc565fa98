import { z } from "zod";
import type { PullKey } from "../../src/kernel/ids.ts";
import {
  ApiRefusal,
  type ApiRoute,
  answerList,
  created,
  formatTime,
  type JsonObject,
  ok,
  parseCallBody,
  type RepositoryCall,
  route,
} from "../api/call.ts";
import type { Account, Review, SandboxPull } from "../state/records.ts";
import {
  buildNodeId,
  buildPullKey,
  findAccount,
  findTeam,
  getPermission,
  requireAccount,
  requirePull,
  resolveActor,
  type World,
} from "../state/world.ts";
import { formatAccount } from "./accounts.ts";
import { formatPull, formatReviewers, resolvePull } from "./pulls.ts";
import { deliverEvent } from "./repositories.ts";

const STATE = {
  approved: "APPROVED",
  changes_requested: "CHANGES_REQUESTED",
  commented: "COMMENTED",
} as const satisfies Record<string, Review["state"]>;

export interface NewReview {
  readonly by: string;
  readonly state: keyof typeof STATE;
  readonly body?: string;
}

/** Logins of people and slugs of teams. */
interface ReviewerNames {
  readonly users: readonly string[];
  readonly teams: readonly string[];
}

/** Reviews, and requests of reviewers by people. A request sends no delivery. */
export const createReviewVerbs = (world: World) => ({
  requestReviewers: (key: PullKey, names: ReviewerNames): SandboxPull =>
    changeReviewers(world, requirePull(world, key), names, "add"),
  withdrawReviewers: (key: PullKey, names: ReviewerNames): SandboxPull =>
    changeReviewers(world, requirePull(world, key), names, "remove"),
  /** Those whose review is requested: logins, and `organisation/team`. */
  requestedReviewers: (key: PullKey): readonly string[] => {
    const { repositoryId, reviewerIds, reviewerTeamIds } = requirePull(world, key);
    const owner = world.accounts.require(world.repositories.require(repositoryId).ownerId);
    return [
      ...reviewerIds.map((id) => world.accounts.require(id).login),
      ...reviewerTeamIds.map((id) => `${owner.login}/${world.teams.require(id).slug}`),
    ];
  },
  /** Submits a review of the head as it is now. Sends `pull_request_review.submitted`. */
  review: (key: PullKey, { by, state, body = "" }: NewReview): Review => {
    const pull = requirePull(world, key);
    const author = requireAccount(world, by);
    const review = world.reviews.insert({
      id: world.nextId("review"),
      repositoryId: pull.repositoryId,
      number: pull.number,
      authorId: author.id,
      state: STATE[state],
      body,
      commitSha: pull.headSha,
      submittedAt: world.clock.now(),
      editedAt: null,
    });
    answerRequests(world, pull, author.id);
    return emitReviewEvent(world, review, { action: "submitted", by: author });
  },
  /** Changes a review's text. Sends `pull_request_review.edited`. */
  editReview: (id: number, body: string): Review => {
    const changes = { body: { from: world.reviews.require(id).body } };
    const review = world.reviews.update(id, { body, editedAt: world.clock.now() });
    const by = world.accounts.require(review.authorId);
    return emitReviewEvent(world, review, { action: "edited", by, extra: { changes } });
  },
  /** Sends `pull_request_review.dismissed`. */
  dismissReview: (id: number, login?: string): Review => {
    const review = world.reviews.update(id, { state: "DISMISSED" });
    const by = resolveActor(world, world.repositories.require(review.repositoryId), login);
    return emitReviewEvent(world, review, { action: "dismissed", by });
  },
});

/** A review answers the requests of its author, and of the teams that its author belongs to. */
function answerRequests(world: World, pull: SandboxPull, authorId: number): void {
  const isMember = (teamId: number): boolean => world.teams.require(teamId).memberIds.includes(authorId);
  world.pulls.update(pull.id, {
    reviewerIds: pull.reviewerIds.filter((id) => id !== authorId),
    reviewerTeamIds: pull.reviewerTeamIds.filter((id) => !isMember(id)),
  });
}

function emitReviewEvent(
  world: World,
  review: Review,
  { action, by, extra }: { action: string; by: Account; extra?: JsonObject },
): Review {
  deliverEvent(world, {
    event: "pull_request_review",
    action,
    repository: world.repositories.require(review.repositoryId),
    senderId: by.id,
    payload: {
      // Deliveries write the state in lower case, the API in upper case.
      review: { ...formatReview(world, review), state: review.state.toLowerCase() },
      pull_request: formatPull(world, requirePull(world, review)),
      ...extra,
    },
  });
  return review;
}

/** Requests reviewers, or withdraws their requests. GitHub refuses all names where it refuses one. */
function changeReviewers(
  world: World,
  pull: SandboxPull,
  { users, teams }: ReviewerNames,
  action: "add" | "remove",
): SandboxPull {
  const repository = world.repositories.require(pull.repositoryId);
  const owner = world.accounts.require(repository.ownerId).login;
  const people = users.map((login) => findAccount(world, login));
  const requestedTeams = teams.map((slug) => findTeam(world, owner, slug));
  const isUnknown = people.some(
    (user) => user === null || getPermission(world, repository, user.id) === "none",
  );
  if (isUnknown || requestedTeams.includes(null))
    throw new ApiRefusal(
      422,
      `Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the ${repository.name} repository.`,
    );
  const userIds = people.flatMap((user) => user?.id ?? []);
  if (action === "add" && userIds.includes(pull.authorId))
    throw new ApiRefusal(422, "Review cannot be requested from pull request author.");
  const combine = (before: readonly number[], ids: readonly number[]): readonly number[] =>
    action === "add" ? [...new Set([...before, ...ids])] : before.filter((id) => !ids.includes(id));
  return world.pulls.update(pull.id, {
    reviewerIds: combine(pull.reviewerIds, userIds),
    reviewerTeamIds: combine(
      pull.reviewerTeamIds,
      requestedTeams.flatMap((team) => team?.id ?? []),
    ),
  });
}

const REQUESTS = "/pulls/{pull_number}/requested_reviewers";

/** Reviews and requested reviewers of a pull request. */
export const reviewRoutes: readonly ApiRoute[] = [
  route.repository("GET /pulls/{pull_number}/reviews", ["pull_requests:read"], (call) =>
    answerList(call, call.world.reviews.group(buildPullKey(resolvePull(call, "pull_number"))), formatReview),
  ),
  route.repository(`GET ${REQUESTS}`, ["pull_requests:read"], (call) => {
    const shown = formatReviewers(call.world, resolvePull(call, "pull_number"));
    return ok({ users: shown.requested_reviewers, teams: shown.requested_teams });
  }),
  route.repository(`POST ${REQUESTS}`, ["pull_requests:write"], (call) =>
    created(formatPull(call.world, changeByBody(call, "add"))),
  ),
  route.repository(`DELETE ${REQUESTS}`, ["pull_requests:write"], (call) =>
    ok(formatPull(call.world, changeByBody(call, "remove"))),
  ),
];

const Names = z.object({
  reviewers: z.array(z.string()).default([]),
  team_reviewers: z.array(z.string()).default([]),
});

function changeByBody(call: RepositoryCall, action: "add" | "remove"): SandboxPull {
  const { reviewers: users, team_reviewers: teams } = parseCallBody(call, "PullRequest", Names);
  return changeReviewers(call.world, resolvePull(call, "pull_number"), { users, teams }, action);
}

const formatReview = (
  world: World,
  { id, authorId, body, state, submittedAt, commitSha }: Review,
): JsonObject => ({
  ...{ id, node_id: buildNodeId("PullRequestReview", id), body, state },
  user: formatAccount(world, authorId),
  submitted_at: formatTime(submittedAt),
  commit_id: commitSha,
});
