import type { CheckOutput, CheckState } from "../github/checks/publish-check.ts";
import { ONE_SHOT_PREFIX } from "../github/head/one-shot-checks.ts";
import type { Evaluation } from "../policy/model/evaluation.ts";
import { hasNews, isReasonGone } from "../policy/news.ts";
import type { Links } from "../render/sections/section.ts";
import type { StoredComment } from "../store/comments.ts";
import { findComment } from "../store/comments.ts";
import { computeDigest } from "../store/digest.ts";
import type { JobDeps, PullAddress } from "./run/deps.ts";

/**
 * Returns the content that a reader must know, independent of commit and execution: equal texts mean that
 * nothing changed.
 */
export function buildCommentContent({
  report,
  situation,
  approvals,
  override,
  policyEdit,
}: Evaluation): string {
  const stages = report.stages.map(
    ({ org, project, workspace, currency, before, after, change, state, counts, unpriced, usage }) => [
      [org, project, workspace],
      [currency, before, after, change, state],
      usage === undefined ? [counts, unpriced] : [counts, unpriced, usage],
    ],
  );
  const content = [situation, stages, approvals, policyEdit, ...(override === undefined ? [] : [override])];
  return computeDigest(content);
}

/**
 * Digest of the content and the commit: for a new commit, a comment that GitHub refused is retried at once.
 */
export const computeNewsDigest = (evaluation: Evaluation): string =>
  computeDigest([evaluation.pull.headSha, buildCommentContent(evaluation)]);

/** Whether a new comment is due: something changed, and the evaluation does not only wait. */
export function isFurtherCommentDue(
  evaluation: Evaluation,
  { known, content }: { readonly known: StoredComment | null; readonly content: string },
): boolean {
  if (known === null) return true;
  return known.content !== content && evaluation.situation.kind !== "waiting" && hasNews(evaluation);
}

/**
 * Whether the newest comment shows this evaluation: then no further comment is created, and a waiting state
 * is written to it.
 */
function isShownBy(evaluation: Evaluation, known: StoredComment): boolean {
  const { commentMode: mode, situation } = evaluation;
  if (isWithdrawn(evaluation)) return false;
  if (mode === "update") return true;
  return (
    situation.kind !== "waiting" &&
    !isFurtherCommentDue(evaluation, { known, content: buildCommentContent(evaluation) })
  );
}

/**
 * Whether the comment is withdrawn: the reason for it has ended, and the policy requires no comment without a
 * reason. In the modes where each state has its own comment, earlier comments stay.
 */
export function isWithdrawn(evaluation: Evaluation): boolean {
  const { commentMode: mode, quiet, smallChange } = evaluation;
  return mode !== "new" && (quiet || smallChange !== undefined) && isReasonGone(evaluation);
}

/**
 * The `external_id` of a check, a digest of what it shows and of nothing else: everybody can read it who reads the repository, and hidden
 * amounts could be guessed from a digest of them. The footer alone makes no other check.
 */
export const computeShownDigest = (
  headSha: string,
  decision: CheckState,
  { footer: _, ...output }: CheckOutput,
): string => computeDigest({ headSha, decision, output });

type PagesDeps = Pick<JobDeps, "githubPages" | "buildPullPage">;

/** Returns the URL of a pull request's page on GitHub. */
export const buildPullUrl = (
  { githubPages }: Pick<JobDeps, "githubPages">,
  { repository, number }: PullAddress,
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

type LinksDeps = Pick<JobDeps, "githubPages" | "policyPage" | "buildPullPage" | "isOneShot">;

/** Links in comments and checks of a pull request. */
export const buildLinks = (
  { githubPages, policyPage, buildPullPage, isOneShot }: LinksDeps,
  pull: PullAddress,
): Links => ({
  details: buildPullPage?.(pull) ?? null,
  recheckHint: !isOneShot,
  github: githubPages,
  ...(policyPage !== undefined && { policyPage }),
});

/**
 * Returns the `external_id` of a CI job's check. The next job has no store, so it reads from it which findings
 * people could approve on this head, and since when.
 */
export function formatOneShotId(shown: string, evaluation: Evaluation): string {
  const { pull, evaluatedMs = "", approvableDigest = "" } = evaluation;
  return `${ONE_SHOT_PREFIX}${[shown, computeDigest(pull.baseRef), evaluatedMs, approvableDigest].join(":")}`;
}

/** The digest of the base branch that an `external_id` is about; undefined: none. */
export const parseOneShotBase = (externalId: string | null): string | undefined =>
  externalId?.startsWith(ONE_SHOT_PREFIX) ? externalId.split(":")[2] : undefined;

const HEX = "[0-9a-f]{32}";
/** The digest of annotations may follow, see `formatRunId`. */
const ID = new RegExp(`^${ONE_SHOT_PREFIX}${HEX}:(${HEX}):(\\d{1,15}):(${HEX})(?:~${HEX})?$`);

/** Returns the digest of the approvable findings that an `external_id` states for a base branch, and since when. */
export function parseOneShotApprovable(
  externalId: string | null,
  baseRef: string,
): Pick<Evaluation, "evaluatedMs" | "approvableDigest"> {
  const [, base, evaluatedMs, approvableDigest] = ID.exec(externalId ?? "") ?? [];
  if (approvableDigest === undefined || base !== computeDigest(baseRef)) return {};
  return { evaluatedMs: Number(evaluatedMs), approvableDigest };
}
