import { findAccount, findTeam, getPermission } from "../../state/find.ts";
import type { SandboxPull } from "../../state/pulls.ts";
import { ApiRefusal } from "../../state/refusal.ts";
import type { World } from "../../state/world.ts";

/** Logins of people and slugs of teams. */
export interface ReviewerNames {
  readonly users: readonly string[];
  readonly teams: readonly string[];
}

/** Requests reviewers, or withdraws their requests. GitHub refuses all names where it refuses one. */
export function changeReviewers(
  world: World,
  pull: SandboxPull,
  { users, teams, action }: ReviewerNames & { readonly action: "add" | "remove" },
): SandboxPull {
  const userIds = users.map((login) => findReviewerId(world, pull, login));
  const teamIds = teams.map((slug) => findTeamId(world, pull, slug));
  if (action === "add" && userIds.includes(pull.authorId))
    throw new ApiRefusal(422, "Review cannot be requested from pull request author.");
  const combine = (before: readonly number[], ids: readonly number[]): readonly number[] =>
    action === "add" ? [...new Set([...before, ...ids])] : before.filter((id) => !ids.includes(id));
  return world.pulls.update(pull.id, {
    reviewerIds: combine(pull.reviewerIds, userIds),
    reviewerTeamIds: combine(pull.reviewerTeamIds, teamIds),
    updatedAt: world.clock.now(),
  });
}

/** A review answers the requests of its author, and of the teams that its author belongs to. */
export function answerRequests(world: World, pull: SandboxPull, authorId: number): SandboxPull {
  const isMember = (teamId: number): boolean => world.teams.require(teamId).memberIds.includes(authorId);
  return world.pulls.update(pull.id, {
    reviewerIds: pull.reviewerIds.filter((id) => id !== authorId),
    reviewerTeamIds: pull.reviewerTeamIds.filter((id) => !isMember(id)),
  });
}

/** Logins, and `organisation/team`, of those who are requested now. */
export function listReviewerNames(world: World, pull: SandboxPull): readonly string[] {
  const owner = world.accounts.require(world.repositories.require(pull.repositoryId).ownerId);
  return [
    ...pull.reviewerIds.map((id) => world.accounts.require(id).login),
    ...pull.reviewerTeamIds.map((id) => `${owner.login}/${world.teams.require(id).slug}`),
  ];
}

function findReviewerId(world: World, pull: SandboxPull, login: string): number {
  const repository = world.repositories.require(pull.repositoryId);
  const account = findAccount(world, login);
  if (account === null || getPermission(world, repository, account.id) === "none")
    throw noCollaborator(repository.name);
  return account.id;
}

function findTeamId(world: World, pull: SandboxPull, slug: string): number {
  const repository = world.repositories.require(pull.repositoryId);
  const team = findTeam(world, world.accounts.require(repository.ownerId).login, slug);
  if (team === null) throw noCollaborator(repository.name);
  return team.id;
}

const noCollaborator = (name: string): ApiRefusal =>
  new ApiRefusal(
    422,
    `Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the ${name} repository.`,
  );
