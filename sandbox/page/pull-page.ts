import { html, raw } from "hono/html";
import { type References, renderMarkdown } from "../resources/markdown.ts";
import { listMergeObstacles } from "../resources/merge-rule.ts";
import { countLines, listCommitsBetween, listPullChanges } from "../state/git.ts";
import type {
  Account,
  Reaction,
  ReactionContent,
  Repository,
  Review,
  SandboxComment,
  SandboxPull,
} from "../state/records.ts";
import { buildPullKey, getFullName, getObjects, type World } from "../state/world.ts";
import { formatRepositoryPath } from "./addresses.ts";
import { type CheckLine, checkLines, checkRows, summarizeChecks } from "./check-lines.ts";
import { type Html, ICON, moment } from "./layout.ts";
import { personMenu } from "./person.ts";
import {
  commentForm,
  endingForms,
  getCommentAnchor,
  getReviewAnchor,
  ownCommentForms,
  pushForms,
  type RefusedForm,
} from "./pull-forms.ts";
import { accountLink, buildReferences, count, repositoryPage, tabs } from "./repository-frame.ts";

/** Who looks at a page of a pull request, and how the server calls the state of what it shows. */
export interface Visit {
  readonly pull: SandboxPull;
  readonly path: string;
  readonly version: string;
  readonly person: Account | null;
  readonly refused: RefusedForm | null;
}

/** Renders the conversation of a pull request, and what a visitor can do. */
export function pullPageHtml(world: World, visit: Visit): Html {
  const { pull, person, refused } = visit;
  const body = html`<h2 class="unseen">Conversation</h2>
<div class="timeline" id="conversation">
${conversation(world, pull, person)}
</div>
<div id="ending">${mergeBox(world, pull, checkLines(world, pull))}</div>
${commentForm(world, pull, person, refused)}
<div id="more">${pushForms(world, pull)}</div>`;
  return pullTabHtml(world, visit, "Conversation", body);
}

