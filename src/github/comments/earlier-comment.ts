import { z } from "zod";
import { toGraphqlResult } from "../client/graphql.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { requestById } from "../client/installation-client.ts";
import { failed, type GitHubResult, succeeded } from "../client/result.ts";
import { settleWrite, toResult } from "../client/to-result.ts";
import { deleteComment } from "./comment-requests.ts";
import { findOwnComment } from "./own-comments.ts";

export interface EarlierCommentWrite {
  readonly repositoryId: number;
  readonly number: number;
  readonly commentId: number;
  readonly isCurrent: () => Promise<boolean>;
}

/** `gone`: the comment was deleted, or Tollgate did not write it. */
export type DisposalResult = "done" | "gone" | "superseded";

/** Deletes one of our own comments. */
export async function deleteEarlierComment(
  client: InstallationClient,
  { commentId, ...write }: EarlierCommentWrite,
): Promise<GitHubResult<DisposalResult>> {
  const answer = await deleteComment(client, write, commentId);
  if (answer.ok === "superseded") return succeeded("superseded");
  if (answer.ok) return succeeded("done");
  return answer.failure.kind === "not_found" ? resolveGone(client, { ...write, commentId }, answer) : answer;
}

/** `gone` where the conversation does not list it either; else the failure of the call stands. */
async function resolveGone(
  client: InstallationClient,
  write: Omit<EarlierCommentWrite, "isCurrent">,
  failure: GitHubResult<never>,
): Promise<GitHubResult<DisposalResult>> {
  const listed = await findOwnComment(client, write);
  if (!listed.ok) return listed;
  return listed.value === null ? succeeded("gone") : failure;
}

const Comment = z.object({
  node_id: z.string().min(1),
  user: z.object({ id: z.int() }).nullable(),
  performed_via_github_app: z.object({ id: z.int() }).nullish(),
});

/** Minimises a comment as outdated. */
export const HIDE_QUERY = `
mutation Hide($id: ID!) {
  minimizeComment(input: { subjectId: $id, classifier: OUTDATED }) { minimizedComment { isMinimized } }
}`;
const HideAnswer = z.object({
  minimizeComment: z.object({ minimizedComment: z.object({ isMinimized: z.literal(true) }) }).nullable(),
});

/** Minimises one of our own comments as outdated. Repeating it is harmless. */
export async function hideEarlierComment(
  client: InstallationClient,
  write: EarlierCommentWrite,
): Promise<GitHubResult<DisposalResult>> {
  const answer = await hideComment(client, write);
  return !answer.ok && answer.failure.kind === "not_found" ? resolveGone(client, write, answer) : answer;
}

async function hideComment(
  client: InstallationClient,
  write: EarlierCommentWrite,
): Promise<GitHubResult<DisposalResult>> {
  const { octokit } = client;
  const { repositoryId: repository_id, commentId: comment_id, isCurrent } = write;
  const route = "GET /repos/{owner}/{repo}/issues/comments/{comment_id}";
  const read = await toResult(requestById(octokit, route, { repository_id, comment_id }), Comment);
  if (!read.ok) return read;
  const app = read.value.performed_via_github_app?.id;
  if (app !== undefined && app !== client.appId) return succeeded("gone");
  const request = { write: { priority: "comment", isCurrent } } as const;
  const call = octokit.graphql(HIDE_QUERY, { id: read.value.node_id, request });
  const answer = await settleWrite(toGraphqlResult(call, HideAnswer));
  if (answer.ok === "superseded") return succeeded("superseded");
  if (!answer.ok) return answer;
  const { data, errors } = answer.value;
  if (errors.some(({ type }) => type === "NOT_FOUND"))
    return failed("not_found", "GitHub does not find the comment to minimise");
  return data.minimizeComment === null
    ? failed("forbidden", "GitHub does not minimise the comment")
    : succeeded("done");
}
