import { GitHubError, SupersededError } from "../github/client/result.ts";
import {
  type CommentTarget,
  classifyRefusal,
  computeBodyDigest,
  deleteComment,
  isSameBody,
  listOwnComments,
  minimiseComment,
  type OwnComment,
  updateComment,
} from "../github/comments/comments.ts";
import { MINUTE_MS } from "../kernel/clock.ts";
import type { PullKey } from "../kernel/ids.ts";
import { type CommentProblem, hasNews } from "../policy/news.ts";
import { formatLaneKey, parseLaneKey } from "../queue/names.ts";
import { enqueueLane } from "../queue/queue.ts";
import type { JobAttempt } from "../queue/workers.ts";
import { keepSignsTogether } from "../render/sign-joiners.ts";
import { hasUnstoredAnswer } from "../store/approvals/commands.ts";
import { CERTAINLY_PAST_MS } from "../store/check-runs.ts";
import {
  findCommentProblem,
  forgetCommentProblem,
  readAnswers,
  type StoredCommentProblem,
  saveCommentProblem,
} from "../store/comment-problems.ts";
import {
  addEarlierComments,
  beginCommentRun,
  type CommentRun,
  endCommentRun,
  findComment,
  forgetEarlierComment,
  listEarlierComments,
  markCompared,
  markHidden,
  type StoredComment,
  saveComment,
} from "../store/comments.ts";
import { isFenceHeld } from "../store/database/lanes.ts";
import { findDigest, findEvaluation, type StoredEvaluation } from "../store/evaluations.ts";
import { findRepository, type Repository } from "../store/repositories.ts";
import { QUICK_TRIES } from "./check.ts";
import { computeNewsDigest } from "./comment-content.ts";
import { computePause, LONGEST_PAUSE_MS, sendReplies } from "./replies.ts";
import { publishReport } from "./report-comment.ts";
import { updateReviewers } from "./reviewers.ts";
import { describePull, isNewest, type JobDeps } from "./run/deps.ts";

/** A comment job, with what was stored when it started. */
interface CommentJob {
  readonly pull: PullKey;
  readonly attempt: JobAttempt;
  readonly run: CommentRun;
  readonly stored: StoredEvaluation;
  readonly repository: Repository;
  readonly problem: StoredCommentProblem | null;
}

/** Updates a pull request's comments from its newest evaluation. Throws when the queue should retry. */
export async function updateComments(deps: JobDeps, lane: string, attempt: JobAttempt): Promise<void> {
  const subject = parseLaneKey(lane);
  if (subject?.kind !== "pull") return;
  const { repositoryId, number } = subject;
  const pull = { repositoryId, number };
  const run = await beginCommentRun(deps.db, lane, new Date(deps.clock.now()));
  const [stored, problem, repository] = await Promise.all([
    findEvaluation(deps.db, pull),
    findCommentProblem(deps.db, pull),
    findRepository(deps.db, repositoryId),
  ]);
  if (stored === null || repository === undefined)
    return void (await endCommentRun(deps.db, run, { isCompared: false }));
  deps.telemetry.note(describePull(repository, number));
  const job = { pull, attempt, run, stored, repository, problem };
  try {
    await performJob(deps, job);
  } catch (error) {
    if (error instanceof SupersededError) return;
    deps.log.warn({ lane, attempt: attempt.attempt, error }, "a comment job failed");
    // So that the sweep retries.
    if (attempt.lastAttempt) await saveProblem(deps, job, "unavailable");
    throw error;
  }
}

/** Time between two comparisons of our comments with GitHub's, in ms: a delivery may have been lost. */
const COMPARE_AGAIN_MS = 25 * MINUTE_MS;

/**
 * Sends replies, restores what others changed, and publishes the report. Each step is performed even if an earlier one failed. After a run
 * that may have left a request without an answer, and after others changed a comment, GitHub's comments are read before anything is written,
 * and once more when no late request can take effect any longer (invariant 1).
 */
