import { createHash } from "node:crypto";
import { z } from "zod";
import type { PullKey } from "../../kernel/ids.ts";
import { readGraphql } from "../client/graphql.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { requestById } from "../client/installation-client.ts";
import { PER_PAGE, readData, readPages } from "../client/read-answer.ts";
import { createGitHubFailure, GitHubError, type GitHubFailure, isRefusal } from "../client/result.ts";

/** The pull request whose comments are written, and whether this job may still write them. Each write may throw `SupersededError`. */
export interface CommentTarget extends PullKey {
  readonly client: InstallationClient;
  readonly isCurrent: () => Promise<boolean>;
}

/** What one of our own comments is. */
export type CommentPurpose = "report" | "answer";

export interface OwnComment {
  readonly id: number;
  readonly nodeId: string;
  readonly body: string;
  /** Null: the client marks no comments, so only the store knows. */
  readonly purpose: CommentPurpose | null;
}

const ListedComment = z.object({
  id: z.int().positive(),
  node_id: z.string().default(""),
  body: z.string().nullish(),
  user: z.object({ id: z.int(), type: z.string() }).nullable(),
  performed_via_github_app: z.object({ id: z.int() }).nullish(),
});
type ListedComment = z.infer<typeof ListedComment>;

/** 3,000 comments: GitHub allows no more than 2,500. */
const MAX_PAGES = 30;

/**
 * Our own comments on a pull request, oldest first, over all pages: by the App that wrote them, else by our bot's user id, never
 * by their text alone. Of a client that marks its comments, those with its mark, and their texts without it.
 *
 * @throws GitHubError
 */
export async function listOwnComments({
  client,
  ...pull
}: PullKey & Pick<CommentTarget, "client">): Promise<readonly OwnComment[]> {
  const route = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments";
  const at = { repository_id: pull.repositoryId, issue_number: pull.number };
  const listed = await readPages(
    (page) => requestById(client.octokit, route, { ...at, ...page }),
    z.array(ListedComment),
    MAX_PAGES,
  );
  if (listed.length >= PER_PAGE * MAX_PAGES)
    throw new GitHubError(createGitHubFailure("too_large", `${listed.length} comments or more`));
  const isUnsigned = ({ performed_via_github_app: app, user }: ListedComment) =>
    app == null && user?.type === "Bot";
  const botId = listed.some(isUnsigned) ? await client.botUserId() : null;
  const isOwn = ({ performed_via_github_app: app, user }: ListedComment): boolean =>
    app == null ? user !== null && user.id === botId : app.id === client.appId;
  return listed
    .filter(isOwn)
    .flatMap((comment) => toOwnComment(comment, client.marksComments ? pull : null))
    .sort((a, b) => a.id - b.id);
}

/** `marked`: the pull request whose mark the comment must have; null: none. */
function toOwnComment(
  { id, node_id: nodeId, body: shown }: ListedComment,
  marked: PullKey | null,
): readonly OwnComment[] {
  const body = shown ?? "";
  if (marked === null) return [{ id, nodeId, body, purpose: null }];
  const text = body.trimEnd();
  return (["report", "answer"] as const).flatMap((purpose) => {
    const mark = buildCommentMark(marked, purpose).trim();
    return text.endsWith(mark) ? [{ id, nodeId, body: text.slice(0, -mark.length).trimEnd(), purpose }] : [];
  });
}

/**
 * Returns the invisible last line by which a client without a store finds its own comments again: `github-actions[bot]`
 * writes the comments of all workflows. It counts only together with the author, because anybody can write it.
 */
const buildCommentMark = ({ repositoryId, number }: PullKey, purpose: CommentPurpose): string =>
  `\n\n<!-- tollgate ${purpose} of pull request ${number} of repository ${repositoryId} -->`;

/** A comment's text in Markdown, of at most 65,000 UTF-8 bytes. */
export interface CommentText {
  readonly body: string;
  readonly purpose: CommentPurpose;
}

const markBody = (target: CommentTarget, { body, purpose }: CommentText): string =>
  target.client.marksComments ? `${body.trimEnd()}${buildCommentMark(target, purpose)}` : body;

const WrittenComment = z.object({ id: z.int().positive() });

const buildWrite = ({ repositoryId, isCurrent }: CommentTarget) =>
  ({
    repository_id: repositoryId,
    request: { write: { priority: "comment", isCurrent } },
  }) as const;

/** Creates a comment and returns its id. After a lost answer the caller searches it (`listOwnComments`) before it creates another one. */
export async function createComment(target: CommentTarget, text: CommentText): Promise<number> {
  const route = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments";
  const call = requestById(target.client.octokit, route, {
    ...buildWrite(target),
    issue_number: target.number,
    body: markBody(target, text),
  });
  return (await readData(call, WrittenComment)).id;
}

