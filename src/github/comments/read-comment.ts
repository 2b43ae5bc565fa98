import { z } from "zod";
import { type Answer, succeeded } from "../client/answer.ts";
import type { InstallationClient } from "../client/installation-client.ts";

const Comment = z.object({ body: z.string().nullish() });

/** What GitHub shows of a comment now; null: it is gone. */
export async function readComment(
  client: InstallationClient,
  { repositoryId, commentId }: { readonly repositoryId: number; readonly commentId: number },
): Promise<Answer<string | null>> {
  const read = await client.read({
    route: "GET /repositories/{repository_id}/issues/comments/{comment_id}",
    parameters: { repository_id: repositoryId, comment_id: commentId },
    answer: Comment,
  });
  if (read.ok) return succeeded(read.value.body ?? "");
  return read.failure.kind === "not_found" ? succeeded(null) : read;
}
