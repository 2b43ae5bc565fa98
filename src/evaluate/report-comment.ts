import { GitHubError, SupersededError } from "../github/client/result.ts";
import {
  type CommentTarget,
  classifyRefusal,
  computeBodyDigest,
  createComment,
  deleteComment,
  isSameBody,
  listOwnComments,
  type OwnComment,
  updateComment,
} from "../github/comments/comments.ts";
import type { Evaluation } from "../policy/model/evaluation.ts";
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
import { buildCommentContent, buildLinks, isFurtherCommentDue, isWithdrawn } from "./comment-content.ts";
import { type CommentMentions, chooseMentions, forgetOldRequests, saveMentions } from "./mentions.ts";
import type { JobDeps } from "./run/deps.ts";

/** An evaluation to report, and the comment that reported the one before. */
interface Report {
  readonly evaluation: Evaluation;
  readonly known: StoredComment | null;
  /** Whether GitHub shows something else than `known`, because others changed or deleted it. */
  readonly isChanged: boolean;
  /** Whether no later comment job of the pull request has begun. */
  readonly isNewestRun: () => Promise<boolean>;
  /** Lists our own comments on GitHub. */
  readonly list: () => Promise<readonly OwnComment[]>;
}

/** Size limit of a comment after GitHub refused the usual one as too long, in UTF-8 bytes. */
const SHORT_BYTES = 16_000;

/**
 * Publishes an evaluation as a comment, in the mode of the policy. Creates no comment if there is nothing to report.
 *
 * @throws GitHubError, SupersededError
 */
export async function publishReport(deps: JobDeps, target: CommentTarget, report: Report): Promise<void> {
  try {
    await publishWithin(deps, target, report);
  } catch (error) {
    if (!(error instanceof GitHubError) || classifyRefusal(error.failure) !== "too_long") throw error;
    await publishWithin(deps, target, report, SHORT_BYTES);
  }
}

async function publishWithin(
  deps: JobDeps,
  target: CommentTarget,
  report: Report,
  bytes?: number,
): Promise<void> {
  const { evaluation, known, isChanged } = report;
  const { pull, commentMode: mode, situation } = evaluation;
  const requests = await forgetOldRequests(deps, evaluation);
  if (known === null && !hasNews(evaluation)) return;
  if (known !== null && isWithdrawn(evaluation)) return withdrawComment(deps, target, { evaluation, known });
  const content = buildCommentContent(evaluation);
  const isFurther = mode !== "update" && isFurtherCommentDue(evaluation, { known, content });
  // Where each state has its own comment, a waiting state does not overwrite an earlier state, but does
  // overwrite edits by others.
  if (mode !== "update" && !isFurther && situation.kind === "waiting" && !isChanged) return;
  const mentions = await chooseMentions(deps, target, {
    evaluation,
    requests,
    commentId: isChanged ? null : (known?.commentId ?? null),
  });
  const links = { ...buildLinks(deps, pull), ...(bytes !== undefined && { commentBytes: bytes }) };
  const render = (users: ReadonlySet<string>): string =>
    keepSignsTogether(deps.renderer.comment(evaluation, { ...links, mentions: users }));
  const draft = { content, mentions, render };
  await (isFurther ? createFurtherComment : updateReport)(deps, target, { ...report, ...draft });
}

interface Draft extends Report {
  readonly content: string;
  readonly mentions: CommentMentions;
  readonly render: (mentioned: ReadonlySet<string>) => string;
}

/** Writes the report into the known comment, or into a new one where it is gone. */
async function updateReport(deps: JobDeps, target: CommentTarget, draft: Draft): Promise<void> {
  const { known, isChanged, mentions, render } = draft;
  const body = render(mentions.updatedCommentUsers);
  const isShown = known !== null && !isChanged && known.digest === computeBodyDigest(body);
  if (known !== null && (isShown || (await updateIfThere(target, known.commentId, body))))
    return saveReport(deps, draft, { commentId: known.commentId, body });
  const newBody = render(mentions.newCommentUsers); // mentions nobody who was notified before
  const commentId = await findOrCreateReport(deps, target, draft, newBody);
  await saveReport(deps, draft, { commentId, body: newBody });
}

/** False: GitHub does not find the comment. */
async function updateIfThere(target: CommentTarget, id: number, body: string): Promise<boolean> {
  try {
    await updateComment(target, id, { body, purpose: "report" });
    return true;
  } catch (error) {
    if (!(error instanceof GitHubError) || error.failure.kind !== "not_found") throw error;
    return false;
  }
}

