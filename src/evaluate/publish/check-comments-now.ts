import type { PullKey } from "../../kernel/ids.ts";
import { tryCommentsNow } from "../../store/comment-problems.ts";
import { setChecked } from "../../store/comments.ts";
import type { JobDeps } from "../run/deps.ts";

/** A person wants it: the next comment job compares our comments with what GitHub shows, and tries again what GitHub refused. */
export async function checkCommentsNow(
  { db, clock }: Pick<JobDeps, "db" | "clock">,
  { repositoryId, number }: PullKey,
): Promise<void> {
  await setChecked(db, { repositoryId, number }, null);
  await tryCommentsNow(db, { repositoryId, number }, new Date(clock.now()));
}
