import { computeBodyDigest, normalizeBody } from "../../github/comments/comment-requests.ts";
import { listOwnComments } from "../../github/comments/own-comments.ts";
import { MINUTE_MS } from "../../kernel/clock.ts";
import type { PullKey } from "../../kernel/ids.ts";
import { hasNews } from "../../policy/news.ts";
import { formatLaneKey, parseLaneKey } from "../../queue/names.ts";
import type { JobAttempt } from "../../queue/workers.ts";
import { keepSignsTogether } from "../../render/sign-joiners.ts";
import { hasUnstoredAnswer } from "../../store/approvals/commands.ts";
import {
  findCommentProblem,
  readAnswers,
  recordChangedComment,
  type StoredCommentProblem,
} from "../../store/comment-problems.ts";
import {
  addEarlierComments,
  beginCommentRun,
  type CommentRun,
  endCommentRun,
  findCheckedAt,
  findComment,
  setCheckedAt,
} from "../../store/comments.ts";
import { isFenceHeld } from "../../store/database/lanes.ts";
import { findDigest, findEvaluation, type StoredEvaluation } from "../../store/evaluations.ts";
import { findRepository, type Repository } from "../../store/repositories.ts";
import { sendReplies } from "../approvals/send-replies.ts";
import { computeNewsDigest } from "../publish/comment-content.ts";
import type { CommentTarget } from "../publish/comment-target.ts";
import { enqueueAfterLateRequests } from "../publish/late-requests.ts";
import { publishReport } from "../publish/publish-report.ts";
import type { PublishOutcome } from "../publish/write-in-turn.ts";
import { toFailedOutcome } from "../publish/write-in-turn.ts";
import type { JobDeps } from "../run/deps.ts";
import { describePull } from "../run/deps.ts";
import { restoreComments } from "./restore-comments.ts";
import { type CommentJob, type CommentResult, saveUnknownFailure, settleComment } from "./settle-comment.ts";
import { updateReviewers } from "./update-reviewers.ts";

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
  if (stored === null || repository === undefined) {
    await endCommentRun(deps.db, run, { isUnanswered: false, isCompared: false });
    return;
  }
  deps.telemetry.note(describePull(repository, number));
  const job = { pull, digest: computeNewsDigest(stored.evaluation), problem, attempt };
  try {
    await updatePullComments(deps, { ...job, stored, repository, run });
  } catch (error) {
    deps.log.warn({ lane, attempt: attempt.attempt, error }, "a comment job failed");
    if (attempt.lastAttempt) await saveUnknownFailure(deps, job);
    throw error;
  }
}

interface CommentReportJob extends CommentJob {
  readonly stored: StoredEvaluation;
  readonly repository: Repository;
  readonly run: CommentRun;
}

interface ReportTarget {
  readonly target: CommentTarget;
  readonly due: Awaited<ReturnType<typeof readComparisonState>>;
  readonly compared: PublishOutcome;
}

async function updatePullComments(deps: JobDeps, job: CommentReportJob): Promise<void> {
  const { pull, attempt, run, repository } = job;
  let isUnanswered = false;
  const target: CommentTarget = {
    client: deps.github(repository.installation_id),
    isCurrent: async () => !attempt.signal.aborted && (await isFenceHeld(deps.db, run.fence)),
    noteUnanswered: () => {
      isUnanswered = true;
    },
  };
  const failure = await sendReplies(deps, { ...target, attempt }, pull);
  const mayHaveUnstored = run.lateRequests !== "none" && !(await hasUnstoredAnswer(deps.db, pull));
  const due = await readComparisonState(deps, pull);
  const compared =
    mayHaveUnstored || due !== "not_yet"
      ? await compareComments(deps, target, {
          pull,
          mayHaveUnstored,
          hasNews: hasNews(job.stored.evaluation),
        })
      : PUBLISHED;
  const updated = await updateReport(deps, job, { target, due, compared });
  await deps.telemetry.step("request reviewers", () =>
    updateReviewers(deps, narrowTarget(deps, target, job.stored), job.stored.evaluation),
  );
  const isCompared = mayHaveUnstored && compared.state === "published";
  const isCertain = await endCommentRun(deps.db, run, { isUnanswered, isCompared });
  await settleComment(deps, job, updated);
  if (failure !== null) throw failure;
  // A job that fails is tried again anyway.
  if (!isCertain)
    await enqueueAfterLateRequests(deps, formatLaneKey({ kind: "pull", ...pull }), "late comments");
}

