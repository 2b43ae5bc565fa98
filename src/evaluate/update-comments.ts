import { GitHubError, SupersededError } from "../github/client/result.ts";
import {
  classifyRefusal,
  computeBodyDigest,
  deleteComment,
  isSameBody,
  listOwnComments,
  minimiseComment,
  type OwnComment,
  updateComment,
} from "../github/comments/own-comments.ts";
import { MINUTE_MS } from "../kernel/clock.ts";
import { type CommentProblem, hasNews } from "../policy/news.ts";
import { formatLaneKey, parseLaneKey } from "../queue/names.ts";
import { enqueueLane } from "../queue/queue.ts";
import type { JobAttempt } from "../queue/workers.ts";
import { keepSignsTogether } from "../render/sign-joiners.ts";
import { hasUnstoredAnswer } from "../store/approvals/commands.ts";
import { LATE_REQUESTS_END_MS } from "../store/check-runs.ts";
import {
  findCommentProblem,
  forgetCommentProblem,
  readAnswers,
  type StoredCommentProblem,
  saveCommentProblem,
} from "../store/comment-problems.ts";
import {
  beginCommentRun,
  endCommentRun,
  findComment,
  forgetEarlierComment,
  listEarlierComments,
  markCompared,
  markMinimised,
  type StoredComment,
  saveComment,
} from "../store/comments.ts";
import { findDigest, findEvaluation } from "../store/evaluations.ts";
import { findRepository } from "../store/repositories.ts";
import { QUICK_TRIES } from "./check.ts";
import { computeNewsDigest } from "./comment-content.ts";
import { computePause, LONGEST_PAUSE_MS, sendReplies } from "./replies.ts";
import { addEarlier, publishReport } from "./report-comment.ts";
import { updateReviewers } from "./reviewers.ts";
import { type CommentJob, describePull, isNewest, type JobDeps } from "./run/deps.ts";

/** Updates a pull request's comments from its newest evaluation. Throws when the queue should retry. */
export async function updateComments(deps: JobDeps, lane: string, attempt: JobAttempt): Promise<void> {
  const subject = parseLaneKey(lane);
  if (subject?.kind !== "pull") return;
  const { repositoryId, number } = subject;
  const run = await beginCommentRun(deps.db, lane, new Date(deps.clock.now()));
  const [stored, problem, repository] = await Promise.all([
    findEvaluation(deps.db, subject),
    findCommentProblem(deps.db, subject),
    findRepository(deps.db, repositoryId),
  ]);
  if (stored === null || repository === undefined) {
    await endCommentRun(deps.db, run, { isCompared: false });
    return;
  }
  deps.telemetry.note(describePull(repository, number));
  let listed: Promise<readonly OwnComment[]> | null = null;
  const job: CommentJob = {
    deps,
    repositoryId,
    number,
    client: deps.github(repository.installation_id),
    isCurrent: () => isNewest(deps, { fence: run.fence, attempt }),
    attempt,
    run,
    stored,
    list: () => (listed ??= listOwnComments(job)),
  };
  try {
    await performJob(job, problem);
  } catch (error) {
    if (error instanceof SupersededError) return;
    deps.log.warn({ lane, attempt: attempt.attempt, error }, "a comment job failed");
    // So that the sweep retries.
    if (attempt.lastAttempt) await saveProblem(job, "unavailable", problem);
    throw error;
  }
}

/** Time between two comparisons of our comments with GitHub's, in ms: a delivery may have been lost. */
const COMPARE_AGAIN_MS = 25 * MINUTE_MS;

/**
 * Sends replies, restores what others changed, and publishes the report. Each step is performed even if an earlier one failed. After a run
 * that may have left a request without an answer, and after others changed a comment, GitHub's comments are read before anything is written,
 * and once more when no late request can take effect any longer.
 */
