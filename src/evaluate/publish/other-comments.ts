import type { PullKey } from "../../kernel/ids.ts";
import { listAnswerIds } from "../../store/approvals/replies.ts";
import { listEarlierComments } from "../../store/earlier-comments.ts";
import type { JobDeps } from "../run/deps.ts";

/** Returns the ids of our own comments that are not the newest report: answers and earlier reports. */
export async function listOtherIds({ db }: Pick<JobDeps, "db">, pull: PullKey): Promise<readonly number[]> {
  const [answers, earlier] = await Promise.all([listAnswerIds(db, pull), listEarlierComments(db, pull)]);
  return [...answers, ...earlier.map(({ commentId }) => commentId)];
}
