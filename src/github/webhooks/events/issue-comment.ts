import { z } from "zod";
import { hasCommandMention } from "../../commands/read-command.ts";
import { CommentEvent } from "../payload/lane-event.ts";
import {
  AtRepository,
  createReducer,
  getRepositoryFields,
  Id,
  ignored,
  Label,
  laneEvent,
  type ReducedDelivery,
} from "../payload/payload.ts";

const Account = z.object({ id: Id, type: z.string().default("User") }).nullish();

const IssueComment = AtRepository.extend({
  action: z.string(),
  issue: z.object({ number: Id, pull_request: z.unknown().optional() }),
  comment: z.object({
    id: Id,
    node_id: Label,
    body: z.string().nullish(),
    user: Account,
    performed_via_github_app: z.object({ id: Id }).nullish(),
  }),
  sender: Account,
});
type IssueComment = z.infer<typeof IssueComment>;

/** Reduces comments on pull requests. Our own writes are ignored; changes to our comments by others are not. */
export const issueComment = createReducer(IssueComment, (payload, { ownAppId }) => {
  const action = CommentEvent.shape.action.safeParse(payload.action);
  const { issue, comment, sender } = payload;
  if (!action.success || issue.pull_request == null) return ignored("action");
  if (isOwnWriting(payload, { isNew: action.data === "created", ownAppId })) return ignored("own");
  const ignoredFor = action.data === "created" ? findIgnoreReason(payload) : null;
  if (ignoredFor !== null) return ignoredFor;
  const people = { authorId: comment.user?.id ?? null, senderId: sender?.id ?? null };
  const at = { number: issue.number, commentId: comment.id, nodeId: comment.node_id };
  return laneEvent({
    kind: "comment",
    ...getRepositoryFields(payload),
    action: action.data,
    ...at,
    ...people,
  });
});

/** GitHub does not name the App of every comment; a bot's change to its own comment needs no restore. */
function isOwnWriting(
  { comment, sender }: IssueComment,
  { isNew, ownAppId }: { readonly isNew: boolean; readonly ownAppId: number },
): boolean {
  const app = comment.performed_via_github_app;
  const isByItsBot = sender?.type === "Bot" && sender.id === comment.user?.id;
  return isByItsBot && (app == null ? !isNew : app.id === ownAppId);
}

/** Only comments that people write themselves can be commands: not those of bots or of Apps in a person's name. */
function findIgnoreReason({ comment, sender }: IssueComment): ReducedDelivery | null {
  const byPerson = comment.user?.type === "User" && sender?.type === "User";
  if (!byPerson || comment.performed_via_github_app != null) return ignored("foreign");
  return hasCommandMention(comment.body ?? "") ? null : ignored("unchanged");
}
