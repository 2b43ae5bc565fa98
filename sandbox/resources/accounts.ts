import {
  type ApiRoute,
  answerList,
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
  /** Creates the account when it is missing. */
  addMember: (spec: NewMember): Account => world.accounts.require(addMember(world, spec)),
  /** Limits as whom visitors of the pages may act: words on each person, by login. */
  offerPeople: (words: Readonly<Record<string, string>>): void => {
    for (const [login, text] of Object.entries(words)) world.cast.set(requireAccount(world, login).id, text);
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
  return world.accounts.insert({ ...spec, id: world.nextId("account") });
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
    answerList(call, resolveTeam(call).memberIds, formatAccount),
  ),
  route.installation("GET /orgs/{org}/teams/{team_slug}/memberships/{username}", ["members:read"], (call) => {
    const team = resolveTeam(call);
    const user = findAccount(call.world, call.path["username"] ?? "");
    if (user === null || !team.memberIds.includes(user.id)) throw notFound();
    return ok({ role: "member", state: "active" });
  }),
];

function answerProfile(world: World, account: Account | null) {
  if (account === null) throw notFound();
  return ok(formatAccount(world, account.id));
}

function resolveTeam({ world, path, caller }: InstallationCall): Team {
  const team = findTeam(world, path["org"] ?? "", path["team_slug"] ?? "");
  if (team === null || caller.installation.ownerId !== team.organisationId) throw notFound();
  return team;
}

/** Formats a user, bot or organisation. */
export function formatAccount(world: World, id: number): JsonObject {
  const { login, type } = world.accounts.require(id);
  return { id, login, type };
}

export const formatTeam = (_world: World, { id, slug, name }: Team): JsonObject => ({ id, slug, name });
