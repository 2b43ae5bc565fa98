import { createHash } from "node:crypto";
import { z } from "zod";
import { type GitHubFailure, mayHaveHappened } from "../client/answer.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { requestById } from "../client/request-by-id.ts";
import { settleWrite, toResult, type WriteAnswer } from "../client/to-result.ts";
import type { CommentOutcome, CommentWrite } from "./comment-write.ts";
import { refusalOf } from "./refusal.ts";

const WrittenComment = z.object({ id: z.int().positive() });
export type WrittenComment = z.infer<typeof WrittenComment>;

type CommentAddress = Pick<CommentWrite, "repositoryId" | "number" | "stillCurrent">;

/** GitHub may change line ends and trims the text. */
export const plainBody = (body: string): string => body.replaceAll("\r\n", "\n").trim();

/** The same for a body as it was sent and as GitHub shows it. */
export const digestOf = (body: string): string => createHash("sha256").update(plainBody(body)).digest("hex");

export const create = (
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
export async function update(
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
  return first.ok === false && mayHaveHappened(first.failure) ? send() : first;
}

export const remove = (
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

const inLane = ({ repositoryId: repository_id, stillCurrent }: Omit<CommentAddress, "number">) =>
  ({ repository_id, request: { write: { priority: "comment", stillCurrent } } }) as const;

export const outcomeOf = (answer: Exclude<WriteAnswer<unknown>, { ok: true }>): CommentWriteFailure =>
  answer.ok === "superseded" ? { state: "superseded" } : failureOutcome(answer.failure);

export type CommentWriteFailure = Exclude<CommentOutcome, { state: "written" | "unchanged" | "deleted" }>;

function failureOutcome(failure: GitHubFailure): CommentWriteFailure {
  const reason = refusalOf(failure);
  return reason === null ? { state: "failed", failure } : { state: "refused", reason, failure };
}
