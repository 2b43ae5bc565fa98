import { html } from "hono/html";
import type { Account, App, Repository, Team } from "../state/records.ts";
import { getFullName, isInstalledOn, type World } from "../state/world.ts";
import { findAccountPath, formatPath, formatRepositoryPath } from "./addresses.ts";
import { type Html, ICON, layout } from "./layout.ts";
import { paged, pullRow } from "./pull-lists.ts";
import { accountLink, listCard, repositoryLink, repositoryPage } from "./repository-frame.ts";

/** Renders an organisation with its repositories, people, teams and Apps, or somebody with their teams and pull requests. */
export function accountPageHtml(world: World, account: Account, page: string | undefined): Html {
  const { id, login } = account;
  const isIn = ({ organisationId }: { organisationId: number }) => organisationId === id;
  const own = world.repositories.filter(({ ownerId }) => ownerId === id);
  const repositories = listCard(
    "Repositories",
    own.map((one) => repositoryLink(world, one)),
  );
  if (account.type === "Organization")
    return profile(
      world,
      account,
      "Organisation",
      html`<div class="columns even"><div>${repositories}
${listCard(
  "Installed GitHub Apps",
  world.installations
    .filter(({ ownerId }) => ownerId === id)
    .map(({ appId }) => accountLink(world, world.apps.require(appId).botId)),
)}</div><div>${listCard(
        "People",
        world.memberships
          .filter(isIn)
          .map(
            ({ userId, role }) =>
              html`${accountLink(world, userId)} ${role === "admin" && html`<span class="tag">owner</span>`}`,
          ),
      )}
${listCard(
  "Teams",
  world.teams.filter(isIn).map((team) => teamLink(world, team)),
)}</div></div>`,
    );
  const pulls = world.pulls.filter(({ authorId }) => authorId === id).toReversed();
  const teams = world.teams.filter(({ memberIds }) => memberIds.includes(id));
  const memberships = world.memberships.filter(({ userId }) => userId === id);
  return profile(
    world,
    account,
    account.type,
    html`<div class="columns"><div>${listCard(
      "Organisations",
      memberships.map(({ organisationId }) => accountLink(world, organisationId)),
    )}
${listCard(
  "Teams",
  teams.map((team) => teamLink(world, team)),
)}
${own.length > 0 && repositories}</div>
<div>${paged(pulls, page, `${formatPath(login)}?`, (some) => html`<section class="card"><header><b>Pull requests</b></header><ul class="rows">${some.map((pull) => pullRow(world, pull))}${pulls.length === 0 && html`<li class="quiet">None.</li>`}</ul></section>`)}</div></div>`,
  );
}

const profile = (world: World, { id, login, name }: Account, kind: string, body: Html): Html =>
  layout({
    title: `${login} · Sandbox GitHub`,
    crumbs: html`<a href="${findAccountPath(world, id)}"><b>${login}</b></a>`,
    body: html`<div class="heading named"><img class="avatar" src="/-/avatars/${id}.svg" alt="" width="64" height="64"><div><h1>${name ?? login}</h1><p class="quiet">${login} · ${kind}</p></div></div>
${body}`,
  });

const teamLink = (world: World, { organisationId, slug }: Team): Html => {
  const { login } = world.accounts.require(organisationId);
  return html`<a href="${formatPath("orgs", login, "teams", slug)}">${login}/${slug}</a>`;
};

/** Renders a team with its members. */
export function teamPageHtml(world: World, team: Team): Html {
  const organisation = world.accounts.require(team.organisationId);
  const members = team.memberIds.map((id) => accountLink(world, id));
  return layout({
    title: `${team.name} · ${organisation.login}`,
    crumbs: html`<a href="${formatPath(organisation.login)}">${organisation.login}</a> <span class="quiet">/</span> ${teamLink(world, team)}`,
    body: html`<div class="heading"><h1>${team.name}</h1><p class="quiet">Team of ${organisation.login}</p></div>
${listCard("Members", members)}`,
  });
}

/** Renders a GitHub App: what it may do, and where it is installed. */
export function appPageHtml(world: World, app: App): Html {
  const rows = world.installations
    .filter(({ appId }) => appId === app.id)
    .flatMap((one) =>
      world.repositories
        .filter((repository) => isInstalledOn(one, repository))
        .map((repository) => repositoryLink(world, repository)),
    );
  const permissions = Object.entries(app.permissions).map(
    ([name, access]) => html`<span class="grow">${name.replaceAll("_", " ")}</span> ${access}`,
  );
  return profile(
    world,
    { ...world.accounts.require(app.botId), name: app.name },
    "GitHub App",
    html`<div class="columns even">${listCard("Installed on", rows)}${listCard("Permissions", permissions)}</div>`,
  );
}

/** Renders the merge queue of a branch. */
export function queuePageHtml(world: World, repository: Repository, branch: string): Html {
  const path = (...parts: readonly string[]) => formatRepositoryPath(world, repository, ...parts);
  const groups = world.mergeGroups
    .filter((one) => one.repositoryId === repository.id && one.baseRef === branch)
    .map(
      ({ numbers, headSha, destroyed }) =>
        html`${ICON[destroyed === "merged" ? "merged" : destroyed === null ? "running" : "closed"]} <span class="grow">${numbers.map((number) => html`<a href="${path("pull", String(number))}">#${number}</a> `)}<span class="quiet">${destroyed ?? "waits for its checks"}</span></span> <a href="${path("commit", headSha)}"><code>${headSha.slice(0, 7)}</code></a>`,
    );
  return repositoryPage(world, repository, {
    title: `Merge queue of ${branch} · ${getFullName(world, repository)}`,
    tab: "pulls",
    body: html`<div class="heading"><h1>Merge queue of <code>${branch}</code></h1></div>
${listCard("Merge groups", groups.toReversed())}`,
  });
}
