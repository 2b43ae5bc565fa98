import type { GitHubFailure } from "../../github/client/result.ts";
import { addReaction, type Reaction } from "../../github/comments/add-reaction.ts";
import { classifyRefusal } from "../../github/comments/comment-write.ts";
import { postAnswer } from "../../github/comments/further-comment.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { PullKey } from "../../kernel/ids.ts";
import type { JobAttempt } from "../../queue/workers.ts";
import { keepSignsTogether } from "../../render/sign-joiners.ts";
import {
  type DueReply,
  listAnswerIds,
  listDueReplies,
  markSending,
  markSent,
  postponeReply,
} from "../../store/approvals/commands.ts";
import { findComment } from "../../store/comments.ts";
import type { CommentTarget } from "../publish/comment-target.ts";
import { computePause, QUICK_TRIES } from "../publish/write-in-turn.ts";
import type { JobDeps } from "../run/deps.ts";

interface ReplyTarget extends CommentTarget {
  readonly attempt: JobAttempt;
}

/** Result of sending a part of a reply. */
type SendResult =
  | { readonly state: "sent"; readonly answerId: number | null }
  | { readonly state: "superseded" }
  | { readonly state: "refused"; readonly failure: GitHubFailure }
  | { readonly state: "failed"; readonly failure: GitHubFailure };

/**
 * Sends replies to commands: a reaction, and a comment where an answer is needed. A stored reply is sent once, even if GitHub's
 * answers are lost; a refused reply is retried for some hours. Returns why the job must be retried at once; null: no retry.
 */
export async function sendReplies(
  deps: JobDeps,
  target: ReplyTarget,
  pull: PullKey,
): Promise<TollgateError | null> {
  let again: TollgateError | null = null;
  for (const reply of await listDueReplies(deps.db, pull, new Date(deps.clock.now()))) {
    const sent = await sendReply(deps, target, { ...reply, pull });
    if (sent === "superseded") return again;
    again = sent ?? again;
  }
  return again;
}

async function sendReply(
  deps: JobDeps,
  target: ReplyTarget,
  reply: DueReply & { readonly pull: PullKey },
): Promise<TollgateError | "superseded" | null> {
  const reaction = await sendReaction(target, reply);
  const answer = reaction.state === "superseded" ? reaction : await sendAnswer(deps, target, reply);
  if (answer.state === "superseded") return "superseded";
  const answerId = answer.state === "sent" ? answer.answerId : reply.answerId;
  const bad = [answer, reaction].find(isFailedSend);
  if (bad === undefined) await markSent(deps.db, reply, answerId);
  else if (await shouldRetryNow(deps, { ...reply, answerId }, { bad, target }))
    return createReplyError(bad.failure.kind);
  return null;
}

type FailedSend = Extract<SendResult, { readonly failure: GitHubFailure }>;
const isFailedSend = (sent: SendResult): sent is FailedSend => "failure" in sent;

/** Attempts before a refused reply is given up: about five hours. */
const MAX_TRIES = 12;

/** Whether the job is retried at once. Otherwise the reply is sent again later, with growing pauses, and given up in the end. */
async function shouldRetryNow(
  deps: JobDeps,
  reply: DueReply,
  { bad, target }: { readonly bad: FailedSend; readonly target: ReplyTarget },
): Promise<boolean> {
  const { attempt, lastAttempt } = target.attempt;
  if (bad.state === "failed" && !lastAttempt) return true;
  if (bad.state === "refused" && reply.tries === 0 && attempt <= QUICK_TRIES) return true;
  const tries = reply.tries + 1;
  deps.log.warn({ failure: bad.failure.kind, tries }, "GitHub does not accept a reply");
  if (tries >= MAX_TRIES) await markSent(deps.db, reply, reply.answerId);
  else {
    const nextAt = new Date(deps.clock.now() + computePause("refused", tries));
    await postponeReply(deps.db, { ...reply, tries }, nextAt);
  }
  return false;
}

const NOTHING_SENT: SendResult = { state: "sent", answerId: null };

async function sendReaction({ client, isCurrent }: ReplyTarget, reply: DueReply): Promise<SendResult> {
  if (reply.reaction === null || reply.source === "review") return NOTHING_SENT;
  const answer = await addReaction(client, {
    repositoryId: reply.repositoryId,
    commentId: reply.sourceId,
    reaction: reply.reaction as Reaction, // only answer-command.ts writes it, from values of this type
    isCurrent,
  });
  if (answer.ok === "superseded") return { state: "superseded" };
  if (answer.ok) return NOTHING_SENT;
  const { failure } = answer;
  return { state: classifyRefusal(failure) === null ? "failed" : "refused", failure };
}

async function sendAnswer(
  deps: JobDeps,
  { client, isCurrent, noteUnanswered }: ReplyTarget,
  reply: DueReply & { readonly pull: PullKey },
): Promise<SendResult> {
  const { answer, answerId } = reply;
  if (answer === null || answerId !== null) return { state: "sent", answerId };
  const [others, report] = await Promise.all([
    listAnswerIds(deps.db, reply.pull),
    findComment(deps.db, reply.pull),
  ]);
  await markSending(deps.db, reply);
  const outcome = await postAnswer(client, {
    ...reply.pull,
    body: keepSignsTogether(answer),
    isPossiblyWritten: reply.isPossiblyWritten,
    others: report === null ? others : [...others, report.commentId],
    isCurrent,
    noteUnanswered,
  });
  return outcome.state === "written" ? { state: "sent", answerId: outcome.commentId } : outcome;
}

const createReplyError = (kind: string): TollgateError =>
  new TollgateError("github_failed", `GitHub did not accept an answer: ${kind}`, { retryable: true });
