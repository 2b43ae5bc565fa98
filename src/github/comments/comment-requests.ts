import { createHash } from "node:crypto";
import { z } from "zod";
import type { InstallationClient } from "../client/installation-client.ts";
import { requestById } from "../client/request-by-id.ts";
import { type GitHubFailure, isOutcomeUnknown } from "../client/result.ts";
import { settleWrite, toResult, type WriteAnswer } from "../client/to-result.ts";
import type { CommentOutcome, CommentWrite } from "./comment-write.ts";
import { classifyRefusal } from "./refusal.ts";

const WrittenComment = z.object({ id: z.int().positive() });
export type WrittenComment = z.infer<typeof WrittenComment>;

type CommentAddress = Pick<CommentWrite, "repositoryId" | "number" | "isCurrent">;

/** GitHub may change line ends and trims the text. */
export const normalizeBody = (body: string): string => body.replaceAll("\r\n", "\n").trim();

/** The same for a body as it was sent and as GitHub shows it. */
export const computeBodyDigest = (body: string): string =>
  createHash("sha256").update(normalizeBody(body)).digest("hex");

export const createComment = (
  { octokit }: InstallationClient,
  write: CommentAddress & { readonly body: string },
): Promise<WriteAnswer<WrittenComment>> => {
  const call = requestById(octokit, "POST /repos/{owner}/{repo}/issues/{issue_number}/comments", {
    ...inLane(write),
    issue_number: write.number,
    body: write.body,
  });
  return settleWrite(toResult(call, WrittenComment));
};

/** Writing the same body twice is harmless, so the request is repeated after a lost answer. */
export async function updateComment(
  { octokit }: InstallationClient,
  write: CommentAddress & { readonly body: string },
  id: number,
): Promise<WriteAnswer<WrittenComment>> {
  const send = () => {
    const call = requestById(octokit, "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", {
      ...inLane(write),
      comment_id: id,
      body: write.body,
    });
    const schema = WrittenComment.refine((comment) => comment.id === id, "another comment");
    return settleWrite(toResult(call, schema));
  };
  const first = await send();
  return first.ok === false && isOutcomeUnknown(first.failure) ? send() : first;
}

export const deleteComment = (
  { octokit }: InstallationClient,
  write: CommentAddress,
  id: number,
): Promise<WriteAnswer<unknown>> => {
  const call = requestById(octokit, "DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}", {
    ...inLane(write),
    comment_id: id,
  });
  return settleWrite(toResult(call, z.unknown()));
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
