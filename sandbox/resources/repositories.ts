import {
  type ApiAnswer,
  type ApiRoute,
  answerList,
  formatTime,
  invalid,
  isCovered,
  type JsonObject,
  notFound,
  ok,
  type RepositoryCall,
  route,
} from "../api/call.ts";
import { commitFiles, createSignature, type FileTree, readBlob, readTreeEntry } from "../state/git.ts";
import type { Permission, Repository, Visibility } from "../state/records.ts";
import {
  findAccount,
  findActingPerson,
  findRepository,
  getFullName,
  getObjects,
  getPermission,
  isInstalledOn,
  requireAccount,
  requireRepository,
  resolveActor,
  resolveRef,
  type World,
} from "../state/world.ts";
import { formatAccount } from "./accounts.ts";

export interface NewRepository {
  readonly owner: string;
  readonly name: string;
  /** Default "private". */
  readonly visibility?: Visibility;
  /** Default "main". */
  readonly defaultBranch?: string;
  /** Files of the first commit; default a README. */
  readonly files?: FileTree;
}

/** Repositories, named "owner/name". */
export const createRepositoryVerbs = (world: World) => ({
  repository: (name: string): Repository => requireRepository(world, name),
  createRepository: (spec: NewRepository): Repository => createRepository(world, spec),
  /** The default name is the parent's. */
  forkRepository: (spec: { repository: string; owner: string; name?: string }): Repository => {
    const parent = requireRepository(world, spec.repository);
    const owner = requireAccount(world, spec.owner);
    return insertRepository(world, {
      ...parent,
      ...{ id: world.nextId("repository"), ownerId: owner.id, name: spec.name ?? parent.name },
      branches: new Map(parent.branches),
    });
  },
  /** Sends `repository.renamed`; the old name answers with a redirect from now on. */
  renameRepository: (spec: { repository: string; name: string; by?: string }): Repository => {
    const before = requireRepository(world, spec.repository);
    saveFormerName(world, before);
    const changes = { repository: { name: { from: before.name } } };
    return changeRepository(world, before, { name: spec.name }, ["renamed", spec.by, { changes }]);
  },
  /** Sends `repository.transferred` to the new owner's installations; those that listed the repository lose it. */
  transferRepository: (spec: { repository: string; owner: string; by?: string }): Repository => {
    const before = requireRepository(world, spec.repository);
    const from = world.accounts.require(before.ownerId);
    saveFormerName(world, before);
    for (const { id, ownerId, repositories } of world.installations.all())
      if (ownerId === from.id && repositories !== "all")
        world.installations.update(id, { repositories: repositories.filter((one) => one !== before.id) });
    const kind = from.type === "Organization" ? "organization" : "user";
    const changes = { owner: { from: { [kind]: formatAccount(world, from.id) } } };
    const ownerId = requireAccount(world, spec.owner).id;
    return changeRepository(world, before, { ownerId }, ["transferred", spec.by, { changes }]);
  },
  /** Sends `repository.publicized` or `repository.privatized`. */
  setVisibility: (spec: { repository: string; visibility: Visibility; by?: string }): Repository => {
    const { visibility, by } = spec;
    const action = visibility === "public" ? "publicized" : "privatized";
    return changeRepository(world, requireRepository(world, spec.repository), { visibility }, [
      action,
      by,
      {},
    ]);
  },
  /** The file's text on a branch, tag or commit; null when there is no such file. */
  fileText: (spec: { repository: string; ref: string; path: string }): string | null => {
    const repository = requireRepository(world, spec.repository);
    const objects = getObjects(world, repository);
    const entry = readTreeEntry(objects, resolveRef(world, repository, spec.ref) ?? "", spec.path);
    return readBlob(objects, entry?.sha ?? "")?.bytes.toString("utf8") ?? null;
  },
});

function createRepository(world: World, spec: NewRepository): Repository {
  const owner = requireAccount(world, spec.owner);
  const { name, visibility = "private", defaultBranch = "main" } = spec;
  const id = world.nextId("repository");
  const empty = insertRepository(world, {
    ...{ id, ownerId: owner.id, name, visibility, defaultBranch },
    ...{ networkId: id, branches: new Map() },
  });
  const first = commitFiles(getObjects(world, empty), {
    parent: null,
    files: spec.files ?? { "README.md": `# ${name}\n` },
    message: "Initial commit",
    author: createSignature(findActingPerson(world, owner.id), world.clock.now()),
  });
  return world.repositories.update(id, { branches: new Map([[defaultBranch, first]]) });
}

