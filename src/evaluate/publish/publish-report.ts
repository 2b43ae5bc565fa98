import { deleteEarlierComment, hideEarlierComment } from "../../github/comments/earlier-comment.ts";
import { publishFurtherComment } from "../../github/comments/further-comment.ts";
import { publishComment as writeComment } from "../../github/comments/publish-comment.ts";
import type { PullKey } from "../../kernel/ids.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import type { CommentMode } from "../../policy/model/policy.ts";
import { hasNews } from "../../policy/news.ts";
import { formatLaneKey } from "../../queue/names.ts";
import { keepSignsTogether } from "../../render/sign-joiners.ts";
import { listAnswerIds } from "../../store/approvals/commands.ts";
import { retryCommentsNow } from "../../store/comment-problems.ts";
import {
  addEarlierComments,
  findComment,
  forgetComment,
  forgetEarlierComment,
  listEarlierComments,
  markHidden,
  retireComment,
  type StoredComment,
  saveComment,
  setCheckedAt,
} from "../../store/comments.ts";
import type { JobDeps } from "../run/deps.ts";
import { buildCommentContent, buildLinks, isFurtherCommentDue, isWithdrawn } from "./comment-content.ts";
import type { CommentTarget } from "./comment-target.ts";
import { type CommentMentions, chooseMentions, forgetOldRequests, saveMentions } from "./mentions.ts";
import { type PublishOutcome, toPublishOutcome } from "./write-in-turn.ts";

/**
 * Publishes an evaluation as a comment, in the mode of the policy. Creates no comment if there is nothing to report.
 */
export async function publishReport(
  deps: JobDeps,
  target: CommentTarget,
  evaluation: Evaluation,
): Promise<PublishOutcome> {
  const published = await publishWithin(deps, target, { evaluation });
  if (published.state !== "refused" || published.problem !== "too_long") return published;
  return publishWithin(deps, target, { evaluation, bytes: SHORT_BYTES });
}

/** Size limit of a comment after GitHub refused the usual one as too long, in UTF-8 bytes. */
const SHORT_BYTES = 16_000;

async function publishWithin(
  deps: JobDeps,
  target: CommentTarget,
  { evaluation, bytes }: { readonly evaluation: Evaluation; readonly bytes?: number },
): Promise<PublishOutcome> {
  const { pull, commentMode: mode } = evaluation;
  const [known, requests] = await Promise.all([
    findComment(deps.db, pull),
    forgetOldRequests(deps, evaluation),
  ]);
  if (known === null && !hasNews(evaluation)) return disposeEarlierComments(deps, target, { pull, mode });
  if (known !== null && isWithdrawn(evaluation)) return withdrawComment(deps, target, { evaluation, known });
  const mentions = await chooseMentions(deps, target, { evaluation, requests, known });
  const draft = {
    known,
    content: buildCommentContent(evaluation),
    mentions,
    ...buildBodies(deps, { evaluation, bytes }, mentions),
  };
  const published =
    mode === "update" || !isFurtherCommentDue(evaluation, draft)
      ? await updateComment(deps, target, { ...draft, evaluation })
      : await beginFurtherComment(deps, target, { ...draft, evaluation });
  return published.state === "published" ? disposeEarlierComments(deps, target, { pull, mode }) : published;
}

interface CommentDraft {
  readonly known: StoredComment | null;
  readonly content: string;
  readonly mentions: CommentMentions;
  readonly body: string;
  /** Text for a new comment: it mentions nobody who was notified before. */
  readonly newBody: string;
}

function buildBodies(
  deps: JobDeps,
  { evaluation, bytes }: { readonly evaluation: Evaluation; readonly bytes: number | undefined },
  { updatedCommentUsers, newCommentUsers }: CommentMentions,
): Pick<CommentDraft, "body" | "newBody"> {
  const links = { ...buildLinks(deps, evaluation.pull), ...(bytes !== undefined && { commentBytes: bytes }) };
  const bodyWith = (mentions: ReadonlySet<string>): string =>
    keepSignsTogether(deps.renderer.comment(evaluation, { ...links, mentions }));
  const body = bodyWith(updatedCommentUsers);
  const isSame =
    updatedCommentUsers.size === newCommentUsers.size &&
    [...updatedCommentUsers].every((approver) => newCommentUsers.has(approver));
  return { body, newBody: isSame ? body : bodyWith(newCommentUsers) };
}

async function updateComment(
  deps: JobDeps,
  target: CommentTarget,
  { evaluation, ...draft }: CommentDraft & { readonly evaluation: Evaluation },
): Promise<PublishOutcome> {
  const { known, content, mentions, body, newBody } = draft;
  const { pull, commentMode: mode, situation } = evaluation;
  // Where each state has its own comment, a waiting state does not overwrite an earlier state, but does
  // overwrite edits by others.
  const isChanged = known?.digest === "";
  if (mode !== "update" && situation.kind === "waiting" && !isChanged) return { state: "published" };
  const { repositoryId, number } = pull;
  const outcome = await writeComment(target.client, {
    repositoryId,
    number,
    known,
    body,
    bodyIfDeleted: newBody,
    others: await readOtherIds(deps, pull),
    isCurrent: target.isCurrent,
    noteUnanswered: target.noteUnanswered,
  });
  if (outcome.state === "written" || outcome.state === "unchanged") {
    const { commentId } = outcome.known;
    if (known === null && !(await countsAsReport(deps, target, { repositoryId, number, commentId })))
      return { state: "superseded" };
    await saveComment(deps.db, { repositoryId, number, ...outcome.known, content }, now(deps));
    await addEarlierComments(deps.db, pull, { commentIds: outcome.extraIds, now: now(deps) });
    await saveMentions(deps, evaluation, { mentions, before: known, commentId });
  }
  if (outcome.state === "deleted") await forgetComment(deps.db, pull);
  return toPublishOutcome(outcome);
}

