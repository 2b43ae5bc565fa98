import type { InstallationClient } from "../client/installation-client.ts";
import type { GitHubFailure } from "../client/result.ts";
import { isOutcomeUnknown } from "../client/result.ts";
import {
  type CommentWriteFailure,
  computeBodyDigest,
  createComment,
  normalizeBody,
  toWriteFailure,
} from "./comment-requests.ts";
import type { CommentWrite, KnownComment } from "./comment-write.ts";
import { classifyRefusal } from "./comment-write.ts";
import { listOwnComments, type OwnComment } from "./own-comments.ts";

export interface FurtherCommentWrite
  extends Omit<CommentWrite, "known" | "body" | "bodyIfDeleted" | "others"> {
  readonly body: string;
  /** Ids of all our own comments that are stored, whatever they are for. */
  readonly stored: readonly number[];
}

export type FurtherCommentOutcome =
  /** `foundIds`: ids of own comments that are not stored and have another body: of an interrupted job. */
  | { readonly state: "written"; readonly known: KnownComment; readonly foundIds: readonly number[] }
  | CommentWriteFailure;

/**
 * Creates a further comment. Own comments that are not stored are searched first: one with this very body is the one that was to
 * be written, so that neither a lost answer nor an interrupted job doubles it.
 */
export async function publishFurtherComment(
  client: InstallationClient,
  write: FurtherCommentWrite,
): Promise<FurtherCommentOutcome> {
  const found = await listOwnComments(client, { ...write, others: write.stored });
  if (!found.ok) return toWriteFailure(found);
  const before = adoptSameComment(found.value, write.body);
  if (before !== null) return before;
  const foundIds = found.value.map(({ id }) => id);
  const created = await createComment(client, write);
  if (created.ok === true) return toWrittenOutcome(created.value.id, { body: write.body, foundIds });
  if (created.ok === "superseded" || !isOutcomeUnknown(created.failure)) return toWriteFailure(created);
  const lost = await listOwnComments(client, { ...write, others: [...write.stored, ...foundIds] });
  if (!lost.ok) return toWriteFailure(lost);
  const newest = lost.value.at(-1);
  if (newest !== undefined) return toWrittenOutcome(newest.id, { body: write.body, foundIds });
  const again = await createComment(client, write);
  return again.ok === true
    ? toWrittenOutcome(again.value.id, { body: write.body, foundIds })
    : toWriteFailure(again);
}

function adoptSameComment(own: readonly OwnComment[], body: string): FurtherCommentOutcome | null {
  const same = own.findLast((comment) => normalizeBody(comment.body) === normalizeBody(body));
  if (same === undefined) return null;
  return toWrittenOutcome(same.id, { body, foundIds: own.flatMap(({ id }) => (id === same.id ? [] : [id])) });
}

const toWrittenOutcome = (
  commentId: number,
  { body, foundIds }: { readonly body: string; readonly foundIds: readonly number[] },
): FurtherCommentOutcome => ({
  state: "written",
  known: { commentId, digest: computeBodyDigest(body) },
  foundIds,
});

interface AnswerWrite {
  readonly repositoryId: number;
  readonly number: number;
  readonly body: string;
  /** It may have been written already: it is searched first. */
  readonly isPossiblyWritten: boolean;
  /** Ids of our comments that are something else. */
  readonly others: readonly number[];
  readonly isCurrent: () => Promise<boolean>;
  readonly noteUnanswered: () => void;
}

type AnswerOutcome =
  | { readonly state: "written"; readonly commentId: number }
  | { readonly state: "superseded" }
  /** GitHub refuses it now. */
  | { readonly state: "refused"; readonly failure: GitHubFailure }
  /** GitHub failed: the comment may exist or not. */
  | { readonly state: "failed"; readonly failure: GitHubFailure };

/** Writes one comment once: after a lost answer, the comment is found among our own by its text. */
export async function postAnswer(client: InstallationClient, write: AnswerWrite): Promise<AnswerOutcome> {
  if (write.isPossiblyWritten) {
    const found = await findAnswer(client, write);
    if (found !== null) return found;
  }
  const answer = await createComment(client, { ...write, purpose: "answer" });
  if (answer.ok === "superseded") return { state: "superseded" };
  if (answer.ok) return { state: "written", commentId: answer.value.id };
  return toFailureOutcome(answer.failure);
}

/** Null: it is not there. */
async function findAnswer(client: InstallationClient, write: AnswerWrite): Promise<AnswerOutcome | null> {
  const listed = await listOwnComments(client, { ...write, purpose: "answer" });
  if (!listed.ok) return toFailureOutcome(listed.failure);
  const own = listed.value.find(({ body }) => normalizeBody(body) === normalizeBody(write.body));
  return own === undefined ? null : { state: "written", commentId: own.id };
}

const toFailureOutcome = (failure: GitHubFailure): AnswerOutcome => ({
  state: classifyRefusal(failure) === null ? "failed" : "refused",
  failure,
});
