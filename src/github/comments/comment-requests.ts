import { createHash } from "node:crypto";
import { z } from "zod";
import { type GitHubFailure, mayHaveHappened } from "../client/answer.ts";
import type { InstallationClient, RestCall, WriteAnswer } from "../client/installation-client.ts";
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
  client: InstallationClient,
  write: CommentAddress & Pick<CommentWrite, "body">,
): Promise<WriteAnswer<WrittenComment>> =>
  send(client, write, {
    route: "POST /repositories/{repository_id}/issues/{issue_number}/comments",
    parameters: { repository_id: write.repositoryId, issue_number: write.number, body: write.body },
    answer: WrittenComment,
  });

/** Writing the same body twice is harmless, so the request is repeated after a lost answer. */
export async function update(
  client: InstallationClient,
  write: CommentAddress & Pick<CommentWrite, "body">,
  id: number,
): Promise<WriteAnswer<WrittenComment>> {
  const call: RestCall<WrittenComment> = {
    route: "PATCH /repositories/{repository_id}/issues/comments/{comment_id}",
    parameters: { repository_id: write.repositoryId, comment_id: id, body: write.body },
    answer: WrittenComment.refine((comment) => comment.id === id, "another comment"),
  };
  const first = await send(client, write, call);
  return first.ok === false && mayHaveHappened(first.failure) ? send(client, write, call) : first;
}

export const remove = (
  client: InstallationClient,
  write: CommentAddress,
  id: number,
): Promise<WriteAnswer<unknown>> =>
  send(client, write, {
    route: "DELETE /repositories/{repository_id}/issues/comments/{comment_id}",
    parameters: { repository_id: write.repositoryId, comment_id: id },
    answer: z.unknown(),
  });

const send = <T>(
  client: InstallationClient,
  write: CommentAddress,
  call: RestCall<T>,
): Promise<WriteAnswer<T>> => client.write(call, { priority: "comment", stillCurrent: write.stillCurrent });

export const outcomeOf = (answer: Exclude<WriteAnswer<unknown>, { ok: true }>): CommentWriteFailure =>
  answer.ok === "superseded" ? { state: "superseded" } : failureOutcome(answer.failure);

export type CommentWriteFailure = Exclude<CommentOutcome, { state: "written" | "unchanged" | "deleted" }>;

function failureOutcome(failure: GitHubFailure): CommentWriteFailure {
  const reason = refusalOf(failure);
  return reason === null ? { state: "failed", failure } : { state: "refused", reason, failure };
}
