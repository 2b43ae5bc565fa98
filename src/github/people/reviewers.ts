import { z } from "zod";
import type { InstallationClient } from "../client/installation-client.ts";
import { requestById } from "../client/installation-client.ts";
import { type GitHubResult, succeeded } from "../client/result.ts";
import { readPages, settleWrite, toResult, type WriteAnswer } from "../client/to-result.ts";

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

/** Reads who is requested as a reviewer of a pull request, and who reviewed it. */
export async function readReviewState(
  { octokit }: InstallationClient,
  { repositoryId: repository_id, number: pull_number }: PullNumber,
): Promise<GitHubResult<ReviewState>> {
  const at = { repository_id, pull_number };
  const [requested, reviews] = await Promise.all([
    toResult(
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
  if (!requested.ok) return requested;
  if (!reviews.ok) return reviews;
  const { users, teams } = requested.value;
  return succeeded({
    requested: {
      users: users.map(({ login }) => login.toLowerCase()),
      teams: teams.map(({ slug }) => slug.toLowerCase()),
    },
    reviewed: new Set(reviews.value.flatMap(({ user }) => user?.login.toLowerCase() ?? [])),
  });
}

interface ReviewersWrite extends PullNumber, Reviewers {
  readonly isCurrent: () => Promise<boolean>;
}

/** Requests reviewers. GitHub refuses all of them where one is the author, no collaborator, or a team without access. */
export function requestReviewers(
  { octokit }: InstallationClient,
  write: ReviewersWrite,
): Promise<WriteAnswer<unknown>> {
  const route = "POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers";
  return settleWrite(toResult(requestById(octokit, route, buildParameters(write)), z.unknown()));
}

/** Withdraws requests of reviewers. */
export function withdrawReviewers(
  { octokit }: InstallationClient,
  write: ReviewersWrite,
): Promise<WriteAnswer<unknown>> {
  const route = "DELETE /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers";
  return settleWrite(toResult(requestById(octokit, route, buildParameters(write)), z.unknown()));
}

const buildParameters = ({ repositoryId, number, users, teams, isCurrent }: ReviewersWrite) => ({
  repository_id: repositoryId,
  pull_number: number,
  reviewers: [...users],
  team_reviewers: [...teams],
  request: { write: { priority: "comment" as const, isCurrent } },
});
