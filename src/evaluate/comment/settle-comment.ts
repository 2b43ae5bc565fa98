import type { GitHubFailure } from "../../github/client/result.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { PullKey } from "../../kernel/ids.ts";
import type { CommentProblem } from "../../policy/news.ts";
import { enqueueLane } from "../../queue/queue.ts";
import type { JobAttempt } from "../../queue/workers.ts";
import {
  forgetCommentProblem,
  type StoredCommentProblem,
  saveCommentProblem,
} from "../../store/comment-problems.ts";
import type { PublishOutcome } from "../publish/write-in-turn.ts";
import { computePause, QUICK_TRIES } from "../publish/write-in-turn.ts";
import type { JobDeps } from "../run/deps.ts";

export type CommentResult =
  | PublishOutcome
  /** Others change our comment repeatedly; it is restored after `untilMs` (ms since 1970). */
  | { readonly state: "contested"; readonly untilMs: number }
  /** The next attempt is not due, and there is nothing new to report. */
  | { readonly state: "not_due" };

/** A comment job, and the problem that was known when it started. */
export interface CommentJob {
  readonly pull: PullKey;
  /** Digest of what the evaluation reports. */
  readonly digest: string;
  readonly problem: StoredCommentProblem | null;
  readonly attempt: JobAttempt;
}

/**
 * Stores the problem and when the next attempt is due, and lets the check show it.
 *
 * @throws TollgateError `github_failed`, retryable, when the queue should retry at once
 */
export async function settleComment(deps: JobDeps, job: CommentJob, result: CommentResult): Promise<void> {
  const { pull, problem, attempt } = job;
  switch (result.state) {
    case "superseded":
    case "not_due":
      return;
    case "published":
      if (problem === null) return;
      await forgetCommentProblem(deps.db, pull);
      return showProblem(deps, job, null);
    case "contested":
      return recordProblem(deps, job, { problem: "contested", nextMs: result.untilMs });
    case "failed":
      if (attempt.lastAttempt) await saveFailure(deps, job, { problem: "unavailable", ...result });
      throw createCommentError(result.failure);
    case "refused": {
      const isQuick = attempt.attempt <= QUICK_TRIES && problem === null;
      if (isQuick && TEMPORARY_PROBLEMS.has(result.problem)) throw createCommentError(result.failure);
      return saveFailure(deps, job, result);
    }
  }
}

/** Refusals that may be a temporary error of GitHub. */
const TEMPORARY_PROBLEMS: ReadonlySet<CommentProblem> = new Set(["refused", "earlier"]);

/** Stores the failure of a job's last attempt, so that the sweep retries. */
export const saveUnknownFailure = (deps: JobDeps, job: CommentJob): Promise<void> =>
  saveFailure(deps, job, { problem: "unavailable", failure: null });

function saveFailure(
  deps: JobDeps,
  job: CommentJob,
  { problem, failure }: { readonly problem: CommentProblem; readonly failure: GitHubFailure | null },
): Promise<void> {
  const { repositoryId, number } = job.pull;
  deps.log.warn(
    { repositoryId, number, problem, status: failure?.status ?? null },
    "a pull request's comments are not as they should be",
  );
  const pause = computePause(problem, countTries(job));
  return recordProblem(deps, job, {
    problem,
    nextMs: deps.clock.now() + Math.max(pause, failure?.retryAfterMs ?? 0),
  });
}

const countTries = ({ problem }: CommentJob): number => (problem?.tries ?? 0) + 1;

async function recordProblem(
  deps: JobDeps,
  job: CommentJob,
  { problem, nextMs }: { readonly problem: CommentProblem; readonly nextMs: number },
): Promise<void> {
  const { pull, digest } = job;
  await saveCommentProblem(deps.db, pull, {
    problem,
    digest,
    tries: countTries(job),
    firstAt: job.problem?.firstAt ?? new Date(deps.clock.now()),
    nextAt: new Date(nextMs),
  });
  await showProblem(deps, job, problem);
}

/** Enqueues the lane if the check shows another problem: only the lane writes the check. */
async function showProblem(
  deps: JobDeps,
  { pull, problem: before }: CommentJob,
  now: CommentProblem | null,
): Promise<void> {
  if (getReportedProblem(before?.problem ?? null) !== getReportedProblem(now)) {
    const { repositoryId, number } = pull;
    await enqueueLane(deps, { kind: "pull", repositoryId, number });
  }
}

/**
 * Returns the problem that the check reports: an earlier comment that is not minimised yet is not reported.
 */
const getReportedProblem = (problem: CommentProblem | null): CommentProblem | null =>
  problem === "earlier" ? null : problem;

const createCommentError = ({ kind }: GitHubFailure): TollgateError =>
  new TollgateError("github_failed", `GitHub did not take a comment: ${kind}`, { retryable: true });
