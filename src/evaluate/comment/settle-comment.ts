import type { GitHubFailure } from "../../github/client/answer.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { PullKey } from "../../kernel/ids.ts";
import type { CommentProblem } from "../../policy/comment/problem.ts";
import { enqueueLane } from "../../queue/enqueue.ts";
import type { Attempt } from "../../queue/workers.ts";
import { forgetProblem, type KnownProblem, saveProblem } from "../../store/comment-problems.ts";
import type { PublishOutcome } from "../publish/outcome.ts";
import { pauseAfter, QUICK_TRIES } from "../publish/pauses.ts";
import type { JobDeps } from "../run/deps.ts";

export type CommentResult =
  | PublishOutcome
  /** Others change our comment again and again; it is restored after `untilMs` (ms since 1970). */
  | { readonly state: "contested"; readonly untilMs: number }
  /** The time of the next try has not come, and there is nothing new to tell. */
  | { readonly state: "not_due" };

/** A run that tells an evaluation, and what was known to be wrong when it began. */
export interface Telling {
  readonly pull: PullKey;
  /** Digest of what the evaluation has to tell. */
  readonly digest: string;
  readonly problem: KnownProblem | null;
  readonly attempt: Attempt;
}

/**
 * Keeps what went wrong and when the next try is due, and lets the check say so.
 *
 * @throws TollgateError `github_failed`, retryable, where the queue tries again at once
 */
export async function settleComment(deps: JobDeps, telling: Telling, result: CommentResult): Promise<void> {
  const { pull, problem, attempt } = telling;
  switch (result.state) {
    case "superseded":
    case "not_due":
      return;
    case "published":
      if (problem === null) return;
      await forgetProblem(deps.db, pull);
      return showProblem(deps, telling, null);
    case "contested":
      return keepProblem(deps, telling, { problem: "contested", nextMs: result.untilMs });
    case "failed":
      if (attempt.lastAttempt) await keepFailure(deps, telling, { problem: "unavailable", ...result });
      throw failed(result.failure);
    case "refused": {
      const isQuick = attempt.attempt <= QUICK_TRIES && problem === null;
      if (isQuick && QUICK.has(result.problem)) throw failed(result.failure);
      return keepFailure(deps, telling, result);
    }
  }
}

/** Such a refusal may be GitHub's own mistake of a moment. */
const QUICK: ReadonlySet<CommentProblem> = new Set(["refused", "earlier"]);

/** The last run of a job that threw: somebody has to try again. */
export const keepUnknownFailure = (deps: JobDeps, telling: Telling): Promise<void> =>
  keepFailure(deps, telling, { problem: "unavailable", failure: null });

function keepFailure(
  deps: JobDeps,
  telling: Telling,
  { problem, failure }: { readonly problem: CommentProblem; readonly failure: GitHubFailure | null },
): Promise<void> {
  const { repositoryId, number } = telling.pull;
  deps.log.warn(
    { repositoryId, number, problem, status: failure?.status ?? null },
    "a pull request's comments are not as they should be",
  );
  const pause = pauseAfter(problem, triesOf(telling));
  return keepProblem(deps, telling, {
    problem,
    nextMs: deps.clock.now() + Math.max(pause, failure?.retryAfterMs ?? 0),
  });
}

const triesOf = ({ problem }: Telling): number => (problem?.tries ?? 0) + 1;

async function keepProblem(
  deps: JobDeps,
  telling: Telling,
  { problem, nextMs }: { readonly problem: CommentProblem; readonly nextMs: number },
): Promise<void> {
  const { pull, digest } = telling;
  await saveProblem(deps.db, pull, {
    problem,
    digest,
    tries: triesOf(telling),
    firstAt: telling.problem?.firstAt ?? new Date(deps.clock.now()),
    nextAt: new Date(nextMs),
  });
  await showProblem(deps, telling, problem);
}

/** The check is written by its lane alone, which is asked for where the check says something else. */
async function showProblem(
  deps: JobDeps,
  { pull, problem: before }: Telling,
  now: CommentProblem | null,
): Promise<void> {
  if (toldOf(before?.problem ?? null) !== toldOf(now)) {
    const { repositoryId, number } = pull;
    await enqueueLane(deps, { kind: "pull", repositoryId, number });
  }
}

/** An earlier comment that is still to be folded is nothing to tell. */
const toldOf = (problem: CommentProblem | null): CommentProblem | null =>
  problem === "earlier" ? null : problem;

const failed = ({ kind }: GitHubFailure): TollgateError =>
  new TollgateError("github_failed", `GitHub did not take a comment: ${kind}`, { retryable: true });