/** Renders one of the pages of a pull request below its heading. */
export function pullTabHtml(world: World, visit: Visit, tab: PullTab, body: Html): Html {
  const { pull, person, path, version, refused } = visit;
  const repository = world.repositories.require(pull.repositoryId);
  return repositoryPage(world, repository, {
    title: `${pull.title} · ${getFullName(world, repository)}#${pull.number}`,
    tab: "pulls",
    person: personMenu(world, person, path),
    follow: { path, version },
    body: html`${refused && html`<p class="refused" role="alert">${ICON.failure} ${refused.sentence}</p>`}
<div id="top"><div id="heading" data-live>${heading(world, pull, tab)}</div></div>
<noscript><p class="quiet">Without scripts this page does not follow what happens: <a href="${path}">load it again</a>.</p></noscript>
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

/** Renders what people and bots wrote and did, oldest first. */
function conversation(world: World, pull: SandboxPull, person: Account | null): readonly Html[] {
  const opened: Post = {
    id: "description",
    author: world.accounts.require(pull.authorId),
    body: pull.body ?? "",
    at: pull.createdAt,
    edited: false,
    minimisedReason: null,
    verb: "commented",
  };
  const key = buildPullKey(pull);
  const references = buildReferences(world, pull.repositoryId);
  const posts = [
    opened,
    ...world.comments.group(key).map((comment) => ({
      ...toPost(world, comment),
      ...(comment.authorId === person?.id && { forms: ownCommentForms(world, pull, comment) }),
    })),
    ...world.reviews.group(key).map((review) => toReviewPost(world, review)),
  ].map((post) => ({ at: post.at, part: postMarkup(world, post, references) }));
  return [...posts, ...listEvents(world, pull)].toSorted((a, b) => a.at - b.at).map(({ part }) => part);
}

/** Lists the pushes since the pull request was opened, and its merge. */
function listEvents(
  world: World,
  pull: SandboxPull,
): readonly { readonly at: number; readonly part: Html }[] {
  const repository = world.repositories.require(pull.repositoryId);
  const event = (at: number, accountId: number, sha: string, did: string) => {
    const address = formatRepositoryPath(world, repository, "commit", sha);
    const part = html`<p class="event quiet" id="commit-${sha}" data-live>${accountLink(world, accountId)} ${did} as <a href="${address}"><code>${sha.slice(0, 7)}</code></a> · ${moment(at)}</p>`;
    return { at, part };
  };
  const pushed = listCommitsBetween(getObjects(world, repository), pull.baseSha, pull.headSha)
    .filter(({ committer }) => committer.at > pull.createdAt)
    .map(({ sha, message, committer: { at, accountId } }) =>
      event(at, accountId, sha, `pushed “${message.split("\n")[0]}”`),
    );
  const { mergedAt, mergedById, mergeCommitSha } = pull;
  if (mergedAt === null || mergedById === null || mergeCommitSha === null) return pushed;
  return [...pushed, event(mergedAt, mergedById, mergeCommitSha, "merged this")];
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
  readonly reactions?: readonly Reaction[];
  /** What the visitor can do with it. */
  readonly forms?: Html;
}

const SIGNS: Readonly<Record<ReactionContent, string>> = {
  ...{
    "+1": "👍",
    "-1": "👎",
    laugh: "😄",
    confused: "😕",
    heart: "❤️",
    hooray: "🎉",
    rocket: "🚀",
    eyes: "👀",
  },
};

const REVIEW_VERBS = {
  APPROVED: "approved these changes",
  CHANGES_REQUESTED: "requested changes",
  COMMENTED: "reviewed",
  DISMISSED: "reviewed, which was dismissed",
} as const;

const toReviewPost = (world: World, review: Review): Post => ({
  id: getReviewAnchor(review),
  author: world.accounts.require(review.authorId),
  body: review.body,
  at: review.submittedAt,
  edited: review.editedAt !== null,
  minimisedReason: null,
  verb: REVIEW_VERBS[review.state],
});

const toPost = (world: World, comment: SandboxComment): Post => ({
  id: getCommentAnchor(comment),
  author: world.accounts.require(comment.authorId),
  body: comment.body,
  at: comment.createdAt,
  edited: comment.editedAt !== null,
  minimisedReason: comment.minimised,
  verb: "commented",
  reactions: world.reactions.group(String(comment.id)),
});

function postMarkup(world: World, post: Post, references: References): Html {
  const { author, reactions = [] } = post;
  const text =
    post.body.trim() === ""
      ? html`<p class="quiet"><em>${post.id === "description" ? "No description provided." : "No words."}</em></p>`
      : raw(renderMarkdown(post.body, { references, breaks: true }));
  const body = html`<div class="markdown-body">${text}</div>`;
  return html`<article class="post" id="${post.id}" data-live>
<img class="avatar" src="/-/avatars/${author.id}.svg" alt="" width="40" height="40">
<div class="card">
<header>${accountLink(world, author.id)} <span class="quiet">${post.verb} ${moment(post.at)}${post.edited && " · edited"}</span></header>
${post.minimisedReason === null ? body : html`<details><summary class="quiet">This comment was marked as ${post.minimisedReason}.</summary>${body}</details>`}
${reactions.length > 0 && html`<p class="reactions">${reactions.map(({ content }) => html`<span class="tag" title="${content}">${SIGNS[content]} 1</span> `)}</p>`}
${post.forms}
</div>
</article>`;
}

/** Renders a summary of the checks, whether merging is allowed, and why not. */
function mergeBox(world: World, pull: SandboxPull, lines: readonly CheckLine[]): Html {
  const because = listMergeObstacles(world, pull);
  const { tone, icon, title, words } = verdict(pull, because);
  return html`<section class="merge ${tone}" id="merging" aria-label="Merging" data-live>
${lines.length > 0 && html`<div class="merge-part"><h2>${summarizeChecks(lines)}</h2>${checkRows(lines)}</div>`}
<div class="merge-part">
<h2>${ICON[icon]} ${title}</h2>
${words.length > 0 && html`<ul class="reasons">${words.map((reason) => html`<li>${sentence(reason)}</li>`)}</ul>`}
${endingForms(world, pull, because.length > 0)}
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