const COMMENT_ROUTE = "/repos/{owner}/{repo}/issues/comments/{comment_id}";

export async function updateComment(target: CommentTarget, id: number, text: CommentText): Promise<void> {
  const call = requestById(target.client.octokit, `PATCH ${COMMENT_ROUTE}`, {
    ...buildWrite(target),
    comment_id: id,
    body: markBody(target, text),
  });
  await readData(
    call,
    WrittenComment.refine((comment) => comment.id === id, "another comment"),
  );
}

/** Deletes one of our own comments; one that is gone is no failure. */
export async function deleteComment(target: CommentTarget, id: number): Promise<void> {
  const call = requestById(target.client.octokit, `DELETE ${COMMENT_ROUTE}`, {
    ...buildWrite(target),
    comment_id: id,
  });
  await call.catch((error: unknown) => requireGone(target, id, error));
}

/** A single 404 is no proof that a comment is gone: the conversation must not list it either. */
async function requireGone(target: CommentTarget, id: number, error: unknown): Promise<void> {
  if (!(error instanceof GitHubError) || error.failure.kind !== "not_found") throw error;
  if ((await listOwnComments(target)).some((own) => own.id === id)) throw error;
}

/** Minimises a comment as outdated. */
export const MINIMISE_QUERY = `
mutation Minimise($id: ID!) {
  minimizeComment(input: { subjectId: $id, classifier: OUTDATED }) { minimizedComment { isMinimized } }
}`;
const MinimiseAnswer = z.object({
  minimizeComment: z.object({ minimizedComment: z.object({ isMinimized: z.literal(true) }) }).nullable(),
});

/** Minimises one of our own comments as outdated. Repeating it is harmless. */
export async function minimiseComment(
  { client, isCurrent }: CommentTarget,
  { nodeId }: Pick<OwnComment, "nodeId">,
): Promise<void> {
  const request = { write: { priority: "comment", isCurrent } } as const;
  const call = client.octokit.graphql(MINIMISE_QUERY, { id: nodeId, request });
  const { data } = await readGraphql(call, MinimiseAnswer);
  if (data.minimizeComment === null)
    throw new GitHubError(createGitHubFailure("forbidden", "GitHub does not minimise the comment"));
}

export type Reaction = "eyes" | "+1" | "-1" | "confused";

/** Adds a reaction to a person's comment. Repeating it is harmless: GitHub keeps one of a kind. */
export async function addReaction(
  target: CommentTarget,
  commentId: number,
  reaction: Reaction,
): Promise<void> {
  await requestById(target.client.octokit, `POST ${COMMENT_ROUTE}/reactions`, {
    ...buildWrite(target),
    comment_id: commentId,
    content: reaction,
  });
}

/** GitHub may change line ends and trims the text. */
const normalizeBody = (body: string): string => body.replaceAll("\r\n", "\n").trim();

export const isSameBody = (a: string, b: string): boolean => normalizeBody(a) === normalizeBody(b);

/** The same for a body as it was sent and as GitHub shows it. */
export const computeBodyDigest = (body: string): string =>
  createHash("sha256").update(normalizeBody(body)).digest("hex");

/**
 * Why GitHub refuses a comment. `locked`: the conversation. `blocked`: the App, by the owner. `restricted`: moderation limits who
 * may comment. `disabled`: nobody may, as in an archived repository or after 2,500 comments. `limited`: too many comments, or taken
 * for spam. `refused`: no reason that is known.
 */
export type RefusalReason =
  | "locked"
  | "blocked"
  | "restricted"
  | "disabled"
  | "limited"
  | "too_long"
  | "refused";

/** GitHub has no codes for these; its words are matched here and nowhere else. The first that fits counts. */
const WORDS: readonly (readonly [RegExp, RefusalReason])[] = [
  [/too long|maximum is \d+/i, "too_long"],
  [/\blocked\b/i, "locked"],
  [/disabled|archived|read-only/i, "disabled"],
  [/blocked/i, "blocked"],
  [/interaction|restricted|collaborators|contributors/i, "restricted"],
  [/too quickly|too many|spam|abus|limit/i, "limited"],
];

/** Null: GitHub did not refuse it, but failed, or was not reached. */
export function classifyRefusal(failure: GitHubFailure): RefusalReason | null {
  const { kind, message } = failure;
  if (!isRefusal(failure)) return null;
  if (kind === "gone") return "disabled";
  if (kind !== "forbidden" && kind !== "rejected") return "refused";
  return WORDS.find(([words]) => words.test(message))?.[1] ?? "refused";
}
