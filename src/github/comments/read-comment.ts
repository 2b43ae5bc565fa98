import { z } from "zod";
import type { InstallationClient } from "../client/installation-client.ts";
import { requestById } from "../client/installation-client.ts";
import { type GitHubResult, succeeded } from "../client/result.ts";
import { toResult } from "../client/to-result.ts";
import { findOwnComment } from "./own-comments.ts";

const Comment = z.object({ body: z.string().nullish() });

/** What GitHub shows of one of our own comments now; null: it is gone. */
export async function readComment(
  client: InstallationClient,
  comment: { readonly repositoryId: number; readonly number: number; readonly commentId: number },
): Promise<GitHubResult<string | null>> {
  const { repositoryId, commentId } = comment;
  const call = requestById(client.octokit, "GET /repos/{owner}/{repo}/issues/comments/{comment_id}", {
    repository_id: repositoryId,
    comment_id: commentId,
  });
  const read = await toResult(call, Comment);
  if (read.ok) return succeeded(read.value.body ?? "");
  if (read.failure.kind !== "not_found") return read;
  const listed = await findOwnComment(client, comment);
  return listed.ok ? succeeded(listed.value?.body ?? null) : listed;
}
