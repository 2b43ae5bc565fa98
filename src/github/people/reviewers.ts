import { z } from "zod";
import type { InstallationClient } from "../client/installation-client.ts";
import { requestById } from "../client/installation-client.ts";
import { readData, readPages } from "../client/read-answer.ts";

/** Reviewers by their names: logins and slugs of teams, in lower case. */
export interface Reviewers {
  readonly users: readonly string[];
  readonly teams: readonly string[];
}

export interface ReviewState {
  /** Who is requested now, by whomever. */
  readonly requested: Reviewers;
  /** Logins of those who submitted a review, in lower case. */
  readonly reviewed: ReadonlySet<string>;
}

interface PullNumber {
  readonly repositoryId: number;
  readonly number: number;
}

const Requested = z.object({
  users: z.array(z.object({ login: z.string() })),
  teams: z.array(z.object({ slug: z.string() })),
});
const Review = z.object({ user: z.object({ login: z.string() }).nullable() });
/** 1,000 reviews. */
const MAX_PAGES = 10;

/** Reads who is requested as a reviewer of a pull request, and who reviewed it. Throws `GitHubError`. */
export async function readReviewState(
  { octokit }: InstallationClient,
  { repositoryId: repository_id, number: pull_number }: PullNumber,
): Promise<ReviewState> {
  const at = { repository_id, pull_number };
  const [requested, reviews] = await Promise.all([
    readData(
      requestById(octokit, "GET /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers", at),
      Requested,
    ),
    readPages(
      (page) =>
        requestById(octokit, "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews", { ...at, ...page }),
      z.array(Review),
      MAX_PAGES,
    ),
  ]);
  return {
    requested: {
      users: requested.users.map(({ login }) => login.toLowerCase()),
      teams: requested.teams.map(({ slug }) => slug.toLowerCase()),
    },
    reviewed: new Set(reviews.flatMap(({ user }) => user?.login.toLowerCase() ?? [])),
  };
}

interface ReviewersWrite extends PullNumber, Reviewers {
  readonly isCurrent: () => Promise<boolean>;
}

/**
 * Requests reviewers, or withdraws requests. GitHub refuses all of them where one is the author, no collaborator, or a team without access.
 *
 * @throws GitHubError, SupersededError
 */
export async function writeReviewers(
  { octokit }: InstallationClient,
  method: "POST" | "DELETE",
  { repositoryId, number, users, teams, isCurrent }: ReviewersWrite,
): Promise<void> {
  await requestById(octokit, `${method} /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers`, {
    repository_id: repositoryId,
    pull_number: number,
    reviewers: [...users],
    team_reviewers: [...teams],
    request: { write: { priority: "comment", isCurrent } },
  });
}
