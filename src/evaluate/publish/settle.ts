import { TollgateError } from "../../kernel/errors.ts";
import type { Attempt } from "../../queue/workers.ts";
import type { Log } from "../run/deps.ts";
import type { PublishOutcome } from "./outcome.ts";
import { QUICK_TRIES } from "./pauses.ts";

/**
 * Ends the write of a check: what failed is thrown to be tried again. So is what GitHub refuses, which may be its own mistake of a
 * moment, in the first runs of a job; later it is logged, and the sweep finds that the check is not shown.
 *
 * @throws TollgateError `github_failed`, retryable
 */
export function handlePublishOutcome(
  { log, attempt }: { readonly log: Log; readonly attempt: Pick<Attempt, "attempt"> },
  published: PublishOutcome,
): void {
  if (published.state === "published" || published.state === "superseded") return;
  const { failure } = published;
  if (published.state === "failed" || attempt.attempt <= QUICK_TRIES)
    throw new TollgateError("github_failed", `GitHub did not take it: ${failure.kind}`, { retryable: true });
  log.warn({ status: failure.status }, "GitHub refuses what was to be published");
}
