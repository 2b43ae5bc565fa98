import { deleteEarlier, hideEarlier } from "../../github/comments/earlier-comment.ts";
import type { PullKey } from "../../kernel/ids.ts";
import type { CommentMode } from "../../policy/policy.ts";
import { earlierComments, forgetEarlier, markHidden } from "../../store/earlier-comments.ts";
import type { JobDeps } from "../deps.ts";
import type { CommentTarget } from "./comment-target.ts";

/** Comments dealt with in one go; the next publication takes the rest. */
const AT_ONCE = 5;

/**
 * What becomes of earlier comments once the newest is there: folded, taken away, or left as they are. Where the policy asks
 * for one comment that is kept up to date, those of another time go.
 */
export async function tidyEarlier(
  deps: JobDeps,
  target: CommentTarget,
  { pull, mode }: { readonly pull: PullKey; readonly mode: CommentMode },
): Promise<void> {
  if (mode === "new") return;
  const all = await earlierComments(deps.db, pull);
  const open = mode === "hide-and-new" ? all.filter(({ hidden }) => !hidden) : all;
  for (const { commentId } of open.slice(0, AT_ONCE))
    if (!(await putAway(deps, target, { pull, mode, commentId }))) return;
}

/** False: no further one is to be tried now. */
async function putAway(
  deps: JobDeps,
  { client, stillCurrent }: CommentTarget,
  {
    pull,
    mode,
    commentId,
  }: { readonly pull: PullKey; readonly mode: CommentMode; readonly commentId: number },
): Promise<boolean> {
  const { repositoryId, number } = pull;
  const hides = mode === "hide-and-new";
  const answer = await (hides ? hideEarlier : deleteEarlier)(client, {
    repositoryId,
    number,
    commentId,
    stillCurrent,
  });
  if (!answer.ok) {
    // The newest comment is there; that an old one still shows is not worth failing for.
    deps.log.warn({ failure: answer.failure.kind }, "an earlier comment could not be put away");
    return false;
  }
  if (answer.value === "superseded") return false;
  if (hides && answer.value === "done") await markHidden(deps.db, repositoryId, commentId);
  else await forgetEarlier(deps.db, repositoryId, commentId);
  return true;
}