/** Adopts the oldest of our own comments that is not stored, because links point to it; creates one if there is none. */
async function findOrCreateReport(
  deps: JobDeps,
  target: CommentTarget,
  { list, isNewestRun }: Draft,
  body: string,
): Promise<number> {
  const [oldest, ...others] = await selectUnstored(deps, target, await list());
  if (oldest !== undefined) {
    if (!isSameBody(oldest.body, body)) await updateComment(target, oldest.id, { body, purpose: "report" });
    await addEarlier(deps, target, others);
    return oldest.id;
  }
  const id = await createReport(deps, target, { body, isNewestRun });
  if (!target.client.marksComments) return id;
  // Another CI job may have created one since the list was read.
  const [first = { id, body }, ...rivals] = await selectUnstored(deps, target, await listOwnComments(target));
  if (first.id !== id) await updateComment(target, first.id, { body, purpose: "report" });
  await addEarlier(deps, target, rivals);
  return first.id;
}

/** Our own comments that are no answer, no earlier report and not the report. */
async function selectUnstored(
  { db }: JobDeps,
  { repositoryId, number }: CommentTarget,
  own: readonly OwnComment[],
): Promise<readonly OwnComment[]> {
  const pull = { repositoryId, number };
  const [answers, earlier] = await Promise.all([listAnswerIds(db, pull), listEarlierComments(db, pull)]);
  const stored = new Set([...answers, ...earlier.map(({ commentId }) => commentId)]);
  return own.filter(({ id, purpose }) => purpose !== "answer" && !stored.has(id));
}

/**
 * A process that was paused while it created one is not the newest any more: its comment counts as an earlier one. After a newer evaluation
 * it is the report all the same, and the next job updates it.
 */
async function createReport(
  deps: JobDeps,
  target: CommentTarget,
  { body, isNewestRun }: Pick<Report, "isNewestRun"> & { readonly body: string },
): Promise<number> {
  const id = await createComment(target, { body, purpose: "report" });
  if (await isNewestRun()) return id;
  const { repositoryId, number } = target;
  await addEarlier(deps, target, [{ id }]);
  await deps.queue.enqueueComment(formatLaneKey({ kind: "pull", repositoryId, number }));
  throw new SupersededError("a later job writes the report");
}

const addEarlier = (
  { db }: JobDeps,
  { repositoryId, number }: CommentTarget,
  comments: readonly Pick<OwnComment, "id">[],
): Promise<void> =>
  addEarlierComments(
    db,
    { repositoryId, number },
    comments.map(({ id }) => id),
  );

/**
 * Marks the existing comment as an earlier comment first, so that an interrupted job creates at most one
 * comment. One with this very body is the one that an interrupted job was to write.
 */
async function createFurtherComment(deps: JobDeps, target: CommentTarget, draft: Draft): Promise<void> {
  const body = draft.render(draft.mentions.newCommentUsers);
  await requireCurrent(target);
  if (draft.known !== null) await retireComment(deps.db, draft.evaluation.pull);
  const unstored = await selectUnstored(deps, target, await draft.list());
  const same = unstored.findLast((comment) => isSameBody(comment.body, body));
  const commentId = same?.id ?? (await createReport(deps, target, { body, isNewestRun: draft.isNewestRun }));
  await saveReport(deps, { ...draft, known: null }, { commentId, body });
  await addEarlier(
    deps,
    target,
    unstored.filter(({ id }) => id !== commentId),
  );
}

async function saveReport(
  deps: JobDeps,
  { evaluation, known, content, mentions }: Draft,
  { commentId, body }: { readonly commentId: number; readonly body: string },
): Promise<void> {
  const { repositoryId, number } = evaluation.pull;
  const report = { commentId, digest: computeBodyDigest(body), content };
  await saveComment(deps.db, { repositoryId, number, ...report }, new Date(deps.clock.now()));
  await saveMentions(deps, evaluation, { mentions, isUpdated: commentId === known?.commentId, commentId });
}

/** Deletes the comment, or minimises it with the earlier ones when the policy minimises these. */
async function withdrawComment(
  { db }: JobDeps,
  target: CommentTarget,
  { evaluation, known }: { readonly evaluation: Evaluation; readonly known: StoredComment },
): Promise<void> {
  const { pull, commentMode: mode } = evaluation;
  if (mode === "hide-and-new") {
    await requireCurrent(target);
    return retireComment(db, pull);
  }
  await deleteComment(target, known.commentId);
  await forgetComment(db, pull);
}

async function requireCurrent({ isCurrent }: CommentTarget): Promise<void> {
  if (!(await isCurrent())) throw new SupersededError("a later job writes the comments");
}
