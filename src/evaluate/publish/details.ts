import type { Evaluation } from "../../policy/model/evaluation.ts";
import { findComment } from "../../store/comments.ts";
import type { JobDeps } from "../run/deps.ts";
import { isShownBy } from "./comment-content.ts";

type PagesDeps = Pick<JobDeps, "githubPages">;

/** Returns the URL of a pull request's page on GitHub. */
export const buildPullUrl = (
  { githubPages }: PagesDeps,
  { repository, number }: { readonly repository: string; readonly number: number },
): string => `${githubPages}/${repository}/pull/${number}`;

/** Returns the URL of a branch's merge queue on GitHub. */
export const buildQueueUrl = ({ githubPages }: PagesDeps, repository: string, branch: string): string =>
  `${githubPages}/${repository}/queue/${branch.split("/").map(encodeURIComponent).join("/")}`;

/**
 * Returns the details URL of a check: our comment if it shows the same evaluation or is about to, otherwise
 * the pull request. The check is published before the comment, so the first check of a pull request links to
 * the pull request.
 */
export async function findDetailsUrl(
  deps: PagesDeps & Pick<JobDeps, "db">,
  evaluation: Evaluation,
): Promise<string> {
  const page = buildPullUrl(deps, evaluation.pull);
  const known = await findComment(deps.db, evaluation.pull);
  return known !== null && isShownBy(evaluation, known) ? `${page}#issuecomment-${known.commentId}` : page;
}