async function performJob(job: CommentJob, problem: StoredCommentProblem | null): Promise<void> {
  const { deps, run, stored } = job;
  // A newer evaluation enqueues its own comment job.
  const reportJob: CommentJob = {
    ...job,
    isCurrent: async () => (await job.isCurrent()) && (await findDigest(deps.db, job)) === stored.digest,
  };
  const failures: Failure[] = [];
  const attemptStep: AttemptStep = async (step, isEarlier = false) => {
    try {
      await step();
      return true;
    } catch (error) {
      if (error instanceof SupersededError) throw error;
      failures.push({ error, problem: isEarlier ? toEarlierProblem(error) : findProblem(error) });
      return false;
    }
  };
  const replies = await sendReplies(job);
  const known = (await findComment(deps.db, job)) ?? (await findOneShotReport(job));
  const isComparing =
    run.lateRequests !== "none" ||
    (known !== null && deps.clock.now() - known.checkedAt.getTime() >= COMPARE_AGAIN_MS);
  let isChanged = false;
  let isCompared = false;
  if (isComparing)
    await attemptStep(async () => {
      isChanged = known !== null && isReportChanged(known, await job.list());
      isCompared = await compareComments(job, known, attemptStep);
    });
  const isDue = isReportDue(job, problem);
  const publish = () =>
    deps.telemetry.step("publish comment", () => publishReport(reportJob, { known, isChanged }));
  if (isDue && (await attemptStep(publish))) await attemptStep(() => disposeEarlierComments(reportJob), true);
  // What GitHub refused to restore, the next run finds by comparing again.
  const isRestored = isCompared && failures.length === 0 && (isDue || !isChanged);
  if (isRestored) await markCompared(deps.db, job, new Date(deps.clock.now()));
  await deps.telemetry.step("request reviewers", () => updateReviewers(reportJob));
  const failed = failures.find((failure) => failure.problem === null);
  if (failed !== undefined) throw failed.error;
  if (replies.isAnswered) await endRun(job, { isCompared: isRestored });
  const [refused] = failures;
  if (refused !== undefined) await settleRefusal(job, refused, problem);
  else if (isDue && problem !== null) await forgetProblem(job, problem);
  if (replies.retry !== null) throw replies.retry;
}

/** Performs a step; false: it failed, which is noted. `isEarlier`: it is about an earlier comment. */
type AttemptStep = (step: () => Promise<void>, isEarlier?: boolean) => Promise<boolean>;

/** Ends a run that left no request without an answer. One more run follows when no late request can take effect any longer. */
async function endRun(
  { deps, run, repositoryId, number }: CommentJob,
  known: { readonly isCompared: boolean },
): Promise<void> {
  if (await endCommentRun(deps.db, run, known)) return;
  const lane = formatLaneKey({ kind: "pull", repositoryId, number });
  await deps.queue.setAlarm(lane, deps.clock.now() + LATE_REQUESTS_END_MS, "late comments");
}

/** Whether GitHub shows something else than our report. */
const isReportChanged = ({ commentId, digest }: StoredComment, own: readonly OwnComment[]): boolean =>
  computeBodyDigest(own.find(({ id }) => id === commentId)?.body ?? "") !== digest;

/** A CI job has no store: the report of an earlier job, where this evaluation would write none, so that it is updated or withdrawn. */
async function findOneShotReport(job: CommentJob): Promise<StoredComment | null> {
  const { deps, repositoryId, number, stored } = job;
  if (!deps.isOneShot || hasNews(stored.evaluation)) return null;
  const newest = (await job.list()).findLast(({ purpose }) => purpose === "report");
  if (newest === undefined) return null;
  const report = { commentId: newest.id, digest: computeBodyDigest(newest.body), content: null };
  const checkedAt = new Date(deps.clock.now());
  await saveComment(deps.db, { repositoryId, number, ...report }, checkedAt);
  return { ...report, checkedAt };
}

/**
 * Restores answers that others changed, and deletes earlier reports that they changed, whose text is not stored. Comments of ours that are
 * not stored count as earlier reports. Returns whether all of our comments are known now.
 */
async function compareComments(
  job: CommentJob,
  known: StoredComment | null,
  attemptStep: AttemptStep,
): Promise<boolean> {
  const { db } = job.deps;
  const own = await job.list();
  const [answers, earlier] = await Promise.all([readAnswers(db, job), listEarlierComments(db, job)]);
  const digests = new Map(earlier.map(({ commentId, digest }) => [commentId, digest]));
  for (const { id, body } of own) {
    const answer = answers.get(id);
    const text =
      answer === undefined ? null : { body: keepSignsTogether(answer), purpose: "answer" as const };
    if (text !== null && !isSameBody(body, text.body)) await attemptStep(() => updateComment(job, id, text));
    const digest = digests.get(id) ?? null;
    if (digest !== null && computeBodyDigest(body) !== digest)
      await attemptStep(async () => {
        await deleteComment(job, id);
        await forgetEarlierComment(db, job.repositoryId, id);
      });
  }
  // An answer that may be there becomes known when its reply is sent; an unstored report, when there is something to report.
  if (await hasUnstoredAnswer(db, job)) return false;
  if (known === null && hasNews(job.stored.evaluation)) return true;
  if (!(await job.isCurrent())) throw new SupersededError("another run may have stored a comment since");
  await addEarlier(
    job,
    own.filter(({ id }) => id !== known?.commentId && !answers.has(id) && !digests.has(id)),
  );
  return true;
}

