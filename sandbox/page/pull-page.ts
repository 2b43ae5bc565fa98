import { html, raw } from "hono/html";
import { type References, renderMarkdown } from "../resources/markdown.ts";
import { listMergeObstacles } from "../resources/merge-rule.ts";
import { countLines, listCommitsBetween, listPullChanges } from "../state/git.ts";
import type { Account, Repository, Review, SandboxComment, SandboxPull } from "../state/records.ts";
import { buildPullKey, getFullName, getObjects, type World } from "../state/world.ts";
import { formatRepositoryPath } from "./addresses.ts";
import { type CheckLine, checkLines, checkRows, summarizeChecks } from "./check-lines.ts";
import { type Html, ICON, moment } from "./layout.ts";
import { accountLink, buildReferences, count, repositoryPage, tabs } from "./repository-frame.ts";

const REFRESH_S = 3;

/** Renders the conversation of a pull request. */
export const pullPageHtml = (world: World, pull: SandboxPull): Html =>
  pullTabHtml(
    world,
    pull,
    "Conversation",
    html`<div class="timeline">
${conversation(world, pull)}
</div>
${mergeBox(world, pull, checkLines(world, pull))}`,
  );

/** Renders one of the pages of a pull request below its heading. */
export function pullTabHtml(world: World, pull: SandboxPull, tab: PullTab, body: Html): Html {
  const repository = world.repositories.require(pull.repositoryId);
  const unfinished = checkLines(world, pull).some(({ state }) => state === "running" || state === "waiting");
  return repositoryPage(world, repository, {
    title: `${pull.title} · ${getFullName(world, repository)}#${pull.number}`,
    tab: "pulls",
    ...(unfinished && pull.state === "open" && tab !== "Files changed" && { refresh: REFRESH_S }),
    body: html`${heading(world, pull, tab)}
${body}`,
  });
}

type PullTab = "Conversation" | "Commits" | "Checks" | "Files changed";

/** Returns the label and colour of a pull request's state. */
export function getStateMark(pull: SandboxPull): { readonly icon: keyof typeof ICON; readonly word: string } {
  if (pull.mergedAt !== null) return { icon: "merged", word: "Merged" };
  if (pull.state === "closed") return { icon: "closed", word: "Closed" };
  return pull.draft ? { icon: "draft", word: "Draft" } : { icon: "open", word: "Open" };
}

function heading(world: World, pull: SandboxPull, tab: PullTab): Html {
  const state = getStateMark(pull);
  const repository = world.repositories.require(pull.repositoryId);
  const objects = getObjects(world, repository);
  const commits = listCommitsBetween(objects, pull.baseSha, pull.headSha).length;
  const changes = listPullChanges(objects, pull);
  const { additions, deletions } = countLines(changes);
  const head = world.repositories.require(pull.headRepositoryId);
  const owner = world.accounts.require(pull.headOwnerId).login;
  const path = (...parts: readonly string[]) => formatRepositoryPath(world, repository, ...parts);
  const own = (...parts: readonly string[]) => path("pull", String(pull.number), ...parts);
  const branch = (on: Repository, ref: string, words: string) =>
    on.branches.has(ref)
      ? html`<a href="${formatRepositoryPath(world, on, "tree", ref)}"><code>${words}</code></a>`
      : html`<code>${words}</code>`;
  const link = (text: PullTab, href: string, number: number) => ({
    ...{ text, href, count: number, isCurrent: text === tab },
  });
  return html`<div class="heading">
<h1>${pull.title} <span class="quiet">#${pull.number}</span></h1>
<p><span class="pill ${state.icon}">${ICON[state.icon]} ${state.word}</span>
<span class="quiet">${accountLink(world, pull.authorId)} ${pull.mergedAt === null ? "wants to merge" : "merged"} ${count(commits, "commit")} into ${branch(repository, pull.baseRef, pull.baseRef)} from ${branch(head, pull.headRef, head.id === repository.id ? pull.headRef : `${owner}:${pull.headRef}`)}</span></p>
<p class="quiet facts"><span>${count(changes.length, "file")} changed</span> <span class="good">+${additions}</span> <span class="bad">−${deletions}</span> <span>head <a href="${path("commit", pull.headSha)}"><code>${pull.headSha.slice(0, 7)}</code></a></span> ${pull.labels.map((label) => html`<span class="tag">${label}</span> `)}</p>
</div>
${tabs("Pull request", [
  link("Conversation", own(), world.comments.group(buildPullKey(pull)).length),
  link("Commits", own("commits"), commits),
  link("Checks", own("checks"), checkLines(world, pull).length),
  link("Files changed", own("files"), changes.length),
])}`;
}

