import type { PersonComment, PersonText } from "../../github/people/person-text.ts";
import type { PullKey } from "../../kernel/ids.ts";
import { findUnreadComments, type PendingCommand, recordCommand } from "../../store/approvals/commands.ts";
import type { PullRun } from "../run/pull-run.ts";
import { isRevocation } from "./find-late-refusal.ts";

interface Conversation {
  /** The approvals and overrides in force: whose they are, and in which comment or review. */
  readonly acts: readonly { readonly personId: number; readonly nodeId: string }[];
  readonly texts: ReadonlyMap<string, PersonText>;
  readonly comments: readonly PersonComment[];
}

/**
 * Finds revocations in comments whose delivery was lost, and stores them as commands. Other lost commands are not recovered: their
 * authors see that nothing happens, whereas a missed revocation would leave the merge gate open.
 */
export async function recoverRevocations(
  { deps, key }: Pick<PullRun, "deps" | "key">,
  conversation: Conversation,
): Promise<{
  readonly commands: readonly PendingCommand[];
  readonly texts: readonly (readonly [string, PersonText])[];
}> {
  const found = findRevocationComments(conversation);
  const unread = await findUnreadComments(
    deps.db,
    key,
    found.map(({ id }) => id),
  );
  const missed = found.filter(({ id }) => unread.has(id));
  const commands = missed.flatMap((comment) => toCommandSource(comment, key));
  for (const one of commands) await recordCommand(deps.db, one, new Date(deps.clock.now()));
  return { commands, texts: missed.map((comment) => [comment.nodeId, comment]) };
}

/** Returns the comments in which a person revokes an approval or override in force. */
const findRevocationComments = ({ acts, texts, comments }: Conversation): readonly PersonComment[] =>
  comments.filter((one) => {
    const { author, createdMs } = one;
    const own = acts.filter(({ personId }) => personId === author?.id);
    if (createdMs === null || !own.some(({ personId }) => isRevocation(one, personId))) return false;
    return own.some(({ nodeId }) => createdMs >= (texts.get(nodeId)?.createdMs ?? 0));
  });

const toCommandSource = (
  { id: sourceId, nodeId, author }: PersonComment,
  { repositoryId, number }: PullKey,
): readonly PendingCommand[] =>
  author === null
    ? []
    : [{ repositoryId, number, source: "comment", sourceId, nodeId, authorId: author.id, earlier: 0 }];