async function performJob(deps: JobDeps, job: CommentJob): Promise<void> {
  const { pull, attempt, run, stored, repository } = job;
  const { evaluation } = stored;
  const target: CommentTarget = {
    ...pull,
    client: deps.github(repository.installation_id),
    isCurrent: () => isNewest(deps, { fence: run.fence, attempt }),
  };
  // A newer evaluation enqueues its own comment job.
  const reportTarget: CommentTarget = {
    ...target,
    isCurrent: async () =>
      (await target.isCurrent()) && (await findDigest(deps.db, evaluation.pull)) === stored.digest,
  };
  let listed: Promise<readonly OwnComment[]> | null = null;
  const list = () => (listed ??= listOwnComments(target));
  const failures: Failure[] = [];
  const attemptStep = async (step: () => Promise<void>, isEarlier = false): Promise<void> => {
    try {
      await step();
    } catch (error) {
      if (error instanceof SupersededError) throw error;
      failures.push({ error, problem: isEarlier ? toEarlierProblem(error) : findProblem(error) });
    }
  };
  const replies = await sendReplies(deps, { ...target, attempt }, list);
  const known = (await findComment(deps.db, pull)) ?? (await findOneShotReport(deps, evaluation, list));
  const isComparing =
    run.lateRequests !== "none" ||
    (known !== null && deps.clock.now() - known.checkedAt.getTime() >= COMPARE_AGAIN_MS);
  let isChanged = false;
  let isCompared = false;
  if (isComparing)
    await attemptStep(async () => {
      isChanged = known !== null && isReportChanged(known, await list());
      isCompared = await compareComments(deps, target, { known, stored, own: await list(), attemptStep });
    });
  const isDue = isReportDue(deps, job);
  const isNewestRun = () => isFenceHeld(deps.db, run.fence);
  if (isDue) {
    const before = failures.length;
    await attemptStep(() =>
      deps.telemetry.step("publish comment", () =>
        publishReport(deps, reportTarget, { evaluation, known, isChanged, isNewestRun, list }),
      ),
    );
    if (failures.length === before)
      await attemptStep(() => disposeEarlierComments(deps, reportTarget, { stored, list }), true);
  }
  // What GitHub refused to restore, the next run finds by comparing again.
  const isRestored = isCompared && failures.length === 0 && (isDue || !isChanged);
  if (isRestored) await markCompared(deps.db, pull, new Date(deps.clock.now()));
  await deps.telemetry.step("request reviewers", () => updateReviewers(deps, reportTarget, evaluation));
  const failed = failures.find(({ problem }) => problem === null);
  if (failed !== undefined) throw failed.error;
  if (replies.isAnswered) await endRun(deps, job, { isCompared: isRestored });
  const [refused] = failures;
  if (refused !== undefined) await settleRefusal(deps, job, refused);
  else if (isDue) await forgetProblem(deps, job);
  if (replies.retry !== null) throw replies.retry;
}

/** Ends a run that left no request without an answer. One more run follows when no late request can take effect any longer. */
async function endRun(
  { db, queue, clock }: JobDeps,
  { run, pull }: CommentJob,
  known: { readonly isCompared: boolean },
): Promise<void> {
  if (await endCommentRun(db, run, known)) return;
  const lane = formatLaneKey({ kind: "pull", ...pull });
  await queue.setAlarm(lane, clock.now() + CERTAINLY_PAST_MS, "late comments");
}

/** Whether GitHub shows something else than our report. */
const isReportChanged = ({ commentId, digest }: StoredComment, own: readonly OwnComment[]): boolean =>
  computeBodyDigest(own.find(({ id }) => id === commentId)?.body ?? "") !== digest;

/** A CI job has no store: the report of an earlier job, where this evaluation would write none, so that it is updated or withdrawn. */
async function findOneShotReport(
  { db, clock, isOneShot }: JobDeps,
  evaluation: StoredEvaluation["evaluation"],
  list: () => Promise<readonly OwnComment[]>,
): Promise<StoredComment | null> {
  if (!isOneShot || hasNews(evaluation)) return null;
  const newest = (await list()).findLast(({ purpose }) => purpose === "report");
  if (newest === undefined) return null;
  const report = { commentId: newest.id, digest: computeBodyDigest(newest.body), content: null };
  const now = new Date(clock.now());
  const { repositoryId, number } = evaluation.pull;
  await saveComment(db, { repositoryId, number, ...report }, now);
  return { ...report, checkedAt: now };
}

interface Comparison {
  readonly known: StoredComment | null;
  readonly stored: StoredEvaluation;
  /** As GitHub lists them. */
  readonly own: readonly OwnComment[];
  readonly attemptStep: (step: () => Promise<void>) => Promise<void>;
}

/**
 * Restores answers that others changed, and deletes earlier reports that they changed, whose text is not stored. Comments of ours that are
 * not stored count as earlier reports. Returns whether all of our comments are known now.
 */
