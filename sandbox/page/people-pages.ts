import { html } from "hono/html";
import type { Account, App, SandboxPull, Team } from "../state/records.ts";
import { isInstalledOn, type World } from "../state/world.ts";
import { findAccountPath, formatPath } from "./addresses.ts";
import { type Html, layout } from "./layout.ts";
import { paged, pullRow, sortNewest } from "./pull-lists.ts";
import { accountLink, listCard, repositoryLink } from "./repository-frame.ts";

/** Renders an organisation with its repositories, Apps, people and teams, or somebody with their teams and pull requests. */
export function accountPageHtml(world: World, account: Account, page: string | undefined): Html {
  const { id, login, type } = account;
  const own = world.repositories.filter(({ ownerId }) => ownerId === id);
  const isOrganisation = type === "Organization";
  const teams = world.teams.filter(({ organisationId, memberIds }) =>
    isOrganisation ? organisationId === id : memberIds.includes(id),
  );
  const toAccount = (accountId: number): Html => accountLink(world, accountId);
  const teamCard = listCard("Teams", teams, (team) => teamLink(world, team));
  const repositories = listCard("Repositories", own, (one) => repositoryLink(world, one));
  if (isOrganisation) {
    const apps = world.installations.filter(({ ownerId }) => ownerId === id);
    const bots = apps.map(({ appId }) => world.apps.require(appId).botId);
    const members = world.memberships.filter(({ organisationId }) => organisationId === id);
    const people = listCard("People", members, ({ userId, role }) => {
      return html`${toAccount(userId)} ${role === "admin" && html`<span class="tag">owner</span>`}`;
    });
    const left = html`${repositories}${listCard("Installed GitHub Apps", bots, toAccount)}`;
    return profile(world, account, "Organisation", [left, html`${people}${teamCard}`]);
  }
  const memberships = world.memberships.filter(({ userId }) => userId === id);
  const organisations = listCard("Organisations", memberships, (one) => toAccount(one.organisationId));
  const pulls = sortNewest(world.pulls.filter(({ authorId }) => authorId === id));
  const list = paged(pulls, page, `${formatPath(login)}?`, (some) => pullCard(world, some));
  const left = html`${organisations}${teamCard}${own.length > 0 && repositories}`;
  return profile(world, account, type, [left, list]);
}

const pullCard = (world: World, pulls: readonly SandboxPull[]): Html =>
  html`<section class="card"><header><b>Pull requests</b></header><ul class="rows">${pulls.map((pull) => pullRow(world, pull))}${pulls.length === 0 && html`<li class="quiet">None.</li>`}</ul></section>`;

const profile = (world: World, account: Account, kind: string, columns: readonly Html[]): Html =>
  layout({
    title: `${account.login} · Sandbox GitHub`,
    crumbs: html`<a href="${findAccountPath(world, account.id)}"><b>${account.name ?? account.login}</b></a>`,
    body: html`<div class="heading named"><img class="avatar" src="/-/avatars/${account.id}.svg" alt="" width="64" height="64"><div><h1>${account.name ?? account.login}</h1><p class="quiet">${account.login} · ${kind}</p></div></div>
<div class="columns ${kind === "User" ? "" : "even"}">${columns.map((column) => html`<div>${column}</div>`)}</div>`,
  });

const teamLink = (world: World, { organisationId, slug }: Team): Html => {
  const { login } = world.accounts.require(organisationId);
  return html`<a href="${formatPath("orgs", login, "teams", slug)}">${login}/${slug}</a>`;
};

/** Renders a team with its members. */
export function teamPageHtml(world: World, team: Team): Html {
  const organisation = accountLink(world, team.organisationId);
  return layout({
    title: `${team.name} · Sandbox GitHub`,
    crumbs: html`${organisation} <span class="quiet">/</span> ${teamLink(world, team)}`,
    body: html`<div class="heading"><h1>${team.name}</h1><p class="quiet">Team of ${organisation}</p></div>
${listCard("Members", team.memberIds, (id) => accountLink(world, id))}`,
  });
}

/** Renders a GitHub App: what it may do, and where it is installed. */
export function appPageHtml(world: World, app: App): Html {
  const installed = world.repositories.filter((repository) =>
    world.installations.all().some((one) => one.appId === app.id && isInstalledOn(one, repository)),
  );
  return profile(world, { ...world.accounts.require(app.botId), name: app.name }, "GitHub App", [
    listCard("Installed on", installed, (one) => repositoryLink(world, one)),
    listCard("Permissions", Object.entries(app.permissions), ([name, access]) => {
      return html`<span class="grow">${name.replaceAll("_", " ")}</span> ${access}`;
    }),
  ]);
}
