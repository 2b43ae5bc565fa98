import { TollgateError } from "../../kernel/errors.ts";
import type { JobAttempt } from "../../queue/workers.ts";
import type { Log } from "../run/deps.ts";
import type { HeadCheckOutcome } from "./check.ts";
import { QUICK_TRIES } from "./write-in-turn.ts";

/**
 * Handles the outcome of a check's write. A failure is thrown, so that the queue retries. So is a refusal in the first attempts of
 * a job, because GitHub's error may be temporary; later refusals are logged, and the sweep finds the unpublished check.
 *
 * @throws TollgateError `github_failed`, retryable
 */
export function handlePublishOutcome(
  { log, attempt }: { readonly log: Log; readonly attempt: Pick<JobAttempt, "attempt"> },
  published: HeadCheckOutcome,
): void {
  if (!("failure" in published)) return;
  const { failure } = published;
  if (published.state === "failed" || attempt.attempt <= QUICK_TRIES)
    throw new TollgateError("github_failed", `GitHub did not accept the check: ${failure.kind}`, {
      retryable: true,
    });
  log.warn({ status: failure.status }, "GitHub refuses the check");
}
