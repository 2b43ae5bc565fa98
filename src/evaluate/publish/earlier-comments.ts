import { deleteEarlierComment, hideEarlierComment } from "../../github/comments/earlier-comment.ts";
import type { PullKey } from "../../kernel/ids.ts";
import type { CommentMode } from "../../policy/model/policy.ts";
import { forgetEarlierComment, listEarlierComments, markHidden } from "../../store/comments.ts";
import type { JobDeps } from "../run/deps.ts";
import type { CommentTarget } from "./comment-target.ts";
import type { PublishOutcome } from "./outcome.ts";

/** Comments handled at once; the next publication handles the rest. */
const AT_ONCE = 5;

/**
 * Minimises, deletes or leaves earlier comments after the newest is published. In the mode with one updated comment, earlier
 * ones are deleted.
 */
export async function disposeEarlierComments(
  deps: JobDeps,
  target: CommentTarget,
  { pull, mode }: { readonly pull: PullKey; readonly mode: CommentMode },
): Promise<PublishOutcome> {
  if (mode === "new") return { state: "published" };
  const all = await listEarlierComments(deps.db, pull);
  const open = mode === "hide-and-new" ? all.filter(({ isMinimised }) => !isMinimised) : all;
  for (const { commentId } of open.slice(0, AT_ONCE)) {
    const published = await disposeComment(deps, target, { pull, mode, commentId });
    if (published.state !== "published") return published;
  }
  return { state: "published" };
}

async function disposeComment(
  deps: JobDeps,
  { client, isCurrent }: CommentTarget,
  {
    pull,
    mode,
    commentId,
  }: { readonly pull: PullKey; readonly mode: CommentMode; readonly commentId: number },
): Promise<PublishOutcome> {
  const { repositoryId, number } = pull;
  const hides = mode === "hide-and-new";
  const answer = await (hides ? hideEarlierComment : deleteEarlierComment)(client, {
    repositoryId,
    number,
    commentId,
    isCurrent,
  });
  // The newest comment is published; an earlier one that still shows is retried and not reported.
  if (!answer.ok) return { state: "refused", problem: "earlier", failure: answer.failure };
  if (answer.value === "superseded") return { state: "superseded" };
  if (hides && answer.value === "done") await markHidden(deps.db, repositoryId, commentId);
  else await forgetEarlierComment(deps.db, repositoryId, commentId);
  return { state: "published" };
}