/**
 * Whether a comment that was just written is the report. A process that was paused may have written one at the same time: the one of the
 * later job counts, and the other as an earlier comment.
 */
async function countsAsReport(
  deps: JobDeps,
  target: CommentTarget,
  { commentId, ...pull }: PullKey & { readonly commentId: number },
): Promise<boolean> {
  const rival = await findComment(deps.db, pull);
  if (rival === null || rival.commentId === commentId) return true;
  const isNewest = await target.isCurrent();
  const commentIds = [isNewest ? rival.commentId : commentId];
  await addEarlierComments(deps.db, pull, { commentIds, now: now(deps) });
  if (!isNewest) await deps.queue.enqueueComment(formatLaneKey({ kind: "pull", ...pull }));
  return isNewest;
}

/** Deletes the comment, or minimises it when the policy minimises earlier comments. */
async function withdrawComment(
  deps: JobDeps,
  target: CommentTarget,
  { evaluation, known }: { readonly evaluation: Evaluation; readonly known: StoredComment },
): Promise<PublishOutcome> {
  const { pull, commentMode: mode } = evaluation;
  const { repositoryId, number } = pull;
  if (mode === "hide-and-new") {
    if (!(await target.isCurrent())) return { state: "superseded" };
    await retireComment(deps.db, pull, now(deps));
  } else {
    const others = await readOtherIds(deps, pull);
    const { isCurrent, noteUnanswered } = target;
    const outcome = await writeComment(target.client, {
      repositoryId,
      number,
      known,
      body: null,
      others,
      isCurrent,
      noteUnanswered,
    });
    if (outcome.state !== "deleted") return toPublishOutcome(outcome);
    await forgetComment(deps.db, pull);
  }
  return disposeEarlierComments(deps, target, { pull, mode });
}

/**
 * Marks the existing comment as an earlier comment first, so that an interrupted job creates at most one
 * comment.
 */
async function beginFurtherComment(
  deps: JobDeps,
  target: CommentTarget,
  { evaluation, known, content, mentions, newBody }: CommentDraft & { readonly evaluation: Evaluation },
): Promise<PublishOutcome> {
  const { repositoryId, number } = evaluation.pull;
  const pull = { repositoryId, number };
  if (!(await target.isCurrent())) return { state: "superseded" };
  if (known !== null) await retireComment(deps.db, pull, now(deps));
  const outcome = await publishFurtherComment(target.client, {
    ...pull,
    body: newBody,
    stored: await readOtherIds(deps, pull),
    isCurrent: target.isCurrent,
    noteUnanswered: target.noteUnanswered,
  });
  if (outcome.state !== "written") return toPublishOutcome(outcome);
  const { commentId } = outcome.known;
  await saveComment(deps.db, { ...pull, ...outcome.known, content }, now(deps));
  await saveMentions(deps, evaluation, { mentions, before: null, commentId });
  await addEarlierComments(deps.db, pull, { commentIds: outcome.foundIds, now: now(deps) });
  return { state: "published" };
}

/** Returns our own comments that are not the newest report: answers and earlier reports. */
async function readOtherIds({ db }: JobDeps, pull: PullKey): Promise<readonly number[]> {
  const [answers, earlier] = await Promise.all([listAnswerIds(db, pull), listEarlierComments(db, pull)]);
  return [...answers, ...earlier.map(({ commentId }) => commentId)];
}

const now = ({ clock }: JobDeps): Date => new Date(clock.now());

/** Comments handled at once; the next publication handles the rest. */
const AT_ONCE = 5;

/**
 * Minimises, deletes or leaves earlier comments after the newest is published. In the mode with one updated comment, earlier
 * ones are deleted.
 */
async function disposeEarlierComments(
  deps: JobDeps,
  target: CommentTarget,
  { pull, mode }: { readonly pull: PullKey; readonly mode: CommentMode },
): Promise<PublishOutcome> {
  if (mode === "new") return { state: "published" };
  const all = await listEarlierComments(deps.db, pull);
  const open = mode === "hide-and-new" ? all.filter(({ isMinimised }) => !isMinimised) : all;
  for (const { commentId } of open.slice(0, AT_ONCE)) {
    const published = await disposeComment(deps, target, { pull, mode, commentId });
    if (published.state !== "published") return published;
  }
  return { state: "published" };
}

async function disposeComment(
  deps: JobDeps,
  { client, isCurrent }: CommentTarget,
  {
    pull,
    mode,
    commentId,
  }: { readonly pull: PullKey; readonly mode: CommentMode; readonly commentId: number },
): Promise<PublishOutcome> {
  const { repositoryId, number } = pull;
  const hides = mode === "hide-and-new";
  const answer = await (hides ? hideEarlierComment : deleteEarlierComment)(client, {
    repositoryId,
    number,
    commentId,
    isCurrent,
  });
  // The newest comment is published; an earlier one that still shows is retried and not reported.
  if (!answer.ok) return { state: "refused", problem: "earlier", failure: answer.failure };
  if (answer.value === "superseded") return { state: "superseded" };
  if (hides && answer.value === "done") await markHidden(deps.db, repositoryId, commentId);
  else await forgetEarlierComment(deps.db, repositoryId, commentId);
  return { state: "published" };
}

/**
 * Makes the next comment job compare our comments with GitHub's and retry refused writes, because a person
 * requested it.
 */
export async function checkCommentsNow(
  { db, clock }: Pick<JobDeps, "db" | "clock">,
  { repositoryId, number }: PullKey,
): Promise<void> {
  await setCheckedAt(db, { repositoryId, number }, null);
  await retryCommentsNow(db, { repositoryId, number }, new Date(clock.now()));
}