/** Comments handled at once; the next job handles the rest. */
const AT_ONCE = 5;

/**
 * Minimises, deletes or leaves earlier comments after the newest is published. In the mode with one updated comment, earlier
 * ones are deleted.
 */
async function disposeEarlierComments(job: CommentJob): Promise<void> {
  const { deps, repositoryId, stored } = job;
  const { commentMode: mode } = stored.evaluation;
  if (mode === "new") return;
  const all = await listEarlierComments(deps.db, job);
  const open = mode === "hide-and-new" ? all.filter(({ isMinimised }) => !isMinimised) : all;
  for (const { commentId } of open.slice(0, AT_ONCE)) {
    const shown = mode === "hide-and-new" ? (await job.list()).find(({ id }) => id === commentId) : undefined;
    if (shown !== undefined) {
      await minimiseComment(job, shown);
      await markMinimised(deps.db, repositoryId, commentId);
    } else {
      if (mode !== "hide-and-new") await deleteComment(job, commentId);
      await forgetEarlierComment(deps.db, repositoryId, commentId);
    }
  }
}

interface Failure {
  readonly error: unknown;
  /** Null: GitHub did not refuse it, so the queue retries. */
  readonly problem: CommentProblem | null;
}

const findProblem = (error: unknown): CommentProblem | null =>
  error instanceof GitHubError ? classifyRefusal(error.failure) : null;

/** The newest comment is published; an earlier one that still shows is retried and not reported. */
const toEarlierProblem = (error: unknown): CommentProblem | null => findProblem(error) && "earlier";

/** After a refusal, the report is written again when the next attempt is due, or at once with new content. */
const isReportDue = ({ deps, stored }: CommentJob, problem: StoredCommentProblem | null): boolean =>
  problem === null ||
  problem.problem === "earlier" ||
  problem.digest !== computeNewsDigest(stored.evaluation) ||
  problem.nextAt.getTime() <= deps.clock.now();

/** Refusals that may be a temporary error of GitHub. */
const TEMPORARY_PROBLEMS: ReadonlySet<CommentProblem> = new Set(["refused", "earlier"]);

/** Lets the queue retry what may be temporary; otherwise stores the problem, and lets the check show it. */
async function settleRefusal(
  job: CommentJob,
  { error, problem }: Failure,
  before: StoredCommentProblem | null,
): Promise<void> {
  const isQuick = job.attempt.attempt <= QUICK_TRIES && before === null;
  if (problem === null || (isQuick && TEMPORARY_PROBLEMS.has(problem))) throw error;
  await saveProblem(job, problem, before);
}

async function saveProblem(
  job: CommentJob,
  problem: CommentProblem,
  before: StoredCommentProblem | null,
): Promise<void> {
  const { deps, repositoryId, number, stored } = job;
  const nowMs = deps.clock.now();
  deps.log.warn({ repositoryId, number, problem }, "a pull request's comments are not as they should be");
  const firstAt = before?.firstAt ?? new Date(nowMs);
  const isTemporary = TEMPORARY_PROBLEMS.has(problem) || problem === "unavailable";
  const pause = isTemporary ? computePause(firstAt.getTime(), nowMs) : LONGEST_PAUSE_MS;
  const digest = computeNewsDigest(stored.evaluation);
  const nextAt = new Date(nowMs + pause);
  await saveCommentProblem(deps.db, job, { problem, digest, firstAt, nextAt });
  await showProblem(job, problem, before);
}

async function forgetProblem(job: CommentJob, before: StoredCommentProblem): Promise<void> {
  await forgetCommentProblem(job.deps.db, job);
  await showProblem(job, null, before);
}

/** Enqueues the lane if the check shows another problem: only the lane writes the check. An earlier comment is not reported. */
async function showProblem(
  { deps, repositoryId, number }: CommentJob,
  now: CommentProblem | null,
  before: StoredCommentProblem | null,
): Promise<void> {
  const getReported = (problem: CommentProblem | null) => (problem === "earlier" ? null : problem);
  if (getReported(before?.problem ?? null) !== getReported(now))
    await enqueueLane(deps, { kind: "pull", repositoryId, number });
}
