import type { Kysely } from "kysely";
import { z } from "zod";
import type { InstallationClient } from "../../github/client/installation-client.ts";
import { requestById } from "../../github/client/installation-client.ts";
import { readPages, toResult } from "../../github/client/read-answer.ts";
import { hasCommandMention, readCommand } from "../../github/commands/read-command.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { PullKey } from "../../kernel/ids.ts";
import { type CommandSource, MAX_AT_ONCE, recordCommand } from "../../store/approvals/commands.ts";
import type { Tables } from "../../store/tables/tables.ts";

/** 3,000 comments and as many reviews. */
const MAX_PAGES = 30;

const User = z.object({ id: z.int(), type: z.string() }).nullable();
const Comment = z.object({
  id: z.int().positive(),
  node_id: z.string(),
  body: z.string().nullish(),
  user: User,
  created_at: z.string(),
  reactions: z.object({ total_count: z.int() }).optional(),
});
type Comment = z.infer<typeof Comment>;
const Review = z.object({
  id: z.int().positive(),
  node_id: z.string(),
  user: User,
  state: z.string(),
  commit_id: z.string().nullish(),
  submitted_at: z.string().nullish(),
});
const Reaction = z.object({ user: z.object({ id: z.int() }).nullable() });

interface CommandSearch extends PullKey {
  readonly headSha: string;
}

/** The comments with commands that an earlier job answered: it left a reaction. */
export type AnsweredComments = ReadonlySet<number>;

/**
 * Reads all comments and reviews of a pull request, and stores the commands among them in the order in which they were
 * written, as a server stores those that deliveries announce. An approval counts for the commit that it names, so those
 * for other commits are left out, and so is what an earlier job answered.
 *
 * @throws TollgateError `github_failed`
 */
export async function restoreCommands(
  db: Kysely<Tables>,
  client: InstallationClient,
  search: CommandSearch,
): Promise<AnsweredComments> {
  const [comments, reviews] = await Promise.all([
    toResult(readCommandComments(client, search)),
    toResult(readApprovingReviews(client, search)),
  ]);
  if (!comments.ok) throw createReadError("comments", comments.failure.kind);
  if (!reviews.ok) throw createReadError("reviews", reviews.failure.kind);
  const { repositoryId, number } = search;
  const all = [
    ...comments.value.map(({ comment }) => toWritten("comment", comment, comment.created_at)),
    ...reviews.value.map((one) => toWritten("review", one, one.submitted_at ?? new Date(0).toISOString())),
  ];
  for (const { command, at } of selectCommands(all))
    await recordCommand(db, { repositoryId, number, ...command }, new Date(at));
  return new Set(comments.value.flatMap(({ comment, isAnswered }) => (isAnswered ? [comment.id] : [])));
}

const createReadError = (what: string, kind: string): TollgateError =>
  new TollgateError("github_failed", `GitHub did not show the pull request's ${what}: ${kind}`, {
    retryable: true,
  });

type OfPerson<T> = T & { readonly user: { readonly id: number } };

const isOfPerson = <T extends { readonly user: z.infer<typeof User> }>(one: T): one is OfPerson<T> =>
  one.user?.type === "User";

interface FoundComment {
  readonly comment: OfPerson<Comment>;
  readonly isAnswered: boolean;
}

export interface WrittenCommand {
  readonly command: Pick<CommandSource, "source" | "sourceId" | "nodeId" | "authorId">;
  /** ISO 8601. */
  readonly at: string;
  readonly isRevocation: boolean;
}

type Source = OfPerson<Pick<Comment, "id" | "node_id" | "body" | "user">>;

function toWritten(source: CommandSource["source"], one: Source, at: string): WrittenCommand {
  const read = source === "comment" ? readCommand(one.body ?? "") : null;
  return {
    command: { source, sourceId: one.id, nodeId: one.node_id, authorId: one.user.id },
    at,
    isRevocation: read?.state === "command" && read.command.verb === "revoke",
  };
}

/**
 * Leaves out of many commands what its author revoked later. An evaluation processes the first ones only: otherwise comments of others
 * could keep the revocation from being reached.
 */
export function selectCommands(all: readonly WrittenCommand[]): readonly WrittenCommand[] {
  if (all.length <= MAX_AT_ONCE) return all;
  const revocations = all.filter(({ isRevocation }) => isRevocation);
  const revokedAt = new Map(revocations.map(({ command, at }) => [command.authorId, at]));
  return all.filter(
    ({ command, at, isRevocation }) => isRevocation || at > (revokedAt.get(command.authorId) ?? ""),
  );
}

async function readCommandComments(
  client: InstallationClient,
  { repositoryId: repository_id, number: issue_number, headSha }: CommandSearch,
): Promise<readonly FoundComment[]> {
  const route = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments";
  const listed = await readPages(
    (page) => requestById(client.octokit, route, { repository_id, issue_number, ...page }),
    z.array(Comment),
    MAX_PAGES,
  );
  const commands = listed.filter(isOfPerson).filter(({ body }) => hasCommandMention(body ?? ""));
  const found: FoundComment[] = [];
  for (const comment of commands) {
    found.push({ comment, isAnswered: await hasOwnReaction(client, repository_id, comment) });
  }
  return found.filter(({ comment, isAnswered }) => !isAnswered || isLasting(comment.body ?? "", headSha));
}

/** Whether a command has an effect in later jobs too: approvals of this commit, and what revokes them. */
function isLasting(body: string, headSha: string): boolean {
  const read = readCommand(body);
  if (read.state !== "command") return false;
  const { command } = read;
  return command.verb === "revoke" || (command.verb === "approve" && command.sha === headSha);
}

/** Whether an earlier job reacted to the comment, which is how each command is answered. */
async function hasOwnReaction(
  client: InstallationClient,
  repositoryId: number,
  { id, reactions }: Comment,
): Promise<boolean> {
  if (reactions?.total_count === 0) return false;
  const [own, listed] = await Promise.all([
    client.botUserId(),
    readPages(
      (page) =>
        requestById(client.octokit, "GET /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions", {
          repository_id: repositoryId,
          comment_id: id,
          ...page,
        }),
      z.array(Reaction),
      MAX_PAGES,
    ),
  ]);
  return listed.some(({ user }) => user?.id === own);
}

async function readApprovingReviews(
  client: InstallationClient,
  { repositoryId: repository_id, number: pull_number, headSha }: CommandSearch,
): Promise<readonly OfPerson<z.infer<typeof Review>>[]> {
  const listed = await readPages(
    (page) =>
      requestById(client.octokit, "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews", {
        repository_id,
        pull_number,
        ...page,
      }),
    z.array(Review),
    MAX_PAGES,
  );
  const approving = listed.filter(({ state, commit_id: sha }) => state === "APPROVED" && sha === headSha);
  return approving.filter(isOfPerson);
}
