import { z } from "zod";
import type { InstallationClient, WriteAnswer } from "../client/installation-client.ts";

/** Reactions that GitHub has and that we use. */
export type Reaction = "eyes" | "+1" | "-1" | "confused";

interface ReactionWrite {
  readonly repositoryId: number;
  readonly commentId: number;
  readonly reaction: Reaction;
  readonly stillCurrent: () => Promise<boolean>;
}

/** Adds a reaction to a comment. Repeating it is harmless: GitHub keeps one of a kind. */
export function react(client: InstallationClient, write: ReactionWrite): Promise<WriteAnswer<unknown>> {
  const { repositoryId, commentId, reaction, stillCurrent } = write;
  const call = {
    route: "POST /repositories/{repository_id}/issues/comments/{comment_id}/reactions",
    parameters: { repository_id: repositoryId, comment_id: commentId, content: reaction },
    answer: z.unknown(),
  } as const;
  return client.write(call, { priority: "comment", stillCurrent });
}
