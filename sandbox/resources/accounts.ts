import {
  type ApiRoute,
  answerList,
  formatTime,
  type InstallationCall,
  invalid,
  type JsonObject,
  notFound,
  ok,
  parseId,
  route,
} from "../api/call.ts";
import type { Account, Membership, Permission, Team } from "../state/records.ts";
import {
  buildNodeId,
  findAccount,
  findMembership,
  findTeam,
  requireAccount,
  requireRepository,
  type World,
} from "../state/world.ts";

export interface NewOwner {
  readonly login: string;
  readonly type: "user" | "organisation";
  readonly name?: string;
  /** Login of an organisation's first admin, created when missing; default `<login>-admin`. */
  readonly admin?: string;
}

interface NewMember {
  readonly organisation: string;
  readonly login: string;
  readonly role?: Membership["role"];
}

/** People and organisations. Logins are unique, case-insensitively. None of these verbs sends a delivery. */
export const createAccountVerbs = (world: World) => ({
  createOwner: (spec: NewOwner): Account => {
    const { login, name = null } = spec;
    const type = spec.type === "user" ? "User" : "Organization";
    const owner = addAccount(world, { login, type, name });
    if (type === "Organization")
      addMember(world, { organisation: login, login: spec.admin ?? `${login}-admin`, role: "admin" });
    return owner;
  },
  /** A bot account that is no App of this sandbox, e.g. "dependabot"; its login gets the suffix "[bot]". */
  createBot: (name: string): Account => addAccount(world, { login: `${name}[bot]`, type: "Bot", name }),
  createTeam: (spec: { organisation: string; slug: string; members: readonly string[] }): Team =>
    world.teams.insert({
      id: world.nextId("other"),
      organisationId: requireAccount(world, spec.organisation).id,
      slug: spec.slug,
      name: spec.slug,
      memberIds: spec.members.map((login) => addMember(world, { organisation: spec.organisation, login })),
    }),
  addMember: (spec: NewMember): void => {
    addMember(world, spec);
  },
  removeTeamMember: (spec: { organisation: string; slug: string; login: string }): void => {
    const leaverId = requireAccount(world, spec.login).id;
    const team = findTeam(world, spec.organisation, spec.slug);
    if (team === null) throw invalid({ resource: "Team", field: "slug", code: "missing" });
    world.teams.update(team.id, { memberIds: team.memberIds.filter((id) => id !== leaverId) });
  },
  setCollaborator: (spec: { repository: string; login: string; permission: Permission }): void => {
    const { id, collaborators } = requireRepository(world, spec.repository);
    const accountId = requireAccount(world, spec.login).id;
    world.repositories.update(id, { collaborators: new Map(collaborators).set(accountId, spec.permission) });
  },
});

/** Creates an account; refuses a taken login. */
export function addAccount(world: World, spec: Pick<Account, "login" | "type" | "name">): Account {
  if (findAccount(world, spec.login) !== null)
    throw invalid({ resource: "User", field: "login", code: "already_exists" });
  return world.accounts.insert({ ...spec, id: world.nextId("account"), createdAt: world.clock.now() });
}

/** Returns the member's id; creates the user when the login does not exist. */
function addMember(world: World, { organisation, login, role }: NewMember): number {
  const organisationId = requireAccount(world, organisation).id;
  const { id: userId } = findAccount(world, login) ?? addAccount(world, { login, type: "User", name: null });
  const member = findMembership(world, organisationId, userId);
  if (member !== null) world.memberships.update(member.id, { role: role ?? member.role });
  else
    world.memberships.insert({ id: world.nextId("other"), organisationId, userId, role: role ?? "member" });
  return userId;
}

/** What an App can read about people and teams. */
export const accountRoutes: readonly ApiRoute[] = [
  route.installation("GET /users/{username}", [], ({ world, path }) =>
    answerProfile(world, findAccount(world, path["username"] ?? "")),
  ),
  route.installation("GET /user/{account_id}", [], (call) =>
    answerProfile(call.world, call.world.accounts.get(parseId(call, "account_id"))),
  ),
  route.installation("GET /orgs/{org}/teams/{team_slug}", ["members:read"], (call) =>
    ok(formatTeam(call.world, resolveTeam(call))),
  ),
  route.installation("GET /orgs/{org}/teams/{team_slug}/members", ["members:read"], (call) =>
    answerList(call, resolveTeam(call).memberIds, formatAccountById),
  ),
  route.installation("GET /orgs/{org}/teams/{team_slug}/memberships/{username}", ["members:read"], (call) => {
    const team = resolveTeam(call);
    const user = findAccount(call.world, call.path["username"] ?? "");
    if (user === null || !team.memberIds.includes(user.id)) throw notFound();
    const api = `${call.world.origin()}/organizations/${team.organisationId}/team/${team.id}`;
    return ok({ url: `${api}/memberships/${user.login}`, role: "member", state: "active" });
  }),
];

function answerProfile(world: World, account: Account | null) {
  if (account === null) throw notFound();
  return ok(formatProfile(world, account));
}

function resolveTeam({ world, path, caller }: InstallationCall): Team {
  const team = findTeam(world, path["org"] ?? "", path["team_slug"] ?? "");
  if (team === null || caller.installation.ownerId !== team.organisationId) throw notFound();
  return team;
}

/** Formats a user, bot or organisation inside other objects. */
export function formatAccountById(world: World, id: number): JsonObject {
  const { login, type } = world.accounts.require(id);
  const api = `${world.origin()}/users/${encodeURIComponent(login)}`;
  return {
    login,
    id,
    node_id: buildNodeId(type, id),
    avatar_url: getAvatarUrl(world, id),
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
    type,
    site_admin: false,
  };
}

export const getAvatarUrl = (world: World, id: number): string => `${world.origin()}/-/avatars/${id}.svg`;

/** Formats an account for its own endpoint. */
export const formatProfile = (world: World, account: Account): JsonObject => ({
  ...formatAccountById(world, account.id),
  ...formatCounts(world, account),
  name: account.name,
  company: null,
  blog: "",
  location: null,
  email: null,
  hireable: null,
  bio: null,
});

const formatCounts = (world: World, { id, createdAt }: Account): JsonObject => ({
  public_repos: world.repositories.filter((row) => row.ownerId === id).length,
  public_gists: 0,
  followers: 0,
  following: 0,
  created_at: formatTime(createdAt),
  updated_at: formatTime(createdAt),
});

/** Formats the member `organization` of a delivery about an account's things; without it for a person. */
export const formatOrganisationMember = (world: World, ownerId: number): JsonObject => {
  const owner = world.accounts.require(ownerId);
  return owner.type === "Organization" ? { organization: formatOrganisation(world, owner) } : {};
};

function formatOrganisation(world: World, { id, login, name }: Account): JsonObject {
  const api = `${world.origin()}/orgs/${login}`;
  return {
    login,
    id,
    node_id: buildNodeId("Organization", id),
    url: api,
    repos_url: `${api}/repos`,
    events_url: `${api}/events`,
    hooks_url: `${api}/hooks`,
    issues_url: `${api}/issues`,
    members_url: `${api}/members{/member}`,
    public_members_url: `${api}/public_members{/member}`,
    avatar_url: getAvatarUrl(world, id),
    description: name,
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
      ...formatCounts(world, organisation),
      html_url: `${world.origin()}/${organisation.login}`,
      type: organisation.type,
      has_organization_projects: true,
      has_repository_projects: true,
      archived_at: null,
    },
  };
}
