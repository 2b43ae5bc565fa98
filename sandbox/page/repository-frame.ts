import { html } from "hono/html";
import type { References } from "../resources/markdown.ts";
import type { Repository } from "../state/records.ts";
import { findAccount, findPull, findTeam, getFullName, type World } from "../state/world.ts";
import { findAccountPath, formatPath, formatRepositoryPath } from "./addresses.ts";
import { type Html, layout, type PageContent } from "./layout.ts";

interface RepositoryPage extends Omit<PageContent, "crumbs" | "tabs"> {
  readonly tab: "code" | "pulls";
}

/** Renders a page of a repository below its name and tabs. */
export function repositoryPage(world: World, repository: Repository, page: RepositoryPage): Html {
  const root = formatRepositoryPath(world, repository);
  const pulls = world.pulls.group(String(repository.id));
  const open = pulls.filter(({ state }) => state === "open").length;
  return layout({
    ...page,
    crumbs: html`<a href="${findAccountPath(world, repository.ownerId)}">${world.accounts.require(repository.ownerId).login}</a> <span class="quiet">/</span> <a href="${root}"><b>${repository.name}</b></a> <span class="tag">${repository.visibility}</span>`,
    tabs: tabs("Repository", [
      { text: "Code", href: root, isCurrent: page.tab === "code" },
      { text: "Pull requests", href: `${root}/pulls`, isCurrent: page.tab === "pulls", count: open },
    ]),
  });
}

interface Tab {
  readonly text: string;
  readonly href: string;
  readonly isCurrent: boolean;
  readonly count?: number;
}

/** Renders links between pages that belong together. */
export const tabs = (label: string, all: readonly Tab[]): Html =>
  html`<nav class="tabs" aria-label="${label}">${all.map(
    ({ text, href, isCurrent, count }) =>
      html`<a href="${href}"${isCurrent && html` aria-current="page"`}>${text}${count !== undefined && html` <span class="counter">${count}</span>`}</a>`,
  )}</nav>`;

/** Links mentions and numbers to the accounts and pull requests of this sandbox. */
export const buildReferences = (world: World, repositoryId: number): References => ({
  person: (login) => {
    const account = findAccount(world, login);
    return account === null ? null : findAccountPath(world, account.id);
  },
  team: (organisation, slug) =>
    findTeam(world, organisation, slug) === null ? null : formatPath("orgs", organisation, "teams", slug),
  pull: (number) => {
    const pull = findPull(world, { repositoryId, number });
    const repository = world.repositories.require(repositoryId);
    return pull === null ? null : formatRepositoryPath(world, repository, "pull", String(number));
  },
});

/** Renders a short list in a frame with a heading. */
export const listCard = <T>(title: Html | string, all: readonly T[], render: (one: T) => Html): Html =>
  html`<section class="card side"><header><b>${title}</b></header><ul class="rows">${all.map((one) => html`<li>${render(one)}</li>`)}${all.length === 0 && html`<li class="quiet">None.</li>`}</ul></section>`;

/** Renders a name that leads to the account's page. */
export function accountLink(world: World, accountId: number): Html {
  const { login, type } = world.accounts.require(accountId);
  return html`<a class="person" href="${findAccountPath(world, accountId)}">${login.replace(/\[bot\]$/, "")}</a>${type === "Bot" && html` <span class="tag">bot</span>`}`;
}

export const repositoryLink = (world: World, repository: Repository): Html =>
  html`<a href="${formatRepositoryPath(world, repository)}">${getFullName(world, repository)}</a>`;

/** "1 file", "2 files" */
export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? "" : noun.endsWith("ch") ? "es" : "s"}`;
