import { mayHaveHappened } from "../../github/client/answer.ts";
import type { InstallationClient } from "../../github/client/installation-client.ts";
import { postAnswer } from "../../github/comments/post-answer.ts";
import { type Reaction, react } from "../../github/reactions/react.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { PullKey } from "../../kernel/ids.ts";
import { unbroken } from "../../render/format/unbroken.ts";
import {
  answerIds,
  type DueReply,
  dueReplies,
  markSending,
  markSent,
} from "../../store/approvals/replies.ts";
import { findComment } from "../../store/comments.ts";
import type { JobDeps } from "../deps.ts";

interface ReplyTarget {
  readonly client: InstallationClient;
  readonly stillCurrent: () => Promise<boolean>;
}

/**
 * Shows people that they were heard: a reaction, and one comment where they must know more. What was stored is sent once,
 * whatever is lost on the way. Throws to be tried again.
 */
export async function sendReplies(deps: JobDeps, target: ReplyTarget, pull: PullKey): Promise<void> {
  for (const reply of await dueReplies(deps.db, pull)) {
    if (!(await sendReaction(target, reply))) return;
    if (reply.answer === null) await markSent(deps.db, reply, null);
    else if (!(await sendAnswer(deps, target, { ...reply, answer: reply.answer, pull }))) return;
  }
}

/** False: a later run took over. That a reaction is refused is nothing to fail for. */
async function sendReaction({ client, stillCurrent }: ReplyTarget, reply: DueReply): Promise<boolean> {
  if (reply.reaction === null || reply.source === "review" || reply.mayBeWritten) return true;
  const answer = await react(client, {
    repositoryId: reply.repositoryId,
    commentId: reply.sourceId,
    reaction: reply.reaction as Reaction, // written by answer-asked.ts alone, from values of this type
    stillCurrent,
  });
  if (answer.ok === "superseded") return false;
  if (!answer.ok && (mayHaveHappened(answer.failure) || answer.failure.kind === "rate_limited"))
    throw failed(answer.failure.kind);
  return true;
}

async function sendAnswer(
  deps: JobDeps,
  { client, stillCurrent }: ReplyTarget,
  reply: DueReply & { readonly answer: string; readonly pull: PullKey },
): Promise<boolean> {
  const [others, report] = await Promise.all([
    answerIds(deps.db, reply.pull),
    findComment(deps.db, reply.pull),
  ]);
  await markSending(deps.db, reply);
  const outcome = await postAnswer(client, {
    ...reply.pull,
    body: unbroken(reply.answer),
    mayBeWritten: reply.mayBeWritten,
    others: report === null ? others : [...others, report.commentId],
    stillCurrent,
  });
  if (outcome.state === "failed") throw failed(outcome.failure.kind);
  if (outcome.state === "superseded") return false;
  await markSent(deps.db, reply, outcome.state === "written" ? outcome.commentId : null);
  return true;
}

const failed = (kind: string): TollgateError =>
  new TollgateError("github_failed", `GitHub did not take an answer: ${kind}`, { retryable: true });
