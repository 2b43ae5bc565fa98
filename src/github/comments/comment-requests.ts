import { createHash } from "node:crypto";
import { z } from "zod";
import { type GitHubFailure, mayHaveHappened } from "../client/answer.ts";
import type { InstallationClient, RestCall, WriteAnswer } from "../client/installation-client.ts";
import type { CommentOutcome, CommentWrite } from "./comment-write.ts";

const Written = z.object({ id: z.int().positive() });
export type Written = z.infer<typeof Written>;

type Place = Pick<CommentWrite, "repositoryId" | "number" | "stillCurrent">;

export const digestOf = (body: string): string => createHash("sha256").update(body).digest("hex");

export const create = (
  client: InstallationClient,
  write: Place & Pick<CommentWrite, "body">,
): Promise<WriteAnswer<Written>> =>
  send(client, write, {
    route: "POST /repositories/{repository_id}/issues/{issue_number}/comments",
    parameters: { repository_id: write.repositoryId, issue_number: write.number, body: write.body },
    answer: Written,
  });

/** Writing the same body twice does no harm, so a lost answer is asked for again. */
export async function update(
  client: InstallationClient,
  write: Place & Pick<CommentWrite, "body">,
  id: number,
): Promise<WriteAnswer<Written>> {
  const call: RestCall<Written> = {
    route: "PATCH /repositories/{repository_id}/issues/comments/{comment_id}",
    parameters: { repository_id: write.repositoryId, comment_id: id, body: write.body },
    answer: Written.refine((comment) => comment.id === id, "another comment"),
  };
  const first = await send(client, write, call);
  return first.ok === false && mayHaveHappened(first.failure) ? send(client, write, call) : first;
}

export const remove = (client: InstallationClient, write: Place, id: number): Promise<WriteAnswer<unknown>> =>
  send(client, write, {
    route: "DELETE /repositories/{repository_id}/issues/comments/{comment_id}",
    parameters: { repository_id: write.repositoryId, comment_id: id },
    answer: z.unknown(),
  });

const send = <T>(client: InstallationClient, write: Place, call: RestCall<T>): Promise<WriteAnswer<T>> =>
  client.write(call, { priority: "comment", stillCurrent: write.stillCurrent });

export const outcomeOf = (answer: Exclude<WriteAnswer<unknown>, { ok: true }>): NotWritten =>
  answer.ok === "superseded" ? { state: "superseded" } : failureOutcome(answer.failure);

export type NotWritten = Exclude<CommentOutcome, { state: "written" | "unchanged" | "deleted" }>;

/** GitHub has no code for these two; its words are matched here and nowhere else. */
function failureOutcome(failure: GitHubFailure): NotWritten {
  if (failure.kind === "forbidden" && /locked/i.test(failure.message)) return { state: "locked" };
  if (failure.kind === "rejected" && /too long|maximum is \d+/i.test(failure.message))
    return { state: "too_long" };
  const refused = ["rejected", "forbidden", "not_found", "gone"].includes(failure.kind);
  return { state: refused ? "refused" : "failed", failure };
}
