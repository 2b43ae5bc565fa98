import { GitHubError } from "../github/client/result.ts";
import {
  addReaction,
  classifyRefusal,
  createComment,
  isSameBody,
  type Reaction,
} from "../github/comments/own-comments.ts";
import { HOUR_MS, MINUTE_MS } from "../kernel/clock.ts";
import { keepSignsTogether } from "../render/sign-joiners.ts";
import {
  type DueReply,
  listAnswerIds,
  listDueReplies,
  markSent,
  postponeReply,
  saveAnswerId,
} from "../store/approvals/commands.ts";
import { findComment } from "../store/comments.ts";
import { QUICK_TRIES } from "./check.ts";
import type { CommentJob, JobDeps } from "./run/deps.ts";

/** In ms. After this time a reply that GitHub refuses is given up. */
const GIVE_UP_MS = 5 * HOUR_MS;

/**
 * Sends replies to commands: a reaction, and a comment where an answer is needed. An answer that an earlier attempt may have written is
 * found among our comments by its text. `retry`: why the job must be retried at once; null: no retry. `isAnswered`: false where
 * GitHub may have taken a reply that is not known.
 *
 * @throws SupersededError
 */
export async function sendReplies(
  job: CommentJob,
): Promise<{ readonly retry: GitHubError | null; readonly isAnswered: boolean }> {
  let retry: GitHubError | null = null;
  let isAnswered = true;
  const { deps, attempt } = job;
  for (const reply of await listDueReplies(deps.db, job, new Date(deps.clock.now()))) {
    const failures = await sendReply(job, reply);
    const failed = failures.find(({ failure }) => classifyRefusal(failure) === null);
    const [failure] = failed === undefined ? failures : [failed];
    if (failure === undefined) await markSent(deps.db, reply);
    else if (failed !== undefined && !attempt.lastAttempt) retry = failure;
    else if (reply.nextAt === null && attempt.attempt <= QUICK_TRIES) retry = failure;
    else await postpone(deps, reply, failure);
    isAnswered &&= failed === undefined;
  }
  return { retry, isAnswered };
}

/** The answer is sent also where GitHub does not take the reaction. Returns the failures. */
async function sendReply(job: CommentJob, reply: DueReply): Promise<readonly GitHubError[]> {
  const failures: GitHubError[] = [];
  for (const send of [sendReaction, sendAnswer]) {
    try {
      await send(job, reply);
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      failures.unshift(error);
    }
  }
  return failures;
}

async function sendReaction(job: CommentJob, { reaction, source, sourceId }: DueReply): Promise<void> {
  if (reaction === null || source === "review") return;
  await addReaction(job, sourceId, reaction as Reaction); // only commands.ts writes it, from values of this type
}

async function sendAnswer(job: CommentJob, reply: DueReply): Promise<void> {
  const { db } = job.deps;
  const { answer, answerId } = reply;
  if (answer === null || answerId !== null) return;
  const body = keepSignsTogether(answer);
  const [own, answers, report] = await Promise.all([
    job.list(),
    listAnswerIds(db, job),
    findComment(db, job),
  ]);
  const written = own.find(
    ({ id, purpose, body: shown }) =>
      purpose !== "report" && id !== report?.commentId && !answers.includes(id) && isSameBody(shown, body),
  );
  await saveAnswerId(db, reply, written?.id ?? (await createComment(job, { body, purpose: "answer" })));
}

/** Sends a refused reply again later, with growing pauses, and gives it up in the end. */
async function postpone(
  { db, clock, log }: JobDeps,
  reply: DueReply,
  { failure }: GitHubError,
): Promise<void> {
  const nowMs = clock.now();
  log.warn({ failure: failure.kind }, "GitHub does not accept a reply");
  // A reply may wait for its verdict for longer than that before it is sent for the first time.
  if (reply.nextAt !== null && nowMs - reply.createdAt.getTime() >= GIVE_UP_MS) await markSent(db, reply);
  else await postponeReply(db, reply, new Date(nowMs + computePause(reply.createdAt.getTime(), nowMs)));
}

/** Shortest and longest pause before a refused write is tried again, in ms. Settings made by people do not change within minutes. */
const SHORTEST_PAUSE_MS = 3 * MINUTE_MS;
export const LONGEST_PAUSE_MS = 30 * MINUTE_MS;

/** How long a write waits that GitHub has refused since a time, in ms: as long as it has been refused already, within limits. */
export const computePause = (sinceMs: number, nowMs: number): number =>
  Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, nowMs - sinceMs));