function insertRepository(world: World, row: Omit<Repository, "collaborators" | "updatedAt">): Repository {
  if (findRepository(world, `${world.accounts.require(row.ownerId).login}/${row.name}`) !== null)
    throw invalid({ resource: "Repository", field: "name", code: "already_exists" });
  return world.repositories.insert({ ...row, updatedAt: world.clock.now(), collaborators: new Map() });
}

function saveFormerName(world: World, repository: Repository): void {
  world.formerNames.set(getFullName(world, repository).toLowerCase(), repository.id);
}

/** Changes the repository and sends `repository` with an action, by a person, with a payload. */
function changeRepository(
  world: World,
  before: Repository,
  change: Partial<Repository>,
  [action, by, payload]: readonly [action: string, by: string | undefined, payload: JsonObject],
): Repository {
  const repository = world.repositories.update(before.id, { ...change, updatedAt: world.clock.now() });
  const senderId = resolveActor(world, repository, by).id;
  deliverEvent(world, { event: "repository", action, repository, senderId, payload });
  return repository;
}

export interface RepositoryEvent {
  readonly event: string;
  readonly action: string | null;
  readonly repository: Repository;
  readonly senderId: number;
  readonly payload: JsonObject;
  /** Deliver to this App only. */
  readonly appId?: number;
}

/** Sends the event to every installation that covers the repository, subscribes to the event and is not suspended. */
export function deliverEvent(world: World, what: RepositoryEvent): void {
  const { repository, event, action, payload } = what;
  for (const installation of world.installations.all()) {
    const { id, appId, suspendedAt, events } = installation;
    if (what.appId !== undefined && what.appId !== appId) continue;
    if (suspendedAt !== null || !events.includes(event) || !isInstalledOn(installation, repository)) continue;
    const body = {
      ...(action === null ? {} : { action }),
      repository: formatRepository(world, repository),
      ...payload,
      sender: formatAccount(world, what.senderId),
      installation: { id },
    };
    world.notify({
      ...{ app: world.apps.require(appId), installationId: id, repositoryId: repository.id },
      ...{ event, action, body: JSON.stringify(body) },
    });
  }
}

/** Repositories and the rights of people on them. */
export const repositoryRoutes: readonly ApiRoute[] = [
  {
    ...route.repository("GET /", ["metadata:read"], ({ world, repository }) =>
      ok(formatRepository(world, repository)),
    ),
    answerUser: ({ world, repository }) => ok(formatRepository(world, repository)),
  },
  route.repository("GET /collaborators/{username}/permission", ["metadata:read"], answerPermission),
  route.installation("GET /installation/repositories", ["metadata:read"], (call) => {
    const all = call.world.repositories.filter((row) => isCovered(call.caller, row));
    const repository_selection = call.caller.installation.repositories === "all" ? "all" : "selected";
    return answerList(call, all, formatRepository, (repositories) => ({
      total_count: all.length,
      repository_selection,
      repositories,
    }));
  }),
];

/** GitHub's legacy permission names lack "triage" and "maintain". */
const LEGACY_PERMISSIONS: Readonly<Record<Permission, string>> = {
  none: "none",
  read: "read",
  triage: "read",
  write: "write",
  maintain: "write",
  admin: "admin",
};

function answerPermission({ world, repository, path }: RepositoryCall): ApiAnswer {
  const user = findAccount(world, path["username"] ?? "");
  if (user === null) throw notFound();
  const role = getPermission(world, repository, user.id);
  return ok({
    permission: LEGACY_PERMISSIONS[role],
    role_name: role,
    user: formatAccount(world, user.id),
  });
}

/** Returns the API URL of a repository. */
export const getRepositoryApiUrl = (world: World, repository: Repository): string =>
  `${world.origin()}/repos/${getFullName(world, repository)}`;

/** Returns the URL of a repository's page. */
export const getRepositoryUrl = (world: World, repository: Repository): string =>
  `${world.origin()}/${getFullName(world, repository)}`;

/** Formats a repository: alone, in a list, or inside another object. */
export const formatRepository = (world: World, repository: Repository): JsonObject => ({
  ...formatRepositoryName(world, repository),
  owner: formatAccount(world, repository.ownerId),
  visibility: repository.visibility,
  default_branch: repository.defaultBranch,
  archived: false,
  updated_at: formatTime(repository.updatedAt),
});

/** Formats a repository for installation deliveries. */
export const formatRepositoryName = (world: World, repository: Repository): JsonObject => ({
  id: repository.id,
  name: repository.name,
  full_name: getFullName(world, repository),
  private: repository.visibility !== "public",
});
