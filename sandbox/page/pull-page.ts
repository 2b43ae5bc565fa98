import { html, raw } from "hono/html";
import { listChangedFiles } from "../git/diff.ts";
import { findMergeBase, listCommitsBetween } from "../git/history.ts";
import { renderMarkdown } from "../markdown/render.ts";
import { getFullName, getObjects } from "../state/find.ts";
import type { SandboxPull } from "../state/pulls.ts";
import type { World } from "../state/world.ts";
import { type CheckLine, checkLines } from "./checks.ts";
import { buildReferences, conversation } from "./conversation.ts";
import { ICON } from "./icons.ts";
import { type Html, layout } from "./layout.ts";
import { mergeBox } from "./merge-box.ts";

const REFRESH_S = 3;

/** Renders the page of a pull request. */
export function pullPageHtml(world: World, pull: SandboxPull): Html {
  const name = getFullName(world, world.repositories.require(pull.repositoryId));
  const lines = checkLines(world, pull);
  const unfinished = lines.some((line) => line.state === "running" || line.state === "waiting");
  return layout({
    title: `${pull.title} · ${name}#${pull.number}`,
    crumbs: html`${name.split("/")[0] ?? ""} <span class="quiet">/</span> <b>${name.split("/")[1] ?? ""}</b>`,
    refresh: unfinished && pull.state === "open" ? REFRESH_S : null,
    body: html`${heading(world, pull)}
<div class="timeline">
${conversation(world, pull)}
</div>
${mergeBox(world, pull, lines)}
${lines.map((line) => checkDetail(world, pull, line))}`,
  });
}

/** Returns the label and colour of a pull request's state. */
export function getStateMark(pull: SandboxPull): { readonly icon: keyof typeof ICON; readonly word: string } {
  if (pull.mergedAt !== null) return { icon: "merged", word: "Merged" };
  if (pull.state === "closed") return { icon: "closed", word: "Closed" };
  return pull.draft ? { icon: "draft", word: "Draft" } : { icon: "open", word: "Open" };
}

function heading(world: World, pull: SandboxPull): Html {
  const state = getStateMark(pull);
  const objects = getObjects(world, world.repositories.require(pull.repositoryId));
  const commits = listCommitsBetween(objects, pull.baseSha, pull.headSha).length;
  const changes = listChangedFiles(objects, findMergeBase(objects, pull.baseSha, pull.headSha), pull.headSha);
  const added = changes.reduce((sum, change) => sum + change.additions, 0);
  const gone = changes.reduce((sum, change) => sum + change.deletions, 0);
  const fork = pull.headRepositoryId !== pull.repositoryId;
  const owner = world.accounts.require(pull.headOwnerId).login;
  const author = world.accounts.require(pull.authorId);
  return html`<div class="heading">
<h1>${pull.title} <span class="quiet">#${pull.number}</span></h1>
<p><span class="pill ${state.icon}">${ICON[state.icon]} ${state.word}</span>
<span class="quiet"><b>${author.deleted ? "ghost" : author.login}</b> ${pull.mergedAt === null ? "wants to merge" : "merged"} ${count(commits, "commit")} into <code>${pull.baseRef}</code> from <code>${fork && `${owner}:`}${pull.headRef}</code></span></p>
<p class="quiet facts"><span>${count(changes.length, "file")} changed</span> <span class="good">+${added}</span> <span class="bad">−${gone}</span> <span>head <code>${pull.headSha.slice(0, 7)}</code></span> ${pull.labels.map((label) => html`<span class="tag">${label}</span> `)}</p>
</div>`;
}

/** Renders a check run's output. */
function checkDetail(world: World, pull: SandboxPull, line: CheckLine): Html {
  const { run } = line;
  if (run === null) return raw("");
  const text = [run.output.summary, run.output.text].filter((part) => part !== null && part !== "");
  const as = { references: buildReferences(world, pull), breaks: false };
  const body = text.map(
    (part) => html`<div class="markdown-body">${raw(renderMarkdown(part ?? "", as))}</div>`,
  );
  const buttons = run.actions.map(
    (action) => html`<span class="button plain" title="${action.description}">${action.label}</span> `,
  );
  return html`<section class="card check" id="check-${run.id}">
<header>${ICON[line.state]} <b>${line.name}</b> <span class="quiet">by ${line.from}</span>${run.detailsUrl !== null && html` <a class="end" href="${run.detailsUrl}">View more details on ${line.from}</a>`}</header>
<div class="check-body">
${run.output.title !== null && html`<h2>${run.output.title}</h2>`}
${body}
${buttons.length > 0 && html`<p>${buttons}</p>`}
${body.length === 0 && run.output.title === null && html`<p class="quiet">This check says nothing more.</p>`}
</div>
</section>`;
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
