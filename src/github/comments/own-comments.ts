import { z } from "zod";
import type { InstallationClient } from "../client/installation-client.ts";
import { requestById } from "../client/installation-client.ts";
import { failed, type GitHubResult, succeeded } from "../client/result.ts";
import { PER_PAGE, readPages } from "../client/to-result.ts";
import type { CommentWrite } from "./comment-write.ts";

const ListedComment = z.object({
  id: z.int().positive(),
  body: z.string().nullish(),
  user: z.object({ id: z.int(), type: z.string() }).nullable(),
  performed_via_github_app: z.object({ id: z.int() }).nullish(),
});
type ListedComment = z.infer<typeof ListedComment>;

/** The pull request, and the comments to leave out. */
interface CommentSearch extends Pick<CommentWrite, "repositoryId" | "number" | "others"> {
  /** Of a client that marks its comments, only these are found; absent: reports. */
  readonly purpose?: CommentPurpose;
}

export interface OwnComment {
  readonly id: number;
  readonly body: string;
}

/** 3,000 comments. Beyond, a comment is found by its stored id only. */
const MAX_PAGES = 30;

/**
 * Our own comments on a pull request, oldest first, over all pages: by the App that wrote them, else by our bot's user id, never
 * by their text alone. Of a client that marks its comments, those with its mark, and their texts without it.
 */
export async function listOwnComments(
  client: InstallationClient,
  write: CommentSearch,
): Promise<GitHubResult<readonly OwnComment[]>> {
  const { repositoryId: repository_id, number: issue_number } = write;
  const route = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments";
  const listed = await readPages(
    (page) => requestById(client.octokit, route, { repository_id, issue_number, ...page }),
    z.array(ListedComment),
    MAX_PAGES,
  );
  if (!listed.ok) return listed;
  const isComplete = listed.value.length < PER_PAGE * MAX_PAGES;
  return isComplete
    ? selectOwnComments(client, write, listed.value)
    : failed("too_large", `${listed.value.length} comments or more`);
}

/** One of our own comments as the conversation lists it; null: it is not there. A single 404 of its address is no proof of that. */
export async function findOwnComment(
  client: InstallationClient,
  { commentId, ...place }: Pick<CommentSearch, "repositoryId" | "number"> & { readonly commentId: number },
): Promise<GitHubResult<OwnComment | null>> {
  const own = await listOwnComments(client, { ...place, others: [] });
  return own.ok ? succeeded(own.value.find(({ id }) => id === commentId) ?? null) : own;
}

function readOwnText(
  { marksComments }: InstallationClient,
  { repositoryId, number, purpose = "report" }: CommentSearch,
  { id, body }: OwnComment,
): readonly OwnComment[] {
  if (!marksComments) return [{ id, body }];
  const text = removeCommentMark(body, { repositoryId, number, purpose });
  return text === null ? [] : [{ id, body: text }];
}

async function selectOwnComments(
  client: InstallationClient,
  write: CommentSearch,
  listed: readonly ListedComment[],
): Promise<GitHubResult<readonly OwnComment[]>> {
  const unsigned = listed.some(
    (comment) => comment.performed_via_github_app == null && comment.user?.type === "Bot",
  );
  const botUserId = unsigned ? await client.botUserId() : succeeded(null);
  if (!botUserId.ok) return botUserId;
  const isOwn = ({ performed_via_github_app: app, user }: ListedComment): boolean =>
    app == null ? user !== null && user.id === botUserId.value : app.id === client.appId;
  const own = listed.filter((comment) => isOwn(comment) && !write.others.includes(comment.id));
  const texts = own.flatMap(({ id, body }) => readOwnText(client, write, { id, body: body ?? "" }));
  return succeeded(texts.sort((a, b) => a.id - b.id));
}

/** What one of our own comments is. */
export type CommentPurpose = "report" | "answer";

interface MarkedComment {
  readonly repositoryId: number;
  /** Number of the pull request. */
  readonly number: number;
  readonly purpose: CommentPurpose;
}

/**
 * Returns the invisible last line by which a client without a store finds its own comments again: `github-actions[bot]`
 * writes the comments of all workflows. It counts only together with the author, because anybody can write it.
 */
export const buildCommentMark = ({ repositoryId, number, purpose }: MarkedComment): string =>
  `\n\n<!-- tollgate ${purpose} of pull request ${number} of repository ${repositoryId} -->`;

/** Returns a comment's text without its mark; null: it does not end with this mark. */
function removeCommentMark(body: string, comment: MarkedComment): string | null {
  const mark = buildCommentMark(comment).trim();
  const text = body.trimEnd();
  return text.endsWith(mark) ? text.slice(0, -mark.length).trimEnd() : null;
}