async function compareComments(
  deps: JobDeps,
  target: CommentTarget,
  { known, stored, own, attemptStep }: Comparison,
): Promise<boolean> {
  const { db } = deps;
  const pull = { repositoryId: target.repositoryId, number: target.number };
  const [answers, earlier] = await Promise.all([readAnswers(db, pull), listEarlierComments(db, pull)]);
  const digests = new Map(earlier.map(({ commentId, digest }) => [commentId, digest]));
  for (const { id, body } of own) {
    const answer = answers.get(id);
    const text =
      answer === undefined ? null : { body: keepSignsTogether(answer), purpose: "answer" as const };
    if (text !== null && !isSameBody(body, text.body))
      await attemptStep(() => updateComment(target, id, text));
    const digest = digests.get(id) ?? null;
    if (digest !== null && computeBodyDigest(body) !== digest)
      await attemptStep(async () => {
        await deleteComment(target, id);
        await forgetEarlierComment(db, pull.repositoryId, id);
      });
  }
  // An answer that may be there becomes known when its reply is sent; an unstored report, when there is something to report.
  if (await hasUnstoredAnswer(db, pull)) return false;
  if (known === null && hasNews(stored.evaluation)) return true;
  if (!(await target.isCurrent())) throw new SupersededError("another run may have stored a comment since");
  const unstored = own.filter(({ id }) => id !== known?.commentId && !answers.has(id) && !digests.has(id));
  const unstoredIds = unstored.map(({ id }) => id);
  await addEarlierComments(db, pull, unstoredIds);
  return true;
}

/** Comments handled at once; the next job handles the rest. */
const AT_ONCE = 5;

/**
 * Minimises, deletes or leaves earlier comments after the newest is published. In the mode with one updated comment, earlier
 * ones are deleted.
 */
async function disposeEarlierComments(
  { db }: JobDeps,
  target: CommentTarget,
  { stored, list }: Pick<CommentJob, "stored"> & { readonly list: () => Promise<readonly OwnComment[]> },
): Promise<void> {
  const { pull, commentMode: mode } = stored.evaluation;
  if (mode === "new") return;
  const all = await listEarlierComments(db, pull);
  const open = mode === "hide-and-new" ? all.filter(({ isMinimised }) => !isMinimised) : all;
  for (const { commentId } of open.slice(0, AT_ONCE)) {
    const shown = mode === "hide-and-new" ? (await list()).find(({ id }) => id === commentId) : undefined;
    if (shown !== undefined) {
      await minimiseComment(target, shown);
      await markHidden(db, pull.repositoryId, commentId);
    } else {
      if (mode !== "hide-and-new") await deleteComment(target, commentId);
      await forgetEarlierComment(db, pull.repositoryId, commentId);
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
const isReportDue = ({ clock }: JobDeps, { problem, stored }: CommentJob): boolean =>
  problem === null ||
  problem.problem === "earlier" ||
  problem.digest !== computeNewsDigest(stored.evaluation) ||
  problem.nextAt.getTime() <= clock.now();

/** Refusals that may be a temporary error of GitHub. */
const TEMPORARY_PROBLEMS: ReadonlySet<CommentProblem> = new Set(["refused", "earlier"]);

/** Lets the queue retry what may be temporary; otherwise stores the problem, and lets the check show it. */
async function settleRefusal(deps: JobDeps, job: CommentJob, { error, problem }: Failure): Promise<void> {
  const { attempt } = job.attempt;
  const isQuick = attempt <= QUICK_TRIES && job.problem === null;
  if (problem === null || (isQuick && TEMPORARY_PROBLEMS.has(problem))) throw error;
  await saveProblem(deps, job, problem);
}

async function saveProblem(deps: JobDeps, job: CommentJob, problem: CommentProblem): Promise<void> {
  const { pull, stored, problem: before } = job;
  const nowMs = deps.clock.now();
  deps.log.warn({ ...pull, problem }, "a pull request's comments are not as they should be");
  const firstAt = before?.firstAt ?? new Date(nowMs);
  const isTemporary = TEMPORARY_PROBLEMS.has(problem) || problem === "unavailable";
  const pause = isTemporary ? computePause(firstAt.getTime(), nowMs) : LONGEST_PAUSE_MS;
  const digest = computeNewsDigest(stored.evaluation);
  const nextAt = new Date(nowMs + pause);
  await saveCommentProblem(deps.db, pull, { problem, digest, firstAt, nextAt });
  await showProblem(deps, job, problem);
}

async function forgetProblem(deps: JobDeps, job: CommentJob): Promise<void> {
  if (job.problem === null) return;
  await forgetCommentProblem(deps.db, job.pull);
  await showProblem(deps, job, null);
}

/** Enqueues the lane if the check shows another problem: only the lane writes the check. An earlier comment is not reported. */
async function showProblem(
  deps: JobDeps,
  { pull, problem: before }: CommentJob,
  now: CommentProblem | null,
): Promise<void> {
  const getReported = (problem: CommentProblem | null) => (problem === "earlier" ? null : problem);
  if (getReported(before?.problem ?? null) !== getReported(now))
    await enqueueLane(deps, { kind: "pull", ...pull });
}
