import { html } from "hono/html";
import { getFullName } from "../state/find.ts";
import type { SandboxPull } from "../state/pulls.ts";
import { buildPullKey, type World } from "../state/world.ts";
import { checkLines } from "./checks.ts";
import { ICON } from "./icons.ts";
import { type Html, layout } from "./layout.ts";
import { getStateMark } from "./pull-page.ts";
import { moment } from "./time.ts";

/** All pull requests of all repositories, the newest first. */
export function listPageHtml(world: World): Html {
  const pulls = world.pulls.all().toReversed();
  return layout({
    title: "Pull requests · Sandbox GitHub",
    crumbs: html`<b>Pull requests</b>`,
    refresh: null,
    body: html`<div class="heading"><h1>Pull requests</h1></div>
<ul class="card rows">
${pulls.map((pull) => row(world, pull))}
${pulls.length === 0 && html`<li class="quiet">There are no pull requests yet.</li>`}
</ul>`,
  });
}

function row(world: World, pull: SandboxPull): Html {
  const name = getFullName(world, world.repositories.require(pull.repositoryId));
  const comments = world.comments.group(buildPullKey(pull)).length;
  const author = world.accounts.require(pull.authorId);
  return html`<li>${ICON[getStateMark(pull).icon]}
<div class="grow"><a class="title" href="/${name}/pull/${pull.number}">${pull.title}</a>
<p class="quiet">${name}#${pull.number} opened ${moment(pull.createdAt)} by ${author.deleted ? "ghost" : author.login}</p></div>
<span class="marks">${checkLines(world, pull).map((line) => ICON[line.state])}</span>
${comments > 0 && html`<span class="marks quiet">${ICON.comment} ${comments}</span>`}</li>`;
}