/** Restores and writes the report. Each step runs even if an earlier one failed. */
async function updateReport(
  deps: JobDeps,
  { pull, digest, stored, problem }: CommentReportJob,
  { target, due, compared }: ReportTarget,
): Promise<CommentResult> {
  const restored = await restoreComments(deps, target, { ...pull, isRequested: due === "requested" });
  const isDue = problem === null || (await isTryDue(deps, { pull, digest, problem }));
  const published = isDue
    ? await deps.telemetry.step("publish comment", () =>
        publishReport(deps, narrowTarget(deps, target, stored), stored.evaluation),
      )
    : NOT_DUE;
  const results = [published, restored, compared];
  return (
    RESULT_PRECEDENCE.map((state) => results.find((result) => result.state === state)).find(
      (result) => result !== undefined,
    ) ?? PUBLISHED
  );
}

const PUBLISHED: PublishOutcome = { state: "published" };
const NOT_DUE: CommentResult = { state: "not_due" };
/** Precedence of several results, highest first. */
const RESULT_PRECEDENCE: readonly CommentResult["state"][] = [
  "superseded",
  "contested",
  "failed",
  "refused",
  "not_due",
];

/** The target while `stored` is the newest evaluation: a newer one enqueues its own comment job. */
const narrowTarget = (deps: JobDeps, target: CommentTarget, stored: StoredEvaluation): CommentTarget => ({
  ...target,
  isCurrent: async () =>
    (await target.isCurrent()) && (await findDigest(deps.db, stored.evaluation.pull)) === stored.digest,
});

/**
 * Whether a comment may be written now: after a refusal when the next attempt is due, or at once with new
 * content.
 */
async function isTryDue(
  deps: JobDeps,
  {
    pull,
    digest,
    problem,
  }: { readonly pull: PullKey; readonly digest: string; readonly problem: StoredCommentProblem },
): Promise<boolean> {
  if (problem.digest !== digest || problem.nextAt.getTime() <= deps.clock.now()) return true;
  // If only an earlier comment is not minimised yet, the newest one can be written.
  return problem.problem === "earlier" && (await findComment(deps.db, pull))?.digest === "";
}

/** Time between two comparisons of our comments with GitHub's, in ms: a delivery may have been lost. */
const COMPARE_AGAIN_MS = 25 * MINUTE_MS;

/** Whether our comments are to be compared now. `requested`: a person asked for it. */
async function readComparisonState(deps: JobDeps, pull: PullKey): Promise<"requested" | "due" | "not_yet"> {
  const checked = await findCheckedAt(deps.db, pull);
  if (checked === null) return "requested";
  if (checked === "never") return "not_yet";
  return deps.clock.now() - checked.getTime() >= COMPARE_AGAIN_MS ? "due" : "not_yet";
}

interface Comparison {
  readonly pull: PullKey;
  /** Whether GitHub may have created comments by requests without an answer: those that are not stored count as earlier reports. */
  readonly mayHaveUnstored: boolean;
  /** Whether there is something to report: then an unstored comment becomes the report where there is none. */
  readonly hasNews: boolean;
}

/**
 * Finds Tollgate comments that others changed without a delivery: a changed or deleted report, a changed answer. It only records
 * them; they are restored, and earlier reports deleted or minimised, later in the job.
 */
async function compareComments(
  deps: JobDeps,
  { client, isCurrent }: CommentTarget,
  { pull, mayHaveUnstored, hasNews }: Comparison,
): Promise<PublishOutcome> {
  const listed = await listOwnComments(client, { ...pull, others: [] });
  if (!listed.ok) return toFailedOutcome(listed.failure);
  const bodies = new Map(listed.value.map(({ id, body }) => [id, body]));
  const [known, answers] = await Promise.all([findComment(deps.db, pull), readAnswers(deps.db, pull)]);
  const now = new Date(deps.clock.now());
  if (known !== null && computeBodyDigest(bodies.get(known.commentId) ?? "") !== known.digest)
    await recordChangedComment(deps.db, { ...pull, commentId: known.commentId }, now);
  if (mayHaveUnstored && (known !== null || !hasNews)) {
    // Another run may have stored one since.
    if (!(await isCurrent())) return { state: "superseded" };
    const unstored = [...bodies.keys()].filter((id) => id !== known?.commentId && !answers.has(id));
    await addEarlierComments(deps.db, pull, { commentIds: unstored, now });
  }
  for (const commentId of listChangedAnswers(answers, bodies))
    await recordChangedComment(deps.db, { ...pull, commentId }, now);
  await setCheckedAt(deps.db, pull, now);
  return { state: "published" };
}

/** Both by comment id. */
function listChangedAnswers(
  answers: ReadonlyMap<number, string>,
  bodies: ReadonlyMap<number, string>,
): readonly number[] {
  return [...answers].flatMap(([id, answer]) => {
    const body = bodies.get(id);
    const isSame = body === undefined || normalizeBody(body) === normalizeBody(keepSignsTogether(answer));
    return isSame ? [] : [id];
  });
}
