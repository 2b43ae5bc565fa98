import { TollgateError } from "../../src/kernel/errors.ts";
import type { PullKey } from "../../src/kernel/ids.ts";
import type { ObjectStore } from "../git/objects.ts";
import { readCommit } from "../git/objects.ts";
import type { Account, Permission, Team } from "./accounts.ts";
import type { Installation } from "./apps.ts";
import type { SandboxPull } from "./pulls.ts";
import type { Repository } from "./repositories.ts";
import type { World } from "./world.ts";

const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export const findAccount = (world: World, login: string): Account | null =>
  world.accounts.find((account) => !account.deleted && isSameName(account.login, login));

export function findTeam(world: World, organisation: string, slug: string): Team | null {
  const organisationId = findAccount(world, organisation)?.id;
  return world.teams.find((row) => row.organisationId === organisationId && row.slug === slug);
}

export const getFullName = (world: World, repository: Repository): string =>
  `${world.accounts.require(repository.ownerId).login}/${repository.name}`;

/** Finds a repository by its current "owner/name", case-insensitively. */
export function findRepository(world: World, name: string): Repository | null {
  const [owner = "", repositoryName = ""] = name.split("/");
  const ownerId = findAccount(world, owner)?.id;
  return world.repositories.find((row) => row.ownerId === ownerId && isSameName(row.name, repositoryName));
}

export const findPull = (world: World, key: PullKey): SandboxPull | null =>
  world.pulls.group(String(key.repositoryId)).find((pull) => pull.number === key.number) ?? null;

/** The same for verbs: throws when the named record does not exist. */
export const requireAccount = (world: World, login: string): Account =>
  requireFound(findAccount(world, login), `account "${login}"`);
export const requireRepository = (world: World, name: string): Repository =>
  requireFound(findRepository(world, name), `repository "${name}"`);
export const requirePull = (world: World, key: PullKey): SandboxPull =>
  requireFound(findPull(world, key), `pull request #${key.number} in repository ${key.repositoryId}`);

export const getObjects = (world: World, repository: Repository): ObjectStore =>
  world.objects(repository.networkId);

/** Returns the account that acts in a repository: `by`; by default its owner, or the organisation's first admin. */
export function resolveActor(world: World, repository: Repository, login?: string): Account {
  if (login !== undefined) return requireAccount(world, login);
  return findActingPerson(world, world.accounts.require(repository.ownerId));
}

export function findActingPerson(world: World, owner: Account): Account {
  if (owner.type !== "Organization") return owner;
  const admin = world.memberships.find((row) => row.organisationId === owner.id && row.role === "admin");
  return admin === null ? owner : world.accounts.require(admin.userId);
}

/** Resolves a branch name, a full ref, a commit id or its prefix (7 or more characters) to a commit id; null when it does not exist. */
export function resolveRef(world: World, repository: Repository, ref: string): string | null {
  const name = ref.replace(/^refs\//, "").replace(/^heads\//, "");
  const branch = repository.branches.get(name);
  if (branch !== undefined) return branch;
  const pull = /^pull\/(\d+)\/head$/.exec(name)?.[1];
  if (pull !== undefined) {
    return findPull(world, { repositoryId: repository.id, number: Number(pull) })?.headSha ?? null;
  }
  const objects = getObjects(world, repository);
  if (readCommit(objects, ref) !== null) return ref;
  if (!/^[0-9a-f]{7,39}$/.test(ref)) return null;
  return objects.keys().find((sha) => sha.startsWith(ref) && readCommit(objects, sha) !== null) ?? null;
}

export const isInstalledOn = (installation: Installation, repository: Repository): boolean =>
  installation.ownerId === repository.ownerId &&
  (installation.repositories === "all" || installation.repositories.includes(repository.id));

/** Returns a user's access to a repository: the highest of ownership, membership and collaboration. */
export function getPermission(world: World, repository: Repository, userId: number): Permission {
  if (repository.ownerId === userId) return "admin";
  const member = world.memberships.find(
    (row) => row.organisationId === repository.ownerId && row.userId === userId,
  );
  if (member?.role === "admin") return "admin";
  const direct = repository.collaborators.get(userId);
  if (direct !== undefined) return direct;
  return member !== null || repository.visibility === "public" ? "read" : "none";
}

function requireFound<T>(value: T | null, what: string): T {
  if (value === null) throw new TollgateError("usage", `the sandbox has no ${what}`);
  return value;
}
