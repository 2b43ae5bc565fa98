import { z } from "zod";
import { failed, type GitHubResult, succeeded } from "../client/answer.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import type { CommentWrite } from "./comment-write.ts";

const ListedComment = z.object({
  id: z.int().positive(),
  body: z.string().nullish(),
  user: z.object({ id: z.int(), type: z.string() }).nullable(),
  performed_via_github_app: z.object({ id: z.int() }).nullish(),
});
type ListedComment = z.infer<typeof ListedComment>;

/** The pull request, and the comments to leave out. */
type CommentSearch = Pick<CommentWrite, "repositoryId" | "number" | "others">;

export interface OwnComment {
  readonly id: number;
  readonly body: string;
}

const PER_PAGE = 100;
/** 3,000 comments. Beyond, a comment is found by its stored id only. */
const MAX_PAGES = 30;

/**
 * Our own comments on a pull request, oldest first, over all pages: by the App that wrote them, else by our bot's user id, never
 * by their text. Pages are requested by number; links in answers are not followed.
 */
export async function ownComments(
  client: InstallationClient,
  write: CommentSearch,
): Promise<GitHubResult<readonly OwnComment[]>> {
  const listed: ListedComment[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await client.read({
      route: "GET /repositories/{repository_id}/issues/{issue_number}/comments",
      parameters: {
        repository_id: write.repositoryId,
        issue_number: write.number,
        per_page: PER_PAGE,
        page,
      },
      answer: z.array(ListedComment),
    });
    if (!answer.ok) return answer;
    listed.push(...answer.value);
    if (answer.value.length < PER_PAGE) return onlyOwn(client, write, listed);
  }
  return failed("too_large", `more than ${PER_PAGE * MAX_PAGES} comments`);
}

/** One of our own comments as the conversation lists it; null: it is not there. A single 404 of its address is no proof of that. */
export async function findOwnComment(
  client: InstallationClient,
  { commentId, ...place }: Pick<CommentSearch, "repositoryId" | "number"> & { readonly commentId: number },
): Promise<GitHubResult<OwnComment | null>> {
  const own = await ownComments(client, { ...place, others: [] });
  return own.ok ? succeeded(own.value.find(({ id }) => id === commentId) ?? null) : own;
}

async function onlyOwn(
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
  const sorted = own.map(({ id, body }) => ({ id, body: body ?? "" })).sort((a, b) => a.id - b.id);
  return succeeded(sorted);
}
