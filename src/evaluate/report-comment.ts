import { GitHubError, SupersededError } from "../github/client/result.ts";
import {
  classifyRefusal,
  computeBodyDigest,
  createComment,
  deleteComment,
  isSameBody,
  listOwnComments,
  type OwnComment,
  updateComment,
} from "../github/comments/own-comments.ts";
import { hasNews } from "../policy/news.ts";
import { formatLaneKey } from "../queue/names.ts";
import { keepSignsTogether } from "../render/sign-joiners.ts";
import { listAnswerIds } from "../store/approvals/commands.ts";
import {
  addEarlierComments,
  forgetComment,
  listEarlierComments,
  retireComment,
  type StoredComment,
  saveComment,
} from "../store/comments.ts";
import { isFenceHeld } from "../store/database/lanes.ts";
import { buildCommentContent, buildLinks, isFurtherCommentDue, isWithdrawn } from "./comment-content.ts";
import { type CommentMentions, chooseMentions, forgetOldRequests, saveMentions } from "./mentions.ts";
import type { CommentJob } from "./run/deps.ts";

/** The comment that reported the evaluation before. */
interface LastReport {
  readonly known: StoredComment | null;
  /** Whether GitHub shows something else than `known`, because others changed or deleted it. */
  readonly isChanged: boolean;
}

/** Size limit of a comment after GitHub refused the usual one as too long, in UTF-8 bytes. */
const SHORT_BYTES = 16_000;

/**
 * Publishes an evaluation as a comment, in the mode of the policy. Creates no comment if there is nothing to report.
 *
 * @throws GitHubError, SupersededError
 */
export async function publishReport(job: CommentJob, last: LastReport): Promise<void> {
  try {
    await publishWithin(job, last);
  } catch (error) {
    if (!(error instanceof GitHubError) || classifyRefusal(error.failure) !== "too_long") throw error;
    await publishWithin(job, last, SHORT_BYTES);
  }
}

async function publishWithin(job: CommentJob, last: LastReport, bytes?: number): Promise<void> {
  const { deps, stored } = job;
  const { known, isChanged } = last;
  const { evaluation } = stored;
  const { pull, commentMode: mode, situation } = evaluation;
  const requests = await forgetOldRequests(job);
  if (known === null && !hasNews(evaluation)) return;
  if (known !== null && isWithdrawn(evaluation)) return withdrawComment(job, known);
  const content = buildCommentContent(evaluation);
  const isFurther = mode !== "update" && isFurtherCommentDue(evaluation, { known, content });
  // Where each state has its own comment, a waiting state does not overwrite an earlier state, but does
  // overwrite edits by others.
  if (mode !== "update" && !isFurther && situation.kind === "waiting" && !isChanged) return;
  const mentions = await chooseMentions(job, requests, isChanged ? null : (known?.commentId ?? null));
  const links = { ...buildLinks(deps, pull), ...(bytes !== undefined && { commentBytes: bytes }) };
  const render = (users: ReadonlySet<string>): string =>
    keepSignsTogether(deps.renderer.comment(evaluation, { ...links, mentions: users }));
  await (isFurther ? createFurtherComment : updateReport)(job, { ...last, content, mentions, render });
}

interface Draft extends LastReport {
  readonly content: string;
  readonly mentions: CommentMentions;
  readonly render: (mentioned: ReadonlySet<string>) => string;
}

/** Writes the report into the known comment, or into a new one where it is gone. */
async function updateReport(job: CommentJob, draft: Draft): Promise<void> {
  const { known, isChanged, mentions, render } = draft;
  const body = render(mentions.updatedCommentUsers);
  const isShown = known !== null && !isChanged && known.digest === computeBodyDigest(body);
  if (known !== null && (isShown || (await updateIfThere(job, known.commentId, body))))
    return saveReport(job, draft, { commentId: known.commentId, body });
  const newBody = render(mentions.newCommentUsers); // mentions nobody who was notified before
  await saveReport(job, draft, { commentId: await findOrCreateReport(job, newBody), body: newBody });
}

/** False: GitHub does not find the comment. */
async function updateIfThere(job: CommentJob, id: number, body: string): Promise<boolean> {
  try {
    await updateComment(job, id, { body, purpose: "report" });
    return true;
  } catch (error) {
    if (!(error instanceof GitHubError) || error.failure.kind !== "not_found") throw error;
    return false;
  }
}

