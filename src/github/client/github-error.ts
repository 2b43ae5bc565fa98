import type { GitHubFailure } from "./result.ts";

/** Why a call failed, thrown through Octokit: `toResult` returns its `failure`. */
export class GitHubError extends Error {
  override readonly name = "GitHubError";
  readonly failure: GitHubFailure;

  constructor(failure: GitHubFailure, cause?: unknown) {
    super(failure.message, { cause });
    this.failure = failure;
  }
}

/** Thrown through Octokit for a write that was dropped because it is no longer current; `settleWrite` returns it as an outcome. */
export class SupersededError extends Error {
  override readonly name = "SupersededError";
}
