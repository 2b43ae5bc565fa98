import type { Account } from "../state/accounts.ts";
import { findAccount, requireAccount, requireRepository } from "../state/find.ts";
import { invalid } from "../state/refusal.ts";
import type { World } from "../state/world.ts";
import type { AccountVerbs, NewOwner } from "../verbs/accounts.ts";

export const createAccountVerbs = (world: World): AccountVerbs => ({
  createOwner: (spec) => createOwner(world, spec),
  createBot: (name) => addAccount(world, { login: `${name}[bot]`, type: "Bot", name }),
  deleteUser: (login) => {
    world.accounts.update(requireAccount(world, login).id, { deleted: true });
  },
  createTeam: ({ organisation, slug, members }) =>
    world.teams.insert({
      id: world.nextId("other"),
      organisationId: requireAccount(world, organisation).id,
      slug,
      name: slug,
      memberIds: members.map((login) => addMember(world, { organisation, login })),
    }),
  addMember: (spec) => {
    addMember(world, spec);
  },
  removeTeamMember: ({ organisation, slug, login }) => {
    const organisationId = requireAccount(world, organisation).id;
    const leaverId = requireAccount(world, login).id;
    const team = world.teams.find((row) => row.organisationId === organisationId && row.slug === slug);
    if (team === null) throw invalid({ resource: "Team", field: "slug", code: "missing" });
    world.teams.update(team.id, { memberIds: team.memberIds.filter((id) => id !== leaverId) });
  },
  setCollaborator: ({ repository, login, permission }) => {
    const row = requireRepository(world, repository);
    const collaborators = new Map(row.collaborators).set(requireAccount(world, login).id, permission);
    world.repositories.update(row.id, { collaborators });
  },
});

/** Creates an account; refuses a taken login. */
export function addAccount(
  world: World,
  spec: { login: string; type: Account["type"]; name: string | null },
): Account {
  if (findAccount(world, spec.login) !== null) {
    throw invalid({ resource: "User", field: "login", code: "already_exists" });
  }
  const id = world.nextId("account");
  return world.accounts.insert({ ...spec, id, createdAt: world.clock.now(), deleted: false });
}

function createOwner(world: World, spec: NewOwner): Account {
  const type = spec.type === "user" ? "User" : "Organization";
  const owner = addAccount(world, { login: spec.login, type, name: spec.name ?? null });
  if (type === "Organization") {
    addMember(world, { organisation: spec.login, login: spec.admin ?? `${spec.login}-admin`, role: "admin" });
  }
  return owner;
}

/** Returns the member's id; creates the user when the login does not exist. */
function addMember(
  world: World,
  spec: { organisation: string; login: string; role?: "admin" | "member" },
): number {
  const organisationId = requireAccount(world, spec.organisation).id;
  const user =
    findAccount(world, spec.login) ?? addAccount(world, { login: spec.login, type: "User", name: null });
  const member = world.memberships.find(
    (row) => row.organisationId === organisationId && row.userId === user.id,
  );
  if (member !== null) {
    world.memberships.update(member.id, { role: spec.role ?? member.role });
    return user.id;
  }
  const id = world.nextId("other");
  world.memberships.insert({ id, organisationId, userId: user.id, role: spec.role ?? "member" });
  return user.id;
}
