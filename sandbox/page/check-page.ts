import { html, raw } from "hono/html";
import { renderMarkdown } from "../resources/markdown.ts";
import type { CheckAnnotation, CheckRun, SandboxPull } from "../state/records.ts";
import type { World } from "../state/world.ts";
import { findAccountPath, formatRepositoryPath, readWebAddress } from "./addresses.ts";
import { type CheckLine, checkLines, runLine } from "./check-lines.ts";
import { type Html, ICON, moment } from "./layout.ts";
import { checkButtons } from "./pull-forms.ts";
import { pullTabHtml, type Visit } from "./pull-page.ts";
import { buildReferences, count, repositoryPage } from "./repository-frame.ts";

/** Renders the checks of a pull request's head, and what one of them says: that with this id, else the first. */
export function checksTabHtml(
  world: World,
  visit: Visit,
  { runId, isAsked }: { readonly runId: number; readonly isAsked: boolean },
): Html {
  const { pull } = visit;
  const lines = checkLines(world, pull);
  const chosen = lines.find(({ run }) => run?.id === runId) ?? lines.find(({ run }) => run !== null) ?? null;
  const entry = (line: CheckLine) =>
    html`<li>${ICON[line.state]} ${
      line.link === null
        ? html`<span>${line.name}</span>`
        : html`<a href="${line.link}"${line === chosen && html` aria-current="true"`}>${line.name}</a>`
    }</li>`;
  const asked = html`<p class="asked" role="status">${ICON.running} ${chosen?.from} was asked to look again. Where it finds nothing new, its check stays as it is.</p>`;
  const body = html`${isAsked && asked}<div id="frame"><div class="columns" id="checks" data-live>
<nav class="card side" aria-label="Checks"><ul class="rows">${lines.map(entry)}${lines.length === 0 && html`<li class="quiet">No checks yet.</li>`}</ul></nav>
<div>${chosen?.run && checkDetail(world, chosen.run, pull)}</div>
</div></div>`;
  return pullTabHtml(world, visit, "Checks", body);
}

/** Renders a check run by itself, also an older one of its name. */
export function runPageHtml(world: World, run: CheckRun): Html {
  const repository = world.repositories.require(run.repositoryId);
  const pulls = world.pulls.group(String(repository.id)).filter(({ headSha }) => headSha === run.headSha);
  const path = (...parts: readonly string[]) => formatRepositoryPath(world, repository, ...parts);
  return repositoryPage(world, repository, {
    title: `${run.name} · ${run.headSha.slice(0, 7)}`,
    tab: "pulls",
    body: html`<div class="heading"><h1>${run.name}</h1>
<p class="quiet">On commit <a href="${path("commit", run.headSha)}"><code>${run.headSha.slice(0, 7)}</code></a>${pulls.map(
      ({ number }) =>
        html` of <a href="${path("pull", String(number), "checks")}?check_run_id=${run.id}">#${number}</a>`,
    )}, started ${moment(run.startedAt)}</p></div>
${checkDetail(world, run, pulls[0])}`,
  });
}

/** Renders a check run's output as GitHub does, its buttons, and its annotations. */
function checkDetail(world: World, run: CheckRun, pull: SandboxPull | undefined): Html {
  const line = runLine(world, run);
  const text = [run.output.summary, run.output.text].filter((part) => part !== null && part !== "");
  const as = { references: buildReferences(world, run.repositoryId), breaks: false };
  const body = text.map(
    (part) => html`<div class="markdown-body">${raw(renderMarkdown(part ?? "", as))}</div>`,
  );
  const details = readWebAddress(run.detailsUrl);
  return html`<section class="card check" id="check-${run.id}">
<header>${ICON[line.state]} <b>${line.name}</b> <span class="quiet">by <a href="${findAccountPath(world, world.apps.require(run.appId).botId)}">${line.from}</a></span>${details !== null && html` <a class="end" href="${details}">View more details on ${line.from}</a>`}</header>
<div class="check-body">
${run.output.title !== null && html`<h2>${run.output.title}</h2>`}
${pull && checkButtons(world, pull, run)}
${body}
${body.length === 0 && run.output.title === null && html`<p class="quiet">This check says nothing more.</p>`}
</div>
</section>
${run.annotations.length > 0 && annotationList(world, run)}`;
}

function annotationList(world: World, run: CheckRun): Html {
  const repository = world.repositories.require(run.repositoryId);
  const entries = run.annotations.map((one) => {
    const lines =
      one.start_line === one.end_line ? `L${one.start_line}` : `L${one.start_line}-L${one.end_line}`;
    const href = `${formatRepositoryPath(world, repository, "blob", run.headSha, one.path)}#${lines}`;
    return html`<li>${annotationMarkup(one, html`<a href="${href}"><code>${one.path}#${lines}</code></a>`)}</li>`;
  });
  return html`<section class="card check"><header><b>${count(run.annotations.length, "annotation")}</b></header><ul class="annotations">${entries}</ul></section>`;
}

const ANNOTATION_STATE = { notice: "neutral", warning: "attention", failure: "failure" } as const;

/** Renders an annotation with where it is, or whose it is. */
export const annotationMarkup = (one: CheckAnnotation, from: Html | string): Html =>
  html`<div class="annotation ${one.annotation_level}">${ICON[ANNOTATION_STATE[one.annotation_level]]} <b>${one.title ?? one.annotation_level}</b> <span class="quiet">${one.annotation_level} · ${from}</span><p>${one.message}</p></div>`;