/** Adopts the oldest of our own comments that is not stored, because links point to it; creates one if there is none. */
async function findOrCreateReport(job: CommentJob, body: string): Promise<number> {
  const [oldest, ...others] = await selectUnstored(job, await job.list());
  if (oldest !== undefined) {
    if (!isSameBody(oldest.body, body)) await updateComment(job, oldest.id, { body, purpose: "report" });
    await addEarlier(job, others);
    return oldest.id;
  }
  const id = await createReport(job, body);
  if (!job.client.marksComments) return id;
  // Another CI job may have created one since the list was read.
  const [first = { id, body }, ...rivals] = await selectUnstored(job, await listOwnComments(job));
  if (first.id !== id) await updateComment(job, first.id, { body, purpose: "report" });
  await addEarlier(job, rivals);
  return first.id;
}

/** Our own comments that are no answer, no earlier report and not the report. */
async function selectUnstored(job: CommentJob, own: readonly OwnComment[]): Promise<readonly OwnComment[]> {
  const { db } = job.deps;
  const [answers, earlier] = await Promise.all([listAnswerIds(db, job), listEarlierComments(db, job)]);
  const stored = new Set([...answers, ...earlier.map(({ commentId }) => commentId)]);
  return own.filter(({ id, purpose }) => purpose !== "answer" && !stored.has(id));
}

/**
 * A process that was paused while it created one is not the newest any more: its comment counts as an earlier one. After a newer evaluation
 * it is the report all the same, and the next job updates it.
 */
async function createReport(job: CommentJob, body: string): Promise<number> {
  const { deps, run, repositoryId, number } = job;
  const id = await createComment(job, { body, purpose: "report" });
  if (await isFenceHeld(deps.db, run.fence)) return id;
  await addEarlier(job, [{ id }]);
  await deps.queue.enqueueComment(formatLaneKey({ kind: "pull", repositoryId, number }));
  throw new SupersededError("a later job writes the report");
}

/** Stores that these comments of ours are earlier ones. */
export function addEarlier(job: CommentJob, comments: readonly Pick<OwnComment, "id">[]): Promise<void> {
  const ids = comments.map(({ id }) => id);
  return addEarlierComments(job.deps.db, job, ids);
}

/**
 * Marks the existing comment as an earlier comment first, so that an interrupted job creates at most one
 * comment. One with this very body is the one that an interrupted job was to write.
 */
async function createFurtherComment(job: CommentJob, draft: Draft): Promise<void> {
  const body = draft.render(draft.mentions.newCommentUsers);
  await requireCurrent(job);
  if (draft.known !== null) await retireComment(job.deps.db, job);
  const unstored = await selectUnstored(job, await job.list());
  const same = unstored.findLast((comment) => isSameBody(comment.body, body));
  const commentId = same?.id ?? (await createReport(job, body));
  await saveReport(job, { ...draft, known: null }, { commentId, body });
  await addEarlier(
    job,
    unstored.filter(({ id }) => id !== commentId),
  );
}

async function saveReport(
  job: CommentJob,
  { known, content, mentions }: Draft,
  { commentId, body }: { readonly commentId: number; readonly body: string },
): Promise<void> {
  const { deps, repositoryId, number } = job;
  const report = { repositoryId, number, commentId, digest: computeBodyDigest(body), content };
  await saveComment(deps.db, report, new Date(deps.clock.now()));
  await saveMentions(job, { mentions, isUpdated: commentId === known?.commentId, commentId });
}

/** Deletes the comment, or minimises it with the earlier ones when the policy minimises these. */
async function withdrawComment(job: CommentJob, known: StoredComment): Promise<void> {
  const { db } = job.deps;
  if (job.stored.evaluation.commentMode === "hide-and-new") {
    await requireCurrent(job);
    return retireComment(db, job);
  }
  await deleteComment(job, known.commentId);
  await forgetComment(db, job);
}

async function requireCurrent({ isCurrent }: CommentJob): Promise<void> {
  if (!(await isCurrent())) throw new SupersededError("a later job writes the comments");
}
