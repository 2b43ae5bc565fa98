import type { Evaluation } from "../../policy/model/evaluation.ts";
import { findComment } from "../../store/comments.ts";
import type { JobDeps } from "../run/deps.ts";
import { isSaidBy } from "./comment-content.ts";

type Pages = Pick<JobDeps, "githubPages">;

/** A pull request on GitHub, as a person sees it. */
export const pullPage = (
  { githubPages }: Pages,
  { repository, number }: { readonly repository: string; readonly number: number },
): string => `${githubPages}/${repository}/pull/${number}`;

/** A branch's merge queue. */
export const queuePage = ({ githubPages }: Pages, repository: string, branch: string): string =>
  `${githubPages}/${repository}/queue/${branch.split("/").map(encodeURIComponent).join("/")}`;

/**
 * Where a check leads whoever wants to know more: to the pull request's own comment if that is, or is about to be, the one that
 * says the same; else to the pull request. The gate comes before the comment, so the first check of a pull request leads there.
 */
export async function detailsOf(deps: Pages & Pick<JobDeps, "db">, evaluation: Evaluation): Promise<string> {
  const page = pullPage(deps, evaluation.pull);
  const known = await findComment(deps.db, evaluation.pull);
  return known !== null && isSaidBy(evaluation, known) ? `${page}#issuecomment-${known.commentId}` : page;
}
