import type { Octokit } from "@octokit/rest";
import type { GitHubResult } from "./result.ts";

export type RepositorySelection = "all" | "selected";

/** GitHub's API for one installation. */
export interface InstallationClient {
  readonly installationId: number;
  readonly appId: number;
  /** Every call goes through its write lane and rate limit pause (`paceRequests`); `toResult` makes a result of it. */
  readonly octokit: Octokit;
  /** Whether the installation covers all repositories of its account; at most ten minutes old. */
  repositorySelection(): Promise<GitHubResult<RepositorySelection>>;
  /** True: own comments get a mark and are found again by it, because other programs write under the same author. */
  readonly marksComments: boolean;
  /** Numeric user id under which this App writes comments; requested once per process. */
  botUserId(): Promise<GitHubResult<number>>;
}