/** Renders the description and all comments, oldest first. */
function conversation(world: World, pull: SandboxPull): readonly Html[] {
  const opened = {
    id: "description",
    author: world.accounts.require(pull.authorId),
    body: pull.body ?? "",
    at: pull.createdAt,
    edited: false,
    minimisedReason: null,
    verb: "commented",
  };
  const key = buildPullKey(pull);
  const posts = [
    ...world.comments.group(key).map((comment) => toPost(world, comment)),
    ...world.reviews.group(key).map((review) => toReviewPost(world, review)),
  ].toSorted((a, b) => a.at - b.at);
  const references = buildReferences(world, pull.repositoryId);
  return [opened, ...posts].map((post) => postMarkup(world, post, references));
}

interface Post {
  readonly id: string;
  readonly author: Account;
  readonly body: string;
  readonly at: number;
  readonly edited: boolean;
  /** The reason for minimising it. */
  readonly minimisedReason: string | null;
  readonly verb: string;
}

const REVIEW_VERBS = {
  APPROVED: "approved these changes",
  CHANGES_REQUESTED: "requested changes",
  COMMENTED: "reviewed",
  DISMISSED: "reviewed, which was dismissed",
} as const;

const toReviewPost = (world: World, review: Review): Post => ({
  id: `pullrequestreview-${review.id}`,
  author: world.accounts.require(review.authorId),
  body: review.body,
  at: review.submittedAt,
  edited: review.editedAt !== null,
  minimisedReason: null,
  verb: REVIEW_VERBS[review.state],
});

const toPost = (world: World, comment: SandboxComment): Post => ({
  id: `issuecomment-${comment.id}`,
  author: world.accounts.require(comment.authorId),
  body: comment.body,
  at: comment.createdAt,
  edited: comment.editedAt !== null,
  minimisedReason: comment.minimised,
  verb: "commented",
});

function postMarkup(world: World, post: Post, references: References): Html {
  const { author } = post;
  const text =
    post.body.trim() === ""
      ? html`<p class="quiet"><em>${post.id === "description" ? "No description provided." : "No words."}</em></p>`
      : raw(renderMarkdown(post.body, { references, breaks: true }));
  const body = html`<div class="markdown-body">${text}</div>`;
  return html`<article class="post" id="${post.id}">
<img class="avatar" src="/-/avatars/${author.id}.svg" alt="" width="40" height="40">
<div class="card">
<header>${accountLink(world, author.id)} <span class="quiet">${post.verb} ${moment(post.at)}${post.edited && " · edited"}</span></header>
${post.minimisedReason === null ? body : html`<details><summary class="quiet">This comment was marked as ${post.minimisedReason}.</summary>${body}</details>`}
</div>
</article>`;
}

/** Renders a summary of the checks, whether merging is allowed, and why not. */
function mergeBox(world: World, pull: SandboxPull, lines: readonly CheckLine[]): Html {
  const because = listMergeObstacles(world, pull);
  const { tone, icon, title, words } = verdict(pull, because);
  return html`<section class="merge ${tone}" aria-label="Merging">
${lines.length > 0 && html`<div class="merge-part"><h2>${summarizeChecks(lines)}</h2>${checkRows(lines)}</div>`}
<div class="merge-part">
<h2>${ICON[icon]} ${title}</h2>
${words.length > 0 && html`<ul class="reasons">${words.map((reason) => html`<li>${sentence(reason)}</li>`)}</ul>`}
${pull.state === "open" && html`<p><span class="button" aria-disabled="${because.length > 0 ? "true" : "false"}">Merge pull request</span></p>`}
</div>
</section>`;
}

interface MergeBoxText {
  readonly tone: string;
  readonly icon: keyof typeof ICON;
  readonly title: string;
  readonly words: readonly string[];
}

function verdict(pull: SandboxPull, because: readonly string[]): MergeBoxText {
  if (pull.mergedAt !== null) return { tone: "done", icon: "merged", title: "Merged", words: [] };
  if (pull.state === "closed") return { tone: "bad", icon: "closed", title: "Closed, not merged", words: [] };
  if (because.length === 0) return { tone: "good", icon: "success", title: "Merging is allowed", words: [] };
  const waits = because.every((reason) => /not reported yet$|is not finished$/.test(reason));
  return waits
    ? { tone: "warn", icon: "running", title: "Merging waits for required checks", words: because }
    : { tone: "bad", icon: "failure", title: "Merging is blocked", words: because };
}

const sentence = (reason: string): string => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
