import { createHash } from "node:crypto";
import { z } from "zod";
import type { InstallationClient } from "../client/installation-client.ts";
import { requestById } from "../client/installation-client.ts";
import { type GitHubFailure, type GitHubResult, isOutcomeUnknown } from "../client/result.ts";
import { settleWrite, toResult, type WriteAnswer } from "../client/to-result.ts";
import type { CommentOutcome, CommentWrite } from "./comment-write.ts";
import { classifyRefusal } from "./comment-write.ts";
import { buildCommentMark, type CommentPurpose } from "./own-comments.ts";

const WrittenComment = z.object({ id: z.int().positive() });
export type WrittenComment = z.infer<typeof WrittenComment>;

type CommentAddress = Pick<CommentWrite, "repositoryId" | "number" | "isCurrent">;
type UnansweredNote = Pick<CommentWrite, "noteUnanswered">;
interface CommentBody extends CommentAddress, UnansweredNote {
  readonly body: string;
  /** Absent: the report. */
  readonly purpose?: CommentPurpose;
}

/** The body to send, with the client's mark if it marks its comments. */
const markBody = (
  { marksComments }: InstallationClient,
  { body, repositoryId, number, purpose = "report" }: CommentBody,
): string =>
  marksComments ? `${body.trimEnd()}${buildCommentMark({ repositoryId, number, purpose })}` : body;

/** GitHub may change line ends and trims the text. */
export const normalizeBody = (body: string): string => body.replaceAll("\r\n", "\n").trim();

/** The same for a body as it was sent and as GitHub shows it. */
export const computeBodyDigest = (body: string): string =>
  createHash("sha256").update(normalizeBody(body)).digest("hex");

export const createComment = (
  client: InstallationClient,
  write: CommentBody,
): Promise<WriteAnswer<WrittenComment>> => {
  const call = requestById(client.octokit, "POST /repos/{owner}/{repo}/issues/{issue_number}/comments", {
    ...inLane(write),
    issue_number: write.number,
    body: markBody(client, write),
  });
  return settleNoted(write, toResult(call, WrittenComment));
};

async function settleNoted<T>(
  { noteUnanswered }: Partial<UnansweredNote>,
  call: Promise<GitHubResult<T>>,
): Promise<WriteAnswer<T>> {
  const answer = await settleWrite(call);
  if (answer.ok === false && isOutcomeUnknown(answer.failure)) noteUnanswered?.();
  return answer;
}

/** Writing the same body twice is harmless, so the request is repeated after a lost answer. */
export async function updateComment(
  client: InstallationClient,
  write: CommentBody,
  id: number,
): Promise<WriteAnswer<WrittenComment>> {
  const send = () => {
    const call = requestById(client.octokit, "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", {
      ...inLane(write),
      comment_id: id,
      body: markBody(client, write),
    });
    const schema = WrittenComment.refine((comment) => comment.id === id, "another comment");
    return settleNoted(write, toResult(call, schema));
  };
  const first = await send();
  return first.ok === false && isOutcomeUnknown(first.failure) ? send() : first;
}

export const deleteComment = (
  { octokit }: InstallationClient,
  write: CommentAddress & Partial<UnansweredNote>,
  id: number,
): Promise<WriteAnswer<unknown>> => {
  const call = requestById(octokit, "DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}", {
    ...inLane(write),
    comment_id: id,
  });
  return settleNoted(write, toResult(call, z.unknown()));
};

const inLane = ({ repositoryId: repository_id, isCurrent }: Omit<CommentAddress, "number">) =>
  ({ repository_id, request: { write: { priority: "comment", isCurrent } } }) as const;

export const toWriteFailure = (answer: Exclude<WriteAnswer<unknown>, { ok: true }>): CommentWriteFailure =>
  answer.ok === "superseded" ? { state: "superseded" } : toFailureOutcome(answer.failure);

export type CommentWriteFailure = Exclude<CommentOutcome, { state: "written" | "unchanged" | "deleted" }>;

function toFailureOutcome(failure: GitHubFailure): CommentWriteFailure {
  const reason = classifyRefusal(failure);
  return reason === null ? { state: "failed", failure } : { state: "refused", reason, failure };
}
