import type { PullKey } from "../../kernel/ids.ts";
import { formatLaneKey } from "../../queue/lane-key.ts";
import { LATE_MS } from "../../store/check-runs.ts";
import { retryCommentsNow } from "../../store/comment-problems.ts";
import { setCheckedAt } from "../../store/comments.ts";
import type { JobDeps } from "../run/deps.ts";
import { enqueueAfterLateRequests } from "./late-requests.ts";

/** Time between two comparisons of our comments with GitHub's, in ms: a delivery may have been lost. */
export const COMPARE_AGAIN_MS = 25 * 60_000;

/**
 * Makes the next comment job compare our comments with GitHub's and retry refused writes, because a person
 * requested it.
 */
export async function checkCommentsNow(
  { db, clock }: Pick<JobDeps, "db" | "clock">,
  { repositoryId, number }: PullKey,
): Promise<void> {
  await setCheckedAt(db, { repositoryId, number }, null);
  await retryCommentsNow(db, { repositoryId, number }, new Date(clock.now()));
}

/** Makes a comment job compare them as soon as no request can take effect any more whose answer was given up. */
export async function checkCommentsLater(
  { db, clock, queue }: Pick<JobDeps, "db" | "clock" | "queue">,
  { repositoryId, number }: PullKey,
): Promise<void> {
  const dueAt = new Date(clock.now() + LATE_MS - COMPARE_AGAIN_MS);
  await setCheckedAt(db, { repositoryId, number }, dueAt);
  await enqueueAfterLateRequests({ queue, clock }, formatLaneKey({ kind: "pull", repositoryId, number }));
}
