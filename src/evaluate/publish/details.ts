import type { Evaluation } from "../../policy/model/evaluation.ts";
import { findComment } from "../../store/comments.ts";
import type { JobDeps, PullPlace } from "../run/deps.ts";
import { isShownBy } from "./comment-content.ts";

type PagesDeps = Pick<JobDeps, "githubPages" | "buildPullPage">;

/** Returns the URL of a pull request's page on GitHub. */
export const buildPullUrl = (
  { githubPages }: Pick<JobDeps, "githubPages">,
  { repository, number }: PullPlace,
): string => `${githubPages}/${repository}/pull/${number}`;

/** Returns the URL of a branch's merge queue on GitHub. */
export const buildQueueUrl = (
  { githubPages }: Pick<JobDeps, "githubPages">,
  repository: string,
  branch: string,
): string => `${githubPages}/${repository}/queue/${branch.split("/").map(encodeURIComponent).join("/")}`;

/**
 * Returns the details URL of a check: the pull request's page of our own where people can sign in; else our comment if it shows the same evaluation or is about to, otherwise
 * the pull request. The check is published before the comment, so the first check of a pull request links to
 * the pull request.
 */
export async function findDetailsUrl(
  deps: PagesDeps & Pick<JobDeps, "db">,
  evaluation: Evaluation,
): Promise<string> {
  if (deps.buildPullPage !== undefined) return deps.buildPullPage(evaluation.pull);
  const page = buildPullUrl(deps, evaluation.pull);
  const known = await findComment(deps.db, evaluation.pull);
  return known !== null && isShownBy(evaluation, known) ? `${page}#issuecomment-${known.commentId}` : page;
}
