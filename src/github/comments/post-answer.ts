import type { InstallationClient } from "../client/installation-client.ts";
import type { GitHubFailure } from "../client/result.ts";
import { createComment, normalizeBody } from "./comment-requests.ts";
import { listOwnComments } from "./own-comments.ts";
import { classifyRefusal } from "./refusal.ts";

export interface AnswerWrite {
  readonly repositoryId: number;
  readonly number: number;
  readonly body: string;
  /** It may have been written already: it is searched first. */
  readonly isPossiblyWritten: boolean;
  /** Ids of our comments that are something else. */
  readonly others: readonly number[];
  readonly isCurrent: () => Promise<boolean>;
  readonly noteUnanswered: () => void;
}

export type AnswerOutcome =
  | { readonly state: "written"; readonly commentId: number }
  | { readonly state: "superseded" }
  /** GitHub refuses it now. */
  | { readonly state: "refused"; readonly failure: GitHubFailure }
  /** GitHub failed: the comment may exist or not. */
  | { readonly state: "failed"; readonly failure: GitHubFailure };

/** Writes one comment once: after a lost answer, the comment is found among our own by its text. */
export async function postAnswer(client: InstallationClient, write: AnswerWrite): Promise<AnswerOutcome> {
  if (write.isPossiblyWritten) {
    const found = await findAnswer(client, write);
    if (found !== null) return found;
  }
  const answer = await createComment(client, { ...write, purpose: "answer" });
  if (answer.ok === "superseded") return { state: "superseded" };
  if (answer.ok) return { state: "written", commentId: answer.value.id };
  return toFailureOutcome(answer.failure);
}

/** Null: it is not there. */
async function findAnswer(client: InstallationClient, write: AnswerWrite): Promise<AnswerOutcome | null> {
  const listed = await listOwnComments(client, { ...write, purpose: "answer" });
  if (!listed.ok) return toFailureOutcome(listed.failure);
  const own = listed.value.find(({ body }) => normalizeBody(body) === normalizeBody(write.body));
  return own === undefined ? null : { state: "written", commentId: own.id };
}

const toFailureOutcome = (failure: GitHubFailure): AnswerOutcome => ({
  state: classifyRefusal(failure) === null ? "failed" : "refused",
  failure,
});
