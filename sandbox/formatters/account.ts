import type { Account, Team } from "../state/accounts.ts";
import { buildNodeId } from "../state/node-id.ts";
import type { World } from "../state/world.ts";
import { formatTime, type JsonObject } from "./json.ts";

/** Formats a user, bot or organisation inside other objects; a deleted one is "ghost". */
export function formatAccount(world: World, account: Account): JsonObject {
  const { id, login } = account.deleted ? { id: 10_137, login: "ghost" } : account;
  const api = `${world.origin()}/users/${encodeURIComponent(login)}`;
  return {
    login,
    id,
    node_id: buildNodeId(account.type, id),
    avatar_url: `${world.origin()}/-/avatars/${id}.svg`,
    gravatar_id: "",
    url: api,
    html_url: `${world.origin()}/${login}`,
    followers_url: `${api}/followers`,
    following_url: `${api}/following{/other_user}`,
    gists_url: `${api}/gists{/gist_id}`,
    starred_url: `${api}/starred{/owner}{/repo}`,
    subscriptions_url: `${api}/subscriptions`,
    organizations_url: `${api}/orgs`,
    repos_url: `${api}/repos`,
    events_url: `${api}/events{/privacy}`,
    received_events_url: `${api}/received_events`,
    type: account.type,
    site_admin: false,
  };
}

export const formatAccountById = (world: World, id: number): JsonObject =>
  formatAccount(world, world.accounts.require(id));

/** Formats an account for its own endpoint. */
export const formatProfile = (world: World, account: Account): JsonObject => ({
  ...formatAccount(world, account),
  name: account.name,
  company: null,
  blog: "",
  location: null,
  email: null,
  hireable: null,
  bio: null,
  public_repos: world.repositories.filter((row) => row.ownerId === account.id).length,
  public_gists: 0,
  followers: 0,
  following: 0,
  created_at: formatTime(account.createdAt),
  updated_at: formatTime(account.createdAt),
});

/** Formats an organisation for deliveries. */
export function formatOrganisation(world: World, account: Account): JsonObject {
  const api = `${world.origin()}/orgs/${account.login}`;
  return {
    login: account.login,
    id: account.id,
    node_id: buildNodeId("Organization", account.id),
    url: api,
    repos_url: `${api}/repos`,
    events_url: `${api}/events`,
    hooks_url: `${api}/hooks`,
    issues_url: `${api}/issues`,
    members_url: `${api}/members{/member}`,
    public_members_url: `${api}/public_members{/member}`,
    avatar_url: `${world.origin()}/-/avatars/${account.id}.svg`,
    description: account.name,
  };
}

export function formatTeam(world: World, team: Team): JsonObject {
  const organisation = world.accounts.require(team.organisationId);
  const api = `${world.origin()}/organizations/${organisation.id}/team/${team.id}`;
  return {
    id: team.id,
    node_id: buildNodeId("Team", team.id),
    name: team.name,
    slug: team.slug,
    description: null,
    privacy: "closed",
    notification_setting: "notifications_enabled",
    permission: "pull",
    url: api,
    html_url: `${world.origin()}/orgs/${organisation.login}/teams/${team.slug}`,
    members_url: `${api}/members{/member}`,
    repositories_url: `${api}/repos`,
    type: "organization",
    organization_id: organisation.id,
    parent: null,
    members_count: team.memberIds.length,
    repos_count: 0,
    created_at: formatTime(organisation.createdAt),
    updated_at: formatTime(organisation.createdAt),
    organization: {
      ...formatOrganisation(world, organisation),
      html_url: `${world.origin()}/${organisation.login}`,
      type: organisation.type,
      has_organization_projects: true,
      has_repository_projects: true,
      public_repos: world.repositories.filter((row) => row.ownerId === organisation.id).length,
      public_gists: 0,
      followers: 0,
      following: 0,
      created_at: formatTime(organisation.createdAt),
      updated_at: formatTime(organisation.createdAt),
      archived_at: null,
    },
  };
}
