import { TollgateError } from "../../kernel/errors.ts";
import type { PullRun } from "../lane/pull-run.ts";
import { laneKey } from "../lane-key.ts";
import type { Published } from "./outcome.ts";

/**
 * Ends a write: a refusal is logged, a failure is thrown to be tried again, a rate limit parks the lane until GitHub's time.
 *
 * @throws TollgateError `github_failed`, retryable
 */
export async function settle(
  { deps, key }: Pick<PullRun, "deps" | "key">,
  published: Published,
): Promise<void> {
  if (published.state === "published" || published.state === "superseded") return;
  const { failure } = published;
  if (published.state === "refused") {
    deps.log.warn({ ...key, status: failure?.status ?? null }, "GitHub refuses what was to be published");
    return;
  }
  if (failure?.kind === "rate_limited") {
    await deps.queue.setAlarm(
      laneKey({ kind: "pull", ...key }),
      deps.clock.now() + (failure.retryAfterMs ?? 60_000),
    );
  }
  throw new TollgateError("github_failed", `GitHub did not take it: ${failure?.kind}`, { retryable: true });
}
