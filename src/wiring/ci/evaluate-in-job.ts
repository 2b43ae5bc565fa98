import { setTimeout as sleep } from "node:timers/promises";
import { updateComments } from "../../evaluate/comment/update-comments.ts";
import { evaluateLane } from "../../evaluate/evaluate-lane.ts";
import { computeBodyDigest } from "../../github/comments/comment-requests.ts";
import { listOwnComments } from "../../github/comments/own-comments.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { PullKey } from "../../kernel/ids.ts";
import { hasNews } from "../../policy/comment/news.ts";
import { formatLaneKey } from "../../queue/lane-key.ts";
import type { JobAttempt, LaneHandler } from "../../queue/workers.ts";
import { listDueReplies, markSending, markSent } from "../../store/approvals/commands.ts";
import { findComment, saveComment } from "../../store/comments.ts";
import { findEvaluation } from "../../store/evaluations.ts";
import type { OpenJob } from "./open-job.ts";
import type { AnsweredComments } from "./restore-commands.ts";

/** Evaluations after one another, so that what they enqueue cannot go on for ever. */
const MAX_ROUNDS = 5;
/** Attempts of one piece of work; what the third one cannot do is reported. */
const ATTEMPTS = 3;
const PAUSE_MS = 1_000;

/** Performs what the queue's workers of a server perform: the evaluation, its comments, and what these enqueue. */
export async function evaluateInJob(job: OpenJob, pull: PullKey, answered: AnsweredComments): Promise<void> {
  const { repositoryId, number } = pull;
  const { deps, queue } = job;
  await queue.enqueue(formatLaneKey({ kind: "pull", repositoryId, number }));
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const lane = queue.takeLane();
    if (lane === null) return;
    await attempt(job, lane, (key, made) => evaluateLane(deps, key, made));
    await skipAnswered(job, pull, answered);
    await restoreQuietComment(job, pull);
    const comment = queue.takeComment();
    if (comment !== null) await attempt(job, comment, (key, made) => updateComments(deps, key, made));
  }
}

/** Makes up to three attempts; only the last one where another one cannot help. */
async function attempt(job: OpenJob, lane: string, handle: LaneHandler): Promise<void> {
  for (let made = 1; made < ATTEMPTS; made++) {
    try {
      return await handle(lane, buildAttempt(made));
    } catch (error) {
      if (!(error instanceof TollgateError) || !error.retryable) throw error;
    }
    if (job.github.client.denied.size > 0) break;
    await sleep(PAUSE_MS * made);
  }
  await handle(lane, buildAttempt(ATTEMPTS));
}

const buildAttempt = (attempt: number): JobAttempt => ({
  attempt,
  lastAttempt: attempt >= ATTEMPTS,
  signal: new AbortController().signal,
  origin: null,
});

/** Leaves out the replies that an earlier job sent. The others may have been sent by a job at the same time. */
async function skipAnswered({ deps }: OpenJob, pull: PullKey, answered: AnsweredComments): Promise<void> {
  for (const reply of await listDueReplies(deps.db, pull, new Date(deps.clock.now()))) {
    if (reply.source === "comment" && answered.has(reply.sourceId)) await markSent(deps.db, reply, null);
    else await markSending(deps.db, reply);
  }
}

/** Finds the comment of an earlier job where this evaluation would write none, so that it is updated or withdrawn. */
async function restoreQuietComment({ deps, github }: OpenJob, pull: PullKey): Promise<void> {
  const { repositoryId, number } = pull;
  const stored = await findEvaluation(deps.db, pull);
  if (stored === null || hasNews(stored.evaluation) || (await findComment(deps.db, pull)) !== null) return;
  const listed = await listOwnComments(github.client, { repositoryId, number, others: [] });
  const newest = listed.ok ? listed.value.at(-1) : undefined;
  if (newest === undefined) return;
  const known = { commentId: newest.id, digest: computeBodyDigest(newest.body), content: "" };
  await saveComment(deps.db, { repositoryId, number, ...known }, new Date(deps.clock.now()));
}
