import type { PullKey } from "../../kernel/ids.ts";
import { retryCommentsNow } from "../../store/comment-problems.ts";
import { setCheckedAt } from "../../store/comments.ts";
import type { JobDeps } from "../run/deps.ts";

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
