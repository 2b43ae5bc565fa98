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
  const isMember = type === "Organization" ? null : id;
  const teams = world.teams.filter(
    (one) => one.organisationId === id || one.memberIds.includes(isMember ?? -1),
  );
  const teamCard = listCard(
    "Teams",
    teams.map((team) => teamLink(world, team)),
  );
  const repositories = listCard(
    "Repositories",
    own.map((one) => repositoryLink(world, one)),
  );
  if (isMember === null) {
    const apps = world.installations.filter(({ ownerId }) => ownerId === id);
    const people = world.memberships.filter(({ organisationId }) => organisationId === id);
    const bots = apps.map(({ appId }) => accountLink(world, world.apps.require(appId).botId));
    const links = people.map(
      ({ userId, role }) =>
        html`${accountLink(world, userId)} ${role === "admin" && html`<span class="tag">owner</span>`}`,
    );
    const left = html`${repositories}${listCard("Installed GitHub Apps", bots)}`;
    return profile(world, account, "Organisation", [left, html`${listCard("People", links)}${teamCard}`]);
  }
  const memberships = world.memberships.filter(({ userId }) => userId === id);
  const organisations = memberships.map(({ organisationId }) => accountLink(world, organisationId));
  const pulls = sortNewest(world.pulls.filter(({ authorId }) => authorId === id));
  const list = paged(pulls, page, `${formatPath(login)}?`, (some) => pullCard(world, some));
  const left = html`${listCard("Organisations", organisations)}${teamCard}${own.length > 0 && repositories}`;
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
${listCard(
  "Members",
  team.memberIds.map((id) => accountLink(world, id)),
)}`,
  });
}

/** Renders a GitHub App: what it may do, and where it is installed. */
export function appPageHtml(world: World, app: App): Html {
  const installed = world.repositories.filter((repository) =>
    world.installations.all().some((one) => one.appId === app.id && isInstalledOn(one, repository)),
  );
  const permissions = Object.entries(app.permissions).map(
    ([name, access]) => html`<span class="grow">${name.replaceAll("_", " ")}</span> ${access}`,
  );
  return profile(world, { ...world.accounts.require(app.botId), name: app.name }, "GitHub App", [
    listCard(
      "Installed on",
      installed.map((one) => repositoryLink(world, one)),
    ),
    listCard("Permissions", permissions),
  ]);
}
