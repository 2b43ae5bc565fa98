import { z } from "zod";
import { AtRepository, Id, ignored, place, reducer, wake } from "../payload.ts";

const Account = z.object({ id: Id, type: z.string().default("User") }).nullish();

const IssueComment = AtRepository.extend({
  action: z.string(),
  issue: z.object({ number: Id, pull_request: z.unknown().optional() }),
  comment: z.object({ id: Id, user: Account, performed_via_github_app: z.object({ id: Id }).nullish() }),
  sender: Account,
});

const Action = z.enum(["created", "edited", "deleted"]);

/** Comments on pull requests. Our own writing is ignored; what a person does to our comment is not. */
export const issueComment = reducer(IssueComment, (payload, { ownAppId }) => {
  const action = Action.safeParse(payload.action);
  const { issue, comment, sender } = payload;
  if (!action.success || issue.pull_request == null) return ignored("action");
  if (comment.performed_via_github_app?.id === ownAppId && sender?.type === "Bot") return ignored("own");
  const people = { authorId: comment.user?.id ?? null, senderId: sender?.id ?? null };
  const at = { number: issue.number, commentId: comment.id };
  return wake({ kind: "comment", ...place(payload), action: action.data, ...at, ...people });
});
