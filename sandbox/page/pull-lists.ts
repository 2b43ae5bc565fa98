import { html } from "hono/html";
import type { Repository, SandboxPull } from "../state/records.ts";
import { buildPullKey, getFullName, type World } from "../state/world.ts";
import { formatRepositoryPath } from "./addresses.ts";
import { checkLines, checkMarks } from "./check-lines.ts";
import { type Html, ICON, layout, moment } from "./layout.ts";
import { getStateMark } from "./pull-page.ts";
import { accountLink, listCard, repositoryLink, repositoryPage, tabs } from "./repository-frame.ts";

export interface ListQuery {
  readonly state: string | undefined;
  readonly page: string | undefined;
}

/** Renders the pull requests of all repositories beside a list of these. */
export const homePageHtml = (world: World, query: ListQuery): Html =>
  layout({
    title: "Pull requests · Sandbox GitHub",
    crumbs: html`<b>Pull requests</b>`,
    body: html`<div class="heading"><h1>Pull requests</h1></div>
<div class="columns">
${listCard("Repositories", world.repositories.all(), (one) => repositoryLink(world, one))}
<div>${pullList(world, world.pulls.all(), "/", query)}</div>
</div>`,
  });

/** Renders the pull requests of a repository. */
export function pullsPageHtml(world: World, repository: Repository, query: ListQuery): Html {
  const address = formatRepositoryPath(world, repository, "pulls");
  return repositoryPage(world, repository, {
    title: `Pull requests · ${getFullName(world, repository)}`,
    tab: "pulls",
    body: html`<div class="space">${pullList(world, world.pulls.group(String(repository.id)), address, query)}</div>`,
  });
}

/** Returns pull requests of any repositories, the newest first. */
export const sortNewest = (pulls: readonly SandboxPull[]): readonly SandboxPull[] =>
  pulls.toReversed().toSorted((a, b) => b.createdAt - a.createdAt);

const PAGE_SIZE = 25;

/** Renders one page of those in a state, the newest first, with links to the others. */
function pullList(world: World, all: readonly SandboxPull[], address: string, query: ListQuery): Html {
  const state = query.state === "closed" || query.state === "all" ? query.state : "open";
  const select = (one: string) => all.filter((pull) => one === "all" || pull.state === one);
  const chosen = sortNewest(select(state));
  return html`${tabs(
    "State",
    (["open", "closed", "all"] as const).map((one) => ({
      ...{ text: `${one.charAt(0).toUpperCase()}${one.slice(1)}`, href: `${address}?state=${one}` },
      ...{ isCurrent: one === state, count: select(one).length },
    })),
  )}
${paged(chosen, query.page, `${address}?state=${state}`, (pulls) => html`<ul class="card rows">${pulls.map((pull) => pullRow(world, pull))}${chosen.length === 0 && html`<li class="quiet">There are no ${state === "all" ? "" : state} pull requests.</li>`}</ul>`)}`;
}

/** Renders one page of a list, and links to the pages beside it. `address` has a query. */
export function paged<T>(
  all: readonly T[],
  page: string | undefined,
  address: string,
  render: (some: readonly T[]) => Html,
): Html {
  const last = Math.max(1, Math.ceil(all.length / PAGE_SIZE));
  const current = Math.min(last, Math.max(1, Number.parseInt(page ?? "1", 10) || 1));
  return html`${render(all.slice((current - 1) * PAGE_SIZE, current * PAGE_SIZE))}
${last > 1 && html`<nav class="pages" aria-label="Pages">${current > 1 && html`<a rel="prev" href="${address}&amp;page=${current - 1}">Previous</a>`} <span class="quiet">Page ${current} of ${last}</span> ${current < last && html`<a rel="next" href="${address}&amp;page=${current + 1}">Next</a>`}</nav>`}`;
}

/** Renders a pull request in a list. */
export function pullRow(world: World, pull: SandboxPull): Html {
  const repository = world.repositories.require(pull.repositoryId);
  const comments = world.comments.group(buildPullKey(pull)).length;
  return html`<li>${ICON[getStateMark(pull).icon]}
<div class="grow"><a class="title" href="${formatRepositoryPath(world, repository, "pull", String(pull.number))}">${pull.title}</a>
<p class="quiet">${repositoryLink(world, repository)}#${pull.number} opened ${moment(pull.createdAt)} by ${accountLink(world, pull.authorId)}</p></div>
${checkMarks(checkLines(world, pull))}
${comments > 0 && html`<span class="marks quiet">${ICON.comment} ${comments}</span>`}</li>`;
}
