import { html, raw } from "hono/html";
import type { References } from "../markdown/references.ts";
import { renderMarkdown } from "../markdown/render.ts";
import type { Account } from "../state/accounts.ts";
import { findAccount, findPull, findTeam } from "../state/find.ts";
import type { SandboxComment, SandboxPull } from "../state/pulls.ts";
import { buildPullKey, type World } from "../state/world.ts";
import type { Html } from "./layout.ts";
import { moment } from "./time.ts";

/** Renders the description and all comments, oldest first. */
export function conversation(world: World, pull: SandboxPull): readonly Html[] {
  const opened = {
    id: "description",
    author: world.accounts.require(pull.authorId),
    body: pull.body ?? "",
    at: pull.createdAt,
    edited: false,
    minimisedReason: null,
  };
  const comments = world.comments.group(buildPullKey(pull)).map((comment) => toPost(world, comment));
  return [opened, ...comments].map((post) => postMarkup(post, buildReferences(world, pull)));
}

/** Links mentions and numbers to the accounts and pull requests of this sandbox. */
export const buildReferences = (world: World, pull: SandboxPull): References => ({
  person: (login) => {
    const account = findAccount(world, login);
    return account === null ? null : `/${account.login}`;
  },
  team: (organisation, slug) =>
    findTeam(world, organisation, slug) === null ? null : `/orgs/${organisation}/teams/${slug}`,
  pull: (number) =>
    findPull(world, { repositoryId: pull.repositoryId, number }) === null ? null : String(number),
});

interface Post {
  readonly id: string;
  readonly author: Account;
  readonly body: string;
  readonly at: number;
  readonly edited: boolean;
  /** The reason for minimising it. */
  readonly minimisedReason: string | null;
}

const toPost = (world: World, comment: SandboxComment): Post => ({
  id: `issuecomment-${comment.id}`,
  author: world.accounts.require(comment.authorId),
  body: comment.body,
  at: comment.createdAt,
  edited: comment.updatedAt > comment.createdAt,
  minimisedReason: comment.minimised,
});

function postMarkup(post: Post, references: References): Html {
  const { author } = post;
  const name = author.deleted ? "ghost" : author.login.replace(/\[bot\]$/, "");
  const text =
    post.body.trim() === ""
      ? html`<p class="quiet"><em>No description provided.</em></p>`
      : raw(renderMarkdown(post.body, { references, breaks: true }));
  const body = html`<div class="markdown-body">${text}</div>`;
  return html`<article class="post" id="${post.id}">
<img class="avatar" src="/-/avatars/${author.id}.svg" alt="" width="40" height="40">
<div class="card">
<header><b>${name}</b>${author.type === "Bot" && html` <span class="tag">bot</span>`} <span class="quiet">commented ${moment(post.at)}${post.edited && " · edited"}</span></header>
${post.minimisedReason === null ? body : html`<details><summary class="quiet">This comment was marked as ${post.minimisedReason}.</summary>${body}</details>`}
</div>
</article>`;
}
