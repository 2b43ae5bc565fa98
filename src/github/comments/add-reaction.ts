import { z } from "zod";
import type { InstallationClient } from "../client/installation-client.ts";
import { requestById } from "../client/installation-client.ts";
import { settleWrite, toResult, type WriteAnswer } from "../client/to-result.ts";

/** Reactions that GitHub has and that we use. */
export type Reaction = "eyes" | "+1" | "-1" | "confused";

interface ReactionWrite {
  readonly repositoryId: number;
  readonly commentId: number;
  readonly reaction: Reaction;
  readonly isCurrent: () => Promise<boolean>;
}

/** Adds a reaction to a comment. Repeating it is harmless: GitHub keeps one of a kind. */
export function addReaction(client: InstallationClient, write: ReactionWrite): Promise<WriteAnswer<unknown>> {
  const { repositoryId, commentId, reaction, isCurrent } = write;
  const route = "POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions";
  const call = requestById(client.octokit, route, {
    repository_id: repositoryId,
    comment_id: commentId,
    content: reaction,
    request: { write: { priority: "comment", isCurrent } },
  });
  return settleWrite(toResult(call, z.unknown()));
}
